// A curve of exploitability over iterations, both on logarithmic scales.

import { draw, make, put } from "./studio.js";

const WIDTH = 560;
const HEIGHT = 240;
const EDGE = { left: 62, right: 12, top: 12, bottom: 34 };

/** Draw points [iterations, seconds, exploitability] into an element; it is empty where there are fewer than two. */
export function draw_curve(element, points, unit) {
  const shown = points.filter(([iterations, , value]) => iterations > 0 && value > 0);
  if (shown.length < 2) {
    put(element);
    return;
  }
  const [low_x, high_x] = find_decades(shown.map(([iterations]) => iterations));
  const [low_y, high_y] = find_decades(shown.map(([, , value]) => value));
  const x = (value) => EDGE.left + ((Math.log10(value) - low_x) / (high_x - low_x)) * (WIDTH - EDGE.left - EDGE.right);
  const y = (value) => HEIGHT - EDGE.bottom - ((Math.log10(value) - low_y) / (high_y - low_y)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const path = shown.map(([iterations, , value], index) => `${index ? "L" : "M"}${x(iterations).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const [last_iterations, seconds, last] = shown.at(-1);
  const words = `Exploitability ${last.toPrecision(3)} ${unit} after ${last_iterations.toLocaleString("en")} iterations, ${seconds.toFixed(1)} s`;
  put(
    element,
    draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "img", "aria-label": words },
      list_decades(low_y, high_y).map((decade) => [
        draw("line", { class: "rule", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(10 ** decade), y2: y(10 ** decade) }),
        draw("text", { class: "axis", x: EDGE.left - 8, y: y(10 ** decade) + 4, "text-anchor": "end" }, show_decade(decade)),
      ]),
      list_decades(low_x, high_x).map((decade) => draw("text", { class: "axis", x: x(10 ** decade), y: HEIGHT - EDGE.bottom + 18, "text-anchor": "middle" }, show_decade(decade))),
      draw("path", { class: "line", d: path }),
      draw("circle", { class: "tip-of-line", cx: x(last_iterations), cy: y(last), r: 4 })),
    make("p", { class: "small soft" }, words),
  );
}

function find_decades(values) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.ceil(Math.log10(Math.max(...values)));
  return [low, Math.max(high, low + 1)];
}

/** At most seven labels. */
function list_decades(low, high) {
  const step = Math.ceil((high - low) / 6);
  const decades = [];
  for (let decade = low; decade <= high; decade += step) decades.push(decade);
  return decades;
}

const show_decade = (decade) => (decade >= 0 && decade <= 3 ? String(10 ** decade) : decade < 0 && decade >= -3 ? (10 ** decade).toFixed(-decade) : `1e${decade}`);
