// Handles on the corners of a line of steps in the uppermost panel of a chart, to drag or to move by
// the arrow keys.
const SETTLED_MS = 600;
const STEPS = 50;

export default function (component) {
  const host = component.parentElement;
  host.told = component.data;
  host.report = reporting(host, "moved", component);
  host.place ??= begin(host);
  host.place();
}

function begin(host) {
  const stage = host.querySelector(".stage");
  const track = host.querySelector("svg");
  const line = track.querySelector("path");
  let held = null;
  let settle = 0;
  let grips = [];

  const chart = () => document.querySelector(`${host.told.chart} .js-plotly-plot`);
  // Internals: plotly/plotly.js#7316.
  const axes = () => {
    const layout = chart()?._fullLayout;
    return layout?.xaxis?.d2p && layout.yaxis?.d2p ? [layout.xaxis, layout.yaxis] : null;
  };
  const now = () => held ?? host.told.at;
  const within = (value, low, high) => Math.min(Math.max(value, low), high);
  const said = (y) => `${Number(y.toPrecision(3))} ${host.told.unit}`;

  const place = () => {
    if (!host.isConnected) return;
    const drawn = chart();
    const both = axes();
    if (!drawn || !both) {
      for (const grip of grips) grip.hidden = true;
      setTimeout(place, 200);
      return;
    }
    if (host.watched !== drawn) {
      host.watched = drawn;
      drawn.on?.("plotly_afterplot", () => place());
      new ResizeObserver(() => place()).observe(drawn);
    }
    while (grips.length > now().length) grips.pop().remove();
    while (grips.length < now().length) grips.push(grown(grips.length));
    const [x, y] = both;
    const frame = drawn.getBoundingClientRect();
    const own = stage.getBoundingClientRect();
    const across = frame.left - own.left + x._offset;
    const down = frame.top - own.top + y._offset;
    now().forEach(([hours, level], which) => {
      const grip = grips[which];
      const [a, b] = [x.d2p(hours), y.d2p(level)];
      grip.hidden = a < -1 || a > x._length + 1 || b < -1 || b > y._length + 1;
      grip.style.left = `${across + a}px`;
      grip.style.top = `${down + b}px`;
      const words = `${said(level)} from ${host.told.times[Math.round(hours / host.told.step)] ?? ""}`;
      grip.title = words;
      grip.setAttribute("aria-label", host.told.title);
      grip.setAttribute("aria-valuetext", words);
      grip.setAttribute("aria-valuenow", String(level));
    });
    track.style.cssText = `left:${across}px;top:${down}px;width:${x._length}px;height:${y._length}px`;
    track.style.display = held === null ? "none" : "block";
    const ends = [...now().slice(1).map(([hours]) => hours), host.told.end];
    const points = now().flatMap(([hours, level], k) => [[hours, level], [ends[k], level]]);
    line.setAttribute("d", `M${points.map(([a, b]) => `${x.d2p(a)},${y.d2p(b)}`).join(" L")}`);
  };

  const move = (which, hours, level) => {
    const at = now().map((one) => [...one]);
    const { step, end, most } = host.told;
    const low = which ? at[which - 1][0] + step : 0;
    const high = which ? (at[which + 1]?.[0] ?? end) - step : 0;
    at[which] = [
      within(Math.round(hours / step) * step, low, high),
      within(Number(level.toPrecision(3)), 0, most),
    ];
    held = at;
    place();
  };
  const end = () => {
    if (held === null) return;
    host.report({ at: held });
    host.told = { ...host.told, at: held };
    held = null;
    place();
  };

  const grown = (which) => {
    const grip = document.createElement("div");
    grip.className = "grip";
    grip.tabIndex = 0;
    grip.setAttribute("role", "slider");
    stage.append(grip);
    grip.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      grip.focus();
      grip.setPointerCapture(event.pointerId);
    });
    grip.addEventListener("pointermove", (event) => {
      const both = axes();
      if (!both || !grip.hasPointerCapture(event.pointerId)) return;
      const [x, y] = both;
      const frame = chart().getBoundingClientRect();
      const a = event.clientX - frame.left - x._offset;
      const b = event.clientY - frame.top - y._offset;
      move(which, x.p2d(a), y.p2d(b));
    });
    for (const name of ["pointerup", "pointercancel"]) grip.addEventListener(name, end);
    grip.addEventListener("keydown", (event) => {
      const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
      const [a, b] = way[event.key] ?? [0, 0];
      if (!a && !b) return;
      event.preventDefault();
      const [hours, level] = now()[which];
      move(which, hours + a * host.told.step, level + (b * host.told.most) / STEPS);
      clearTimeout(settle);
      settle = setTimeout(end, SETTLED_MS);
    });
    return grip;
  };
  return place;
}
