// A curve of exploitability over iterations, both on logarithmic scales.

import { figure_buttons } from "./figures.js";
import { draw, make, put } from "./studio.js";

const WIDTH = 560;
const HEIGHT = 240;
const EDGE = { left: 62, right: 24, top: 12, bottom: 34 };

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
    make("p", { class: "small soft" }, words, ". ", figure_buttons(element, () => "exploitability")),
  );
}

/** Draw how much the played and the best moves of a game were worth: points [round, played, best], in goals. */
export function draw_values(element, points, payoffs) {
  if (points.length < 2) {
    put(element);
    return;
  }
  const [first, last] = [points[0][0], points.at(-1)[0]];
  const high = 150;
  const x = (round) => EDGE.left + ((round - first) / (last - first)) * (WIDTH - EDGE.left - EDGE.right);
  const y = (value) => EDGE.top + (1 - payoffs.share(value)) * (high - EDGE.top - EDGE.bottom);
  const path = (column) => points.map((point, index) => `${index ? "L" : "M"}${x(point[0]).toFixed(1)} ${y(point[column]).toFixed(1)}`).join("");
  put(element,
    draw("svg", { viewBox: `0 0 ${WIDTH} ${high}`, class: "plot", role: "img", "aria-label": "Worth of the game for you, round by round" },
      [payoffs.low, (payoffs.low + payoffs.high) / 2, payoffs.high].map((value) => [
        draw("line", { class: "rule", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(value), y2: y(value) }),
        draw("text", { class: "axis", x: EDGE.left - 8, y: y(value) + 4, "text-anchor": "end" }, show_axis(payoffs.of(value)))]),
      [first, last].map((round) => draw("text", { class: "axis", x: x(round), y: high - 12, "text-anchor": "middle" }, `round ${round}`)),
      draw("path", { class: "line best", d: path(2) }),
      draw("path", { class: "line", d: path(1) })),
    make("p", { class: "small soft" }, "The worth of the moves you made; the dashed line is that of the best moves."));
}

const show_axis = (value) => String(Number(value.toFixed(2))).replace("-", "−");

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
