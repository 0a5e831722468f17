// A handle on the line of a wish in the chart, to drag or to move by the arrow keys.
const SETTLED_MS = 400;
const STEPS = 100;

export default function (component) {
  const host = component.parentElement;
  host.wish = component.data;
  host.report = reporting(host, "moved", component);
  host.place ??= begin(host);
  host.place();
}

function begin(host) {
  const stage = host.querySelector(".stage");
  const handle = host.querySelector(".handle");
  const track = host.querySelector("svg");
  const line = track.querySelector("line");
  let held = null;
  let grip = null;
  let settle = 0;

  const chart = () => document.querySelector(`${host.wish.chart} .js-plotly-plot`);
  // Internals: plotly/plotly.js#7316.
  const axes = () => {
    const layout = chart()?._fullLayout;
    return layout?.xaxis?.d2p && layout.yaxis?.d2p ? [layout.xaxis, layout.yaxis] : null;
  };
  const value = () => held ?? host.wish.value;

  // Both ends of the line in axis units; the handle is at the second.
  const ends = (x, y) => {
    const [left, right] = x.range.map(Number);
    const [bottom, top] = y.range.map(Number);
    const at = value();
    if (host.wish.along === "y") return [[left, at], [right, at]];
    if (host.wish.along === "x") return [[at, bottom], [at, top]];
    const reach = Math.min(top, right / at);
    return [[at * bottom, bottom], [at * reach, reach]];
  };

  const place = () => {
    if (!host.isConnected) return;
    if (!host.wish.along) {
      held = null;
      handle.hidden = true;
      track.style.display = "none";
      return;
    }
    const drawn = chart();
    const both = axes();
    if (!drawn || !both) {
      handle.hidden = true;
      setTimeout(place, 200);
      return;
    }
    if (host.watched !== drawn) {
      host.watched = drawn;
      drawn.on?.("plotly_afterplot", () => place());
      new ResizeObserver(() => place()).observe(drawn);
    }
    const [x, y] = both;
    const frame = drawn.getBoundingClientRect();
    const own = stage.getBoundingClientRect();
    const across = frame.left - own.left + x._offset;
    const down = frame.top - own.top + y._offset;
    const [[x0, y0], [x1, y1]] = ends(x, y).map(([a, b]) => [x.d2p(a), y.d2p(b)]);
    const inside = x1 >= -1 && x1 <= x._length + 1 && y1 >= -1 && y1 <= y._length + 1;
    handle.hidden = !inside;
    handle.style.left = `${across + x1}px`;
    handle.style.top = `${down + y1}px`;
    handle.dataset.along = host.wish.along;
    const shown = held === null ? host.wish.label : said(held);
    handle.querySelector("span").textContent = shown;
    handle.setAttribute("aria-label", host.wish.title);
    handle.setAttribute("aria-valuetext", shown);
    handle.setAttribute("aria-valuenow", String(value()));
    handle.setAttribute("aria-orientation", host.wish.along === "x" ? "horizontal" : "vertical");
    track.style.cssText = `left:${across}px;top:${down}px;width:${x._length}px;height:${y._length}px`;
    track.style.display = held === null ? "none" : "block";
    for (const [name, at] of [["x1", x0], ["y1", y0], ["x2", x1], ["y2", y1]]) {
      line.setAttribute(name, at);
    }
  };

  const said = (at) => `${Number((at * host.wish.factor).toPrecision(3))} ${host.wish.unit}`;

  const move = (at) => {
    if (!(at > 0)) return;
    held = at;
    clearTimeout(settle);
    host.report({ at, held: true });
    place();
  };
  const end = () => {
    if (held === null) return;
    host.report({ at: held, held: false });
    held = null;
  };

  // The line moves as far as the pointer does, even if the page moves the chart meanwhile.
  handle.addEventListener("pointerdown", (event) => {
    const both = axes();
    if (!both) return;
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    const [a, b] = ends(...both)[1];
    grip = { a: both[0].d2p(a) - event.clientX, b: both[1].d2p(b) - event.clientY };
    held = value();
    place();
  });
  handle.addEventListener("pointermove", (event) => {
    const both = held === null ? null : axes();
    if (!both || !handle.hasPointerCapture(event.pointerId)) return;
    const [x, y] = both;
    const within = (at, axis) => Math.min(Math.max(at, 0), axis._length);
    const a = x.p2d(within(event.clientX + grip.a, x));
    const b = y.p2d(within(event.clientY + grip.b, y));
    move({ x: a, y: b, slope: a / b }[host.wish.along]);
  });
  for (const name of ["pointerup", "pointercancel"]) handle.addEventListener(name, end);
  handle.addEventListener("keydown", (event) => {
    const way = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[event.key];
    const both = axes();
    if (!way || !both) return;
    event.preventDefault();
    const [x, y] = both;
    const span = (axis) => Math.abs(axis.range[1] - axis.range[0]) / STEPS;
    const step = { x: span(x), y: span(y), slope: value() / STEPS }[host.wish.along];
    move(value() + way * step);
    settle = setTimeout(end, SETTLED_MS);
  });
  return place;
}
