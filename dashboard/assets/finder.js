// Ctrl-K goes to any page, machine type, task type or study: a dialog with a field and what it finds.
const MOST_FOUND = 10;
const MOST_TOLD = 5;
const TELL_AGAIN_MS = 3000;
const MACHINE = /^(.+?)[\s#-]+(\d+)$/;

export default function ({ data, parentElement, setStateValue }) {
  const finder = (window.wattfrontFinder ??= begin());
  finder.places = data.places;
  finder.go = (place) => setStateValue("go", { kind: place.kind, number: place.number, machine: place.machine ?? 0, at: Date.now() });
  const button = parentElement.querySelector("button");
  button.onclick = finder.open;
  button.setAttribute("aria-keyshortcuts", "Control+K Meta+K");  // told once the keys are heard
  if (data.here && data.here.key !== finder.here) {
    finder.here = data.here.key;
    const others = kept(RECENT).filter((one) => one.key !== data.here.key);
    keep(RECENT, [data.here, ...others].slice(0, MOST_RECENT));
  }
  if (data.saved) {
    const { digest, is_saved } = data.saved;
    const known = kept(SAVED);
    if (is_saved && !known.includes(digest)) keep(SAVED, [digest, ...known].slice(0, MOST_SAVED));
    clearTimeout(finder.again);
    if (!is_saved && known.includes(digest)) {
      if (finder.told?.digest !== digest) finder.told = { digest, times: 0 };
      // What is told while the page is still drawn for the first time can be lost.
      const tell = () => {
        if (++finder.told.times > MOST_TOLD) return;
        finder.again = setTimeout(tell, TELL_AGAIN_MS);
        setStateValue("saved", { digest, at: Date.now() });
      };
      if (!finder.told.times) tell();
      else finder.again = setTimeout(tell, TELL_AGAIN_MS);
    }
  }
}

function begin() {
  const dialog = document.createElement("dialog");
  dialog.className = "wf-finder";
  dialog.setAttribute("aria-label", "Go to");
  dialog.innerHTML =
    '<input type="search" role="combobox" aria-expanded="true" aria-controls="wf-found" aria-autocomplete="list"' +
    ' aria-label="Go to" placeholder="Page, machine, task type or study" autocomplete="off" spellcheck="false">' +
    '<ul id="wf-found" role="listbox" aria-label="Found"></ul><p role="status"></p>';
  document.body.append(dialog);
  const [field, list, status] = dialog.children;
  const finder = { open };
  let found = [];
  let at = 0;

  function open() {
    if (dialog.open || document.querySelector('[data-testid="stDialog"]')) return;
    field.value = "";
    at = 0;
    draw();
    dialog.showModal();
    field.focus();
  }

  function every() {
    const saved = kept(SHELF).filter((one) => !one.deleted);
    const names = new Set(saved.map((one) => one.name));
    const recent = kept(RECENT).filter((one) => !names.has(one.name));
    const studies = [...saved, ...recent].map(({ name, link }) => ({ kind: "Study", name, link }));
    return [...finder.places, ...studies];
  }

  // All words occur; names that begin with what is typed come first.
  function search(text) {
    const typed = text.trim().toLowerCase();
    const words = typed.split(/\s+/);
    const places = every();
    const fits = places.filter((one) => {
      const said = one.name.toLowerCase();
      return words.every((word) => said.includes(word));
    });
    fits.sort((a, b) => begins(b, typed) - begins(a, typed));
    const [, name, number] = MACHINE.exec(typed) ?? [];
    for (const one of places) {
      const machine = Number(number);
      if (one.count && one.name.toLowerCase() === name && machine >= 1 && machine <= one.count)
        fits.unshift({ ...one, kind: "Machine", name: `${one.name} #${machine}`, machine });
    }
    return fits.slice(0, MOST_FOUND);
  }

  function begins(one, typed) {
    return Number(one.name.toLowerCase().startsWith(typed));
  }

  function draw() {
    found = search(field.value);
    at = Math.min(at, Math.max(found.length - 1, 0));
    list.replaceChildren(
      ...found.map((one, place) => {
        const item = document.createElement("li");
        item.id = `wf-found-${place}`;
        item.setAttribute("role", "option");
        item.setAttribute("aria-selected", String(place === at));
        const kind = document.createElement("span");
        item.textContent = one.name;
        kind.textContent = one.kind;
        item.append(" ", kind);
        item.onclick = () => go(one);
        return item;
      }),
    );
    field.setAttribute("aria-activedescendant", found.length ? `wf-found-${at}` : "");
    list.children[at]?.scrollIntoView({ block: "nearest" });
    status.textContent = found.length ? "" : "Nothing has this name.";
  }

  function go(one) {
    dialog.close();
    if (one.link) location.href = new URL(one.link, document.baseURI).href;
    else finder.go(one);
  }

  field.addEventListener("input", () => {
    at = 0;
    draw();
  });
  field.addEventListener("keydown", (event) => {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (way && found.length) {
      at = (at + way + found.length) % found.length;
      draw();
    } else if (event.key === "Enter" && found[at]) go(found[at]);
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.addEventListener(
    "keydown",
    (event) => {
      const asked = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!asked || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      open();
    },
    true,
  );
  return finder;
}
