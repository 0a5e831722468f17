// Loads the page anew when its theme changes: the charts keep the colours that they began with.
// Menus and dialogs, which are outside of the page, get its theme as well.
// Internals: streamlit/streamlit#11974.
export default function () {
  if (window.wattfrontTheme) return;
  const theme = () => getComputedStyle(document.querySelector(".stApp")).colorScheme;
  window.wattfrontTheme = theme();
  document.documentElement.style.colorScheme = theme();
  // The theme comes with the names of classes, at once or after a moment.
  new MutationObserver(() => {
    if (theme() !== window.wattfrontTheme) location.reload();
  }).observe(document.querySelector(".stApp"), { attributeFilter: ["class"] });
}
