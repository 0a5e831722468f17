// Which addresses Back leads to: one for each change that a person made.
const WISHES = ["deadline", "budget", "cap", "money", "rate"];
const ACTS = ["pointerdown", "keydown", "change", "drop"];
const APART_MS = 250;
const LATE_MS = 5000;

// What is said a moment later of the same place (its settings, or the schedule that a wish picks,
// which is another where a better one is found) is no place of its own to go back to.
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

// Neither typing nor going to a field changes anything yet.
function prepares(event) {
  if (event.type === "keydown") return event.key.length === 1 && event.key !== " ";
  return event.type === "pointerdown" && event.target.matches("input, textarea");
}

export default function () {
  if (window.wattfrontHistory) return;
  window.wattfrontHistory = true;
  // When a person first and last did something that no address has told of yet; never is 0.
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
    // What was done well after the rest is another change, whose address is still to come.
    const more = last - first > APART_MS && performance.now() - last < LATE_MS;
    first = more ? last : 0;
    push(state, title, url);
  };
}
