// Which addresses Back leads to: one for each change that a person made.
const WISHES = ["deadline", "budget", "cap", "money", "rate"];

// The same place, said in full or with what follows from it: no place of its own to go back to.
function follows(from, to) {
  if (from.pathname !== to.pathname) return false;
  if (from.search === "") return true;
  const [before, after] = [from, to].map((url) => new URLSearchParams(url.search));
  if (!WISHES.some((name) => after.has(name))) return false;
  // A wish picks the schedule, and picks another where a better one is found.
  for (const parameters of [before, after]) {
    parameters.delete("chosen");
    parameters.sort();
  }
  return before.toString() === after.toString();
}

export default function () {
  if (window.wattfrontHistory) return;
  window.wattfrontHistory = true;
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const to = new URL(url, location.href);
    if (follows(location, to)) history.replaceState(state, title, url);
    else push(state, title, url);
  };
}
