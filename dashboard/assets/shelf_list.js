// The studies that this browser keeps, those it had open last, and those that were deleted.
export default function ({ data, parentElement, setStateValue }) {
  const host = parentElement.querySelector(".shelf");
  const open = (study) => {
    if (study.file) setStateValue("opened", { name: study.name, file: study.file, at: Date.now() });
    else location.href = new URL(study.link, document.baseURI).href;
  };
  if (data.save) host.full = !save(data.save);
  draw(host, open);
}

// A study that is saved again under its name takes the place of the one before, which can be restored.
function save(study) {
  const before = kept(SHELF);
  if (before.some((one) => one.id === study.id)) return true;
  const rest = before.map((one) => (one.name === study.name && !one.deleted ? { ...one, deleted: Date.now() } : one));
  return keep(SHELF, tidy([{ ...study, at: Date.now() }, ...rest]));
}

function tidy(studies) {
  const deleted = studies.filter((one) => one.deleted).sort((a, b) => b.deleted - a.deleted);
  const gone = new Set(deleted.slice(MOST_DELETED));
  return studies.filter((one) => !gone.has(one));
}

function draw(host, open) {
  const change = (id, changes) => {
    keep(SHELF, tidy(kept(SHELF).map((one) => (one.id === id ? { ...one, ...changes } : one))));
    draw(host, open);
  };
  const rename = (row, study) => {
    const field = document.createElement("input");
    field.value = study.name;
    field.maxLength = 80;
    field.setAttribute("aria-label", `New name of ${study.name}`);
    const end = (taken) => {
      if (!field.isConnected) return;
      const name = field.value.trim();
      change(study.id, taken && name ? { name } : {});
    };
    field.onkeydown = ({ key }) => {
      if (key === "Enter") end(true);
      if (key === "Escape") end(false);
    };
    field.onblur = () => end(true);
    row.querySelector("b").replaceWith(field);
    field.select();
  };
  const all = kept(SHELF);
  const saved = all.filter((one) => !one.deleted);
  const deleted = all.filter((one) => one.deleted);
  const names = new Set(saved.map((one) => one.name));
  const recent = kept(RECENT).filter((one) => !names.has(one.name));
  host.replaceChildren(
    ...(host.full ? [text("p", "There is no room left in this browser. Take the study file.", "full")] : []),
    ...part("Saved in this browser", saved, "Nothing is saved here yet.", (study, row) => [
      act("Open", study, () => open(study)),
      act("Rename", study, () => rename(row, study)),
      act("Delete", study, () => change(study.id, { deleted: Date.now() })),
    ]),
    ...part("Open before", recent, "", (study) => [act("Open", study, () => open(study))]),
    ...part("Deleted", deleted, "", (study) => [act("Restore", study, () => change(study.id, { deleted: null }))]),
  );
}

function part(title, studies, none, acts) {
  if (!studies.length && !none) return [];
  const list = document.createElement("ul");
  for (const study of studies) {
    const row = document.createElement("li");
    const when = study.at ? new Date(study.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) : "";
    row.append(text("b", study.name), text("span", when), ...acts(study, row));
    list.append(row);
  }
  return [text("h2", title), ...(studies.length ? [list] : [text("p", none)])];
}

function act(label, study, does) {
  const button = text("button", label);
  button.type = "button";
  button.setAttribute("aria-label", `${label} ${study.name}`);
  button.onclick = does;
  return button;
}

function text(kind, said, name = "") {
  const element = document.createElement(kind);
  element.textContent = said;
  element.className = name;
  return element;
}
