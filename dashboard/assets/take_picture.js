// The button of a chart that takes its picture offers it as PNG, as SVG, or as its data (CSV).
// Internals: plotly/plotly.js#4782.
const PICTURE = ".js-plotly-plot .modebar-btn[data-title^='Download']";
// A text that a spreadsheet would run as a formula gets a quote before it, as in all our files.
const safe = (cell) => (typeof cell === "string" ? cell.replace(/^'*[=+\-@]/, "'$&") : String(cell ?? ""));
const quoted = (cell) => `"${safe(cell).replaceAll('"', '""')}"`;

function dataOf(chart) {
  const { xaxis, yaxis } = chart._fullLayout;
  const rows = [["trace", xaxis?.title?.text || "x", yaxis?.title?.text || "y", "value"]];
  for (const trace of chart._fullData) {
    if (trace.visible !== true || !trace.name) continue;
    const { x = [], y = [], z } = trace;
    if (z) z.forEach((row, i) => row.forEach((v, k) => rows.push([trace.name, x[k], y[i], v])));
    else for (let k = 0; k < Math.max(x.length, y.length); k++) rows.push([trace.name, x[k], y[k]]);
  }
  return rows.map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n";
}

function save(text, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export default function () {
  if (window.wattfrontPicture) return;
  window.wattfrontPicture = true;
  let menu, own = false;
  const close = () => { menu?.remove(); menu = undefined; };
  const keyOf = (button) =>
    button.closest("[class*='st-key-']")?.className.match(/st-key-([\w-]+)/)?.[1];
  const take = (given, key, kind) => {
    // The chart may have been drawn anew since the menu was opened.
    const button = given.isConnected ? given : document.querySelector(`.st-key-${key} ${PICTURE}`);
    const chart = button?.closest(".js-plotly-plot");
    if (!chart) return;
    const name = `wattfront-${key ?? "chart"}`;
    if (kind === "Data (CSV)") return save(dataOf(chart), `${name}.csv`);
    const options = chart._context.toImageButtonOptions;
    chart._context.toImageButtonOptions = { ...options, format: kind.toLowerCase(), filename: name };
    own = true;
    button.click();
    own = false;
    chart._context.toImageButtonOptions = options;
  };
  const open = (button) => {
    close();
    const at = button.getBoundingClientRect(), key = keyOf(button);
    menu = document.createElement("div");
    menu.className = "wf-picture";
    menu.setAttribute("role", "menu");
    menu.style.top = `${at.bottom}px`;
    menu.style.right = `${innerWidth - at.right}px`;
    for (const kind of ["PNG", "SVG", "Data (CSV)"]) {
      const item = document.createElement("button");
      item.setAttribute("role", "menuitem");
      item.textContent = kind;
      item.onclick = () => { close(); take(button, key, kind); };
      menu.append(item);
    }
    document.querySelector(".stApp").append(menu);
    menu.firstChild.focus();
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(PICTURE);
    if (own) return;
    if (!button) { if (!menu?.contains(event.target)) close(); return; }
    event.stopPropagation();
    event.preventDefault();
    open(button);
  }, true);
  document.addEventListener("mouseover", (event) => {
    const button = event.target.closest?.(PICTURE);
    if (button) button.dataset.title = "Download as PNG, SVG or data";
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  document.addEventListener("scroll", close, true);
}
