// The studies that this browser keeps, and those that it had open last, newest first.
const SHELF = "wattfront.studies";
const RECENT = "wattfront.recent";
const MOST_RECENT = 8;
const MOST_DELETED = 20;

function kept(place) {
  try {
    const found = JSON.parse(localStorage.getItem(place));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

// Whether there was room: what was kept before stays if there was none.
function keep(place, studies) {
  try {
    localStorage.setItem(place, JSON.stringify(studies));
    return true;
  } catch {
    return false;
  }
}
