// A value function with handles on both thresholds, to drag or to move by the arrow keys.
const WIDE = 460, HIGH = 220, LEFT = 44, RIGHT = 14, TOP = 16, BELOW = 40;
const SETTLED_MS = 600;
const STEPS = 100;
const SVG = "http://www.w3.org/2000/svg";

export default function (component) {
  const host = component.parentElement;
  host.told = component.data;
  host.report = reporting(host, "moved", component);
  host.draw ??= begin(host);
  host.draw();
}

function begin(host) {
  const picture = host.querySelector("svg");
  const grips = [...host.querySelectorAll(".grip")];
  let held = null;
  let settle = 0;

  const across = (x) => LEFT + (x / host.told.end) * (WIDE - LEFT - RIGHT);
  const down = (y) => TOP + (1 - y) * (HIGH - TOP - BELOW);
  const now = () => held ?? host.told.at;
  const within = (value, low, high) => Math.min(Math.max(value, low), high);
  const add = (parent, kind, look, text) => {
    const one = document.createElementNS(SVG, kind);
    for (const [name, value] of Object.entries(look)) one.setAttribute(name, value);
    if (text !== undefined) one.textContent = text;
    parent.append(one);
    return one;
  };
  // What lies beyond the end of the axis is not drawn.
  const path = ([soft, hard, least]) => {
    const end = host.told.end;
    const at = (x) => (hard > soft ? 1 - ((1 - least) * (x - soft)) / (hard - soft) : least);
    const points = [[0, 1], [Math.min(soft, end), 1]];
    if (hard < end) points.push([hard, least], [hard, 0], [end, 0]);
    else if (soft < end) points.push([end, at(end)]);
    return `M${points.map(([x, y]) => `${across(x)},${down(y)}`).join(" L")}`;
  };
  const said = (value) => `${Number(value.toPrecision(3))} ${host.told.unit}`;

  const draw = () => {
    if (!host.isConnected) return;
    const [soft, hard, least] = now();
    const drawing = picture.querySelector("g");
    drawing.replaceChildren();
    for (const share of [0, 0.5, 1]) {
      const y = down(share);
      add(drawing, "line", { class: "grid", x1: LEFT, x2: WIDE - RIGHT, y1: y, y2: y });
      add(drawing, "text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, `${100 * share} %`);
    }
    for (const tick of host.told.ticks) {
      const x = across(tick);
      add(drawing, "text", { x, y: HIGH - BELOW + 16, "text-anchor": "middle" }, String(tick));
    }
    const middle = (LEFT + WIDE - RIGHT) / 2;
    add(drawing, "text", { x: middle, y: HIGH - 6, "text-anchor": "middle" }, host.told.title);
    for (const line of host.told.lines) add(drawing, "path", { class: "other", d: path(line) });
    add(drawing, "path", { class: "own", d: path([soft, hard, least]) });
    const words = [`full until ${said(soft)}`, `nothing from ${said(hard)}`];
    const places = [[soft, 1], [hard, least]];
    grips.forEach((grip, which) => {
      const [x, y] = places[which];
      grip.style.left = `${(100 * across(x)) / WIDE}%`;
      grip.style.top = `${(100 * down(y)) / HIGH}%`;
      grip.setAttribute("aria-label", `${host.told.title}: ${which ? "hard" : "soft"} threshold`);
      const whole = which ? `${words[1]}; ${Math.round(100 * least)} % just before` : words[0];
      grip.setAttribute("aria-valuetext", whole);
      grip.setAttribute("aria-valuenow", String(x));
      grip.title = whole;
    });
    host.querySelector(".said").textContent = `${words[0]}, ${Math.round(100 * least)} % just before, ${words[1]}`;
  };

  const move = (which, x, y) => {
    const [soft, hard, least] = now();
    const end = host.told.end;
    held = which
      ? [Math.min(soft, x), within(x, end / STEPS, end), within(y, 0, 1)]
      : [within(x, 0, hard), hard, least];
    draw();
  };
  const end = () => {
    if (held === null) return;
    const [soft, hard, least] = held;
    host.report({ soft, hard, least });
    held = null;
  };

  grips.forEach((grip, which) => {
    grip.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      grip.focus();
      grip.setPointerCapture(event.pointerId);
    });
    grip.addEventListener("pointermove", (event) => {
      if (!grip.hasPointerCapture(event.pointerId)) return;
      const frame = picture.getBoundingClientRect();
      const x = ((event.clientX - frame.left) / frame.width) * WIDE;
      const y = ((event.clientY - frame.top) / frame.height) * HIGH;
      const share = 1 - (y - TOP) / (HIGH - TOP - BELOW);
      move(which, within(((x - LEFT) / (WIDE - LEFT - RIGHT)) * host.told.end, 0, host.told.end), share);
    });
    for (const name of ["pointerup", "pointercancel"]) grip.addEventListener(name, end);
    grip.addEventListener("keydown", (event) => {
      const [x, y] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [0, 0];
      if (!x && !(y && which)) return;
      event.preventDefault();
      const [soft, hard, least] = now();
      move(which, (which ? hard : soft) + (x * host.told.end) / STEPS, least + y / STEPS);
      clearTimeout(settle);
      settle = setTimeout(end, SETTLED_MS);
    });
  });
  return draw;
}
