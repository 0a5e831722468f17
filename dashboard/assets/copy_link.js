// Copies the link of a study. Without permission to do so, the link is shown, selected.
export default function ({ data, parentElement }) {
  const [button, field, status] = ["button", "input", "p"].map((name) => parentElement.querySelector(name));
  button.onclick = async () => {
    const link = data.link === null ? location.href : new URL(data.link, document.baseURI).href;
    try {
      await navigator.clipboard.writeText(link);
      status.textContent = "Copied.";
    } catch {
      field.hidden = false;
      field.value = link;
      field.focus();
      field.select();
      status.textContent = "Press Ctrl C (on a Mac, Cmd C) to copy it.";
    }
  };
}
