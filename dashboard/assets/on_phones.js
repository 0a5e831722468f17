// A finger that moves over a chart scrolls the page, and two fingers zoom the page. Plotly never hears
// of touches: it would zoom the chart, and keep the page still. It gets taps, which browsers tell as
// clicks of a mouse as well.
// Internals: plotly/plotly.js#2844.
// The menu, which covers the page, closes as soon as a page is chosen in it.
// Internals: streamlit/streamlit#12065.
export default function () {
  if (window.wattfrontPhone) return;
  window.wattfrontPhone = true;
  const keep = (event) => {
    if (event.target.closest?.(".js-plotly-plot")) event.stopPropagation();
  };
  document.addEventListener("touchstart", keep, { capture: true, passive: true });
  const close = (event) => {
    if (event.target.closest?.('[data-testid="stSidebarNavLink"]'))
      document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
  };
  document.addEventListener("click", close);
}
