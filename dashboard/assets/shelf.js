// The studies that this browser keeps, those that it had open last, and the digests of those that
// were saved from it, newest first.
const SHELF = "wattfront.studies";
const RECENT = "wattfront.recent";
const SAVED = "wattfront.saved";
const MOST_RECENT = 8;
const MOST_SAVED = 200;
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
