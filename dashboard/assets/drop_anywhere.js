// Files that are dropped anywhere on the page go to the uploader of the dialog, which opens for them.
const BUTTON = ".st-key-open-files button";
const INPUT = ".st-key-opener-files input[type=file]";
const WAIT_MS = 10000;

const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
const hasTaker = (event) => event.target.closest?.('[data-testid="stFileUploaderDropzone"]');

async function uploader() {
  const before = performance.now();
  if (!document.querySelector(INPUT)) document.querySelector(BUTTON)?.click();
  while (!document.querySelector(INPUT) && performance.now() - before < WAIT_MS)
    await new Promise((next) => setTimeout(next, 50));
  return document.querySelector(INPUT);
}

export default function () {
  if (window.wattfrontDrop) return;
  window.wattfrontDrop = true;
  window.addEventListener("dragover", (event) => {
    if (hasFiles(event) && !hasTaker(event)) event.preventDefault();
  });
  window.addEventListener("drop", async (event) => {
    if (!hasFiles(event) || hasTaker(event)) return;
    event.preventDefault();
    // The browser empties the list of the event when this function first waits.
    const dropped = new DataTransfer();
    for (const file of event.dataTransfer.files) dropped.items.add(file);
    const input = await uploader();
    if (!input) return;
    input.files = dropped.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
}
