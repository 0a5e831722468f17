// Keeps one history entry for each change that a person makes, for Back to lead to.
const WISHES = ["deadline", "budget", "cap", "money", "rate"];
const ACTS = ["pointerdown", "keydown", "change", "drop"];
const APART_MS = 250;
const LATE_MS = 5000;

// Whether an address belongs to the same entry as the one before: settings that the page adds by
// itself, or another schedule for the same wish, are no new entry.
function follows(from, to, acted) {
  if (from.pathname !== to.pathname) return false;
  if (!acted || from.search === "") return true;
  const [before, after] = [from, to].map((url) => new URLSearchParams(url.search));
  if (!WISHES.some((name) => after.has(name))) return false;
  for (const parameters of [before, after]) {
    parameters.delete("chosen");
    parameters.sort();
  }
  return before.toString() === after.toString();
}

// Typing, or a click into a field, changes nothing yet.
function prepares(event) {
  if (event.type === "keydown") return event.key.length === 1 && event.key !== " ";
  return event.type === "pointerdown" && event.target.matches("input, textarea");
}

export default function () {
  if (window.wattfrontHistory) return;
  window.wattfrontHistory = true;
  // When a person first and last acted without a new address yet; 0 means never.
  let first = 0;
  let last = 0;
  const note = (event) => {
    if (prepares(event)) return;
    const now = performance.now();
    if (!first || now - last > LATE_MS) first = now;
    last = now;
  };
  for (const act of ACTS) window.addEventListener(act, note, true);
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const to = new URL(url, location.href);
    if (follows(location, to, first > 0)) {
      history.replaceState(state, title, url);
      return;
    }
    // An act well after the first one is another change; its address is still to come.
    const more = last - first > APART_MS && performance.now() - last < LATE_MS;
    first = more ? last : 0;
    push(state, title, url);
  };
}
