// Reports the position of a slider while it is dragged; Streamlit reports it on release only.
// Internals: streamlit/streamlit#11879.
export default function (component) {
  const host = component.parentElement;
  host.within = component.data.within;
  host.report = reporting(host, "passing", component);
  if (host.watching) return;
  const box = () => document.querySelector(host.within);
  const input = () => box()?.querySelector("input[type=range]");
  let from = null;
  const moved = new MutationObserver(() => {
    if (from === null) return;
    host.report({ percent: Number(input()?.value), from });
  });
  const pressed = (event) => {
    if (!host.isConnected) return leave();
    if (!box()?.contains(event.target) || !event.target.closest("[role=group]")) return;
    from = Number(input().value);
    moved.observe(box(), { attributes: true, attributeFilter: ["aria-valuetext"], subtree: true });
  };
  const released = () => {
    if (from === null) return;
    moved.disconnect();
    const stayed = Number(input()?.value) === from;
    // If the slider is where it was, Streamlit does not report the release.
    if (stayed) host.report({ percent: null, from });
    else host.reports.waiting = null;
    from = null;
  };
  const leave = () => {
    document.removeEventListener("pointerdown", pressed, true);
    for (const end of ["pointerup", "pointercancel"]) window.removeEventListener(end, released, true);
  };
  document.addEventListener("pointerdown", pressed, true);
  for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, released, true);
  host.watching = true;
}
