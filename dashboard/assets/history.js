// Which addresses Back leads to: one for each change that a person made.
const WISHES = ["deadline", "budget", "cap", "money", "rate"];
const ACTS = ["pointerdown", "keydown", "change", "drop"];

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

export default function () {
  if (window.wattfrontHistory) return;
  window.wattfrontHistory = true;
  let acted = false;
  for (const act of ACTS) window.addEventListener(act, () => (acted = true), true);
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const to = new URL(url, location.href);
    if (follows(location, to, acted)) {
      history.replaceState(state, title, url);
    } else {
      acted = false;
      push(state, title, url);
    }
  };
}
