// Draws a scene: boards and badges with pieces, each as solid as it is likely. Cells that make a move are buttons.
//
// new BoardView(element, { choose }) draws into the element; view.show(scene, choices) replaces what is there.
// `choose(choice)` is called when somebody has made a move by its cells.

import { draw, make, percent, put } from "./studio.js";

const UNIT = 56; // of a cell
const EDGE = 26; // for labels
const LARGEST = 2.6; // times a cell may grow on a large screen
const LARGE_ROW = 1.25; // times a row beside grids may grow
const LARGEST_ROW = 1.7; // and rows alone
const SHARE_OF_HEIGHT = 0.6; // of the window that a board may fill
const ROLE_TONES = new Set(["first", "second", "third", "fourth", "fifth", "sixth"]);
const MIN_OPACITY = 0.22;
const FEW = 4; // pieces of a cell in two rows
const MOST_IN_CELL = 9; // and in three
const WALLS = { north: [0, 0, 1, 0], south: [0, 1, 1, 1], west: [0, 0, 0, 1], east: [1, 0, 1, 1] }; // from and to, in cells
const LONG_TITLE = 18;
const SUIT = /[♠♥♦♣]/; // a card
const LONGEST_WORD = 10; // letters of a word that is written out in a hand

export class BoardView {
  constructor(element, { choose = null, compact = false } = {}) {
    this.element = element;
    this.choose = choose;
    this.compact = compact;
    this.from = null; // the cell that was clicked first, of a move from a cell to a cell
    this.scene = null;
    this.choices = [];
    this.tip = make("div", { class: "tip", role: "status" });
    this.percents = false; // whether probabilities are written at their pieces
  }

  show(scene, choices = []) {
    this.scene = scene;
    this.choices = choices;
    this.from = null;
    this.redraw();
  }

  redraw() {
    const focused = this.element.contains(document.activeElement) ? document.activeElement.getAttribute("data-cell") : null;
    const targets = this.find_targets();
    put(
      this.element,
      make("div", { class: "boards" }, this.scene.boards.map((board) => this.draw_board(board, targets))),
      this.scene.badges.length ? make("dl", { class: "badges" }, this.scene.badges.map(draw_badge)) : null,
      this.compact ? null : this.tip,
    );
    this.tip.classList.remove("shown");
    if (focused) this.element.querySelector(`[data-cell="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Cell name -> the choices that a click on it makes or begins. */
  find_targets() {
    const targets = new Map();
    const add = (cell, choice) => targets.set(cell, [...(targets.get(cell) ?? []), choice]);
    for (const choice of this.choices) {
      if (choice.cells.length === 0) continue;
      if (choice.cells.length === 1) {
        if (this.from === null) [choice.cells[0], ...choice.same].forEach((cell) => add(cell, choice));
      } else if (this.from === null) add(choice.cells[0], choice);
      else if (choice.cells[0] === this.from) add(choice.cells[1], choice);
    }
    if (this.from !== null && !targets.has(this.from)) targets.set(this.from, []);
    return targets;
  }

  click(name) {
    const found = this.find_targets().get(name) ?? [];
    if (this.from === name && found.length === 0) this.from = null;
    else if (this.from === null && found.some((choice) => choice.cells.length === 2)) this.from = name;
    else if (found.length === 1) {
      this.choose(found[0]);
      return;
    } else if (found.length > 1) {
      this.offer(name, found);
      return;
    }
    this.redraw();
  }

  /** Several moves mean the same cells: let somebody say which. */
  offer(name, found) {
    const dialog = make(
      "div",
      { class: "which", role: "group", "aria-label": "Which move?" },
      make("p", {}, "Which move?"),
      found.map((choice) => make("button", { class: "slim", type: "button", onclick: () => this.choose(choice) }, choice.words)),
      make("button", { class: "slim plain", type: "button", onclick: () => { this.from = null; this.redraw(); } }, "none"),
    );
    this.element.querySelector(".which")?.remove();
    this.element.append(dialog);
    dialog.querySelector("button").focus();
  }

  draw_board(board, targets) {
    const layout = lay_out(board);
    const { width, height } = layout;
    const scale = this.compact ? 1 : this.find_scale(board, layout);
    const picture = draw("svg", {
      viewBox: `0 0 ${width} ${height}`,
      class: `board ${board.kind}${this.compact ? " compact" : ""}`,
      width: Math.round(width * scale),
      height: Math.round(height * scale),
      role: this.compact ? "img" : "group",
      "aria-label": describe_board(board, this.compact),
    });
    const exists = board.cells.filter((cell) => cell.exists);
    const first = exists.find((cell) => targets.has(cell.name));
    for (const cell of exists) picture.append(this.draw_cell(board, cell, layout, targets, cell === first));
    if (!this.compact || board.kind !== "grid") picture.append(...draw_labels(board, layout));
    if (!this.compact) picture.addEventListener("keydown", (event) => this.steer(event, picture));
    const title = this.scene.boards.length > 1 || board.kind !== "grid";
    return make("figure", { class: `board-frame ${board.kind}` }, title ? make("figcaption", {}, board.title) : null, picture);
  }

  /** How much larger than its own size a board is drawn, so that it fills its place and stays in the window. */
  find_scale(board, { width, height }) {
    const grids = this.scene.boards.filter((other) => other.kind === "grid").length;
    const room = this.element.clientWidth || width;
    if (board.kind !== "grid") return Math.max(1, Math.min(grids ? LARGE_ROW : LARGEST_ROW, room / width));
    const wide = (grids > 1 && room > 640 ? room / 2 - 24 : room) / width;
    const most = grids > 1 ? LARGEST / 1.5 : LARGEST;
    return Math.max(1, Math.min(most, wide, (SHARE_OF_HEIGHT * window.innerHeight) / height));
  }

  draw_cell(board, cell, layout, targets, is_first) {
    const [x, y] = layout.place(cell);
    const is_target = targets.has(cell.name);
    const label = describe_cell(cell, targets.get(cell.name) ?? []);
    const group = draw("g", {
      class: `cell${(cell.row + cell.column) % 2 ? " alt" : ""}${is_target ? " target" : ""}${this.from === cell.name ? " from" : ""}`,
      transform: `translate(${x} ${y})`,
      "data-cell": cell.name,
      "data-label": cell.label,
      role: is_target ? "button" : null,
      tabindex: is_target ? (is_first ? 0 : -1) : null,
      "aria-label": is_target ? label : null,
      "aria-pressed": is_target && this.from !== null ? String(this.from === cell.name) : null,
    });
    group.append(draw_ground(board, layout));
    group.append(...draw_pieces(cell.pieces, layout, board.kind, this.percents && !this.compact));
    if (is_target) group.append(layout.hex ? draw_hexagon("ring", 0.86) : draw("rect", { class: "ring", x: 3, y: 3, width: layout.cell_width - 6, height: UNIT - 6, rx: 6 }));
    if (!this.compact) {
      group.addEventListener("pointerenter", () => this.tell(label));
      group.addEventListener("focus", () => this.tell(label));
      group.addEventListener("pointerleave", () => this.tip.classList.remove("shown"));
      if (is_target) group.addEventListener("click", () => this.click(cell.name));
    } else if (cell.pieces.length) group.append(draw("title", {}, label));
    return group;
  }

  tell(label) {
    this.tip.textContent = label;
    this.tip.classList.add("shown");
  }

  /** Arrows go from button to button, Enter and Space press. */
  steer(event, picture) {
    const here = event.target.closest?.("[role=button]");
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.click(here.getAttribute("data-cell"));
      return;
    }
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Escape" && this.from !== null) {
      this.from = null;
      this.redraw();
      return;
    }
    if (!step) return;
    event.preventDefault();
    const next = nearest(here, [...picture.querySelectorAll("[role=button]")], step);
    if (next) {
      here.setAttribute("tabindex", -1);
      next.setAttribute("tabindex", 0);
      next.focus();
    }
  }
}

/** The button that is next in a direction. */
function nearest(here, buttons, [right, down]) {
  const middle = (node) => {
    const box = node.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(here);
  let best = null;
  let least = Infinity;
  for (const button of buttons) {
    if (button === here) continue;
    const [their_x, their_y] = middle(button);
    const along = (their_x - x) * right + (their_y - y) * down;
    const aside = Math.abs((their_x - x) * down) + Math.abs((their_y - y) * right);
    if (along > 1 && along + 3 * aside < least) {
      least = along + 3 * aside;
      best = button;
    }
  }
  return best;
}

/** Sizes of a board and the places of its cells. */
function lay_out(board) {
  const row_words = Math.max(0, ...board.rows.map((label) => label.length));
  const left = row_words ? Math.min(120, Math.max(EDGE, 10 + 7.5 * row_words)) : 4;
  const bottom = board.columns.some((label) => label) ? EDGE : 4;
  const crowd = Math.max(1, ...board.cells.map((cell) => cell.pieces.length));
  const step = hand_step(board.cells.flatMap((cell) => cell.pieces));
  const cell_width = board.kind === "hand" ? Math.max(2 * UNIT, Math.min(10 * UNIT, crowd * step)) : UNIT;
  const shift = board.shape === "hex" ? board.shift : null;
  const most = shift ? Math.max(...shift) : 0;
  const row_height = shift ? UNIT * 0.87 : UNIT + (board.kind === "grid" ? 0 : 6);
  return {
    left,
    cell_width,
    row_height,
    width: left + cell_width * (board.columns.length + most) + 4,
    height: 4 + row_height * (board.rows.length - 1) + UNIT + bottom,
    hex: Boolean(shift),
    place: (cell) => [left + cell_width * (cell.column + (shift ? shift[cell.row] : 0)), 4 + row_height * cell.row],
  };
}

/** How far apart the pieces of a hand are: as their words need it. */
function hand_step(pieces) {
  return Math.max(UNIT * 0.7, 18 + 8.5 * Math.max(0, ...pieces.map((piece) => sign_of(piece, true).length)));
}

/** What is written for a piece: its sign, or in a hand its word, where that is short. */
function sign_of(piece, in_full) {
  return in_full && piece.form !== "disc" && piece.glyph.length > 1 && !SUIT.test(piece.glyph) && piece.label.length <= LONGEST_WORD ? piece.label : piece.glyph || (piece.form === "disc" ? "" : piece.label);
}

function draw_ground(board, layout) {
  if (layout.hex) return draw_hexagon("ground", 1);
  const inset = board.kind === "grid" ? 0.5 : 2;
  return draw("rect", { class: "ground", x: inset, y: inset, width: layout.cell_width - 2 * inset, height: UNIT - 2 * inset, rx: board.kind === "grid" ? 2 : 8 });
}

/** The outline of a hexagonal cell, or one inside of it. */
function draw_hexagon(kind, share) {
  const half = UNIT / 2;
  const [wide, tall] = [half * share, UNIT * 0.58 * share];
  const points = [[0, -tall], [wide, -tall / 2], [wide, tall / 2], [0, tall], [-wide, tall / 2], [-wide, -tall / 2]];
  return draw("polygon", { class: kind, points: points.map(([x, y]) => `${(half + x).toFixed(1)},${(half + y).toFixed(1)}`).join(" ") });
}

function draw_labels(board, layout) {
  const below = 4 + layout.row_height * (board.rows.length - 1) + UNIT + 17;
  const rows = board.rows.map((label, row) =>
    label ? draw("text", { class: "axis", x: layout.left - 8, y: 4 + layout.row_height * row + UNIT / 2 + 5, "text-anchor": "end" }, cut(label)) : null);
  const columns = board.columns.map((label, column) =>
    label ? draw("text", { class: "axis", x: layout.left + layout.cell_width * (column + 0.5), y: below, "text-anchor": "middle" }, cut(label, 8)) : null);
  return [...rows, ...columns].filter(Boolean);
}

const cut = (text, longest = LONG_TITLE) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

/** The pieces of a cell: one in its middle, several beside each other, marks in a corner. */
function draw_pieces(pieces, { cell_width: width, hex }, kind, percents) {
  const marks = pieces.filter((piece) => piece.form === "mark");
  const walls = pieces.filter((piece) => piece.form in WALLS);
  const main = pieces.filter((piece) => piece.form !== "mark" && !(piece.form in WALLS));
  const shown = kind === "hand" ? main.slice(0, 10) : main.slice(0, main.length > MOST_IN_CELL ? MOST_IN_CELL - 1 : MOST_IN_CELL);
  const step = hand_step(shown);
  const seats = kind === "hand" ? shown.length : Math.min(main.length, MOST_IN_CELL);
  const places = shown.map((piece, index) => seat(index, seats, width, kind, step));
  if (kind === "hand") { // words of one size: a smaller one looks less likely
    const least = Math.min(...shown.map((piece, index) => fit(sign_of(piece, true), places[index].size * size_of(sign_of(piece, true)), places[index].most)));
    for (const place of places) place.fitted = least;
  }
  const drawn = shown.map((piece, index) => draw_piece(piece, places[index], kind === "hand", percents));
  if (main.length > shown.length) {
    const rest = `+${main.length - shown.length}`;
    drawn.push(kind === "hand" ? draw("text", { class: "more", x: width - 5, y: UNIT - 5, "text-anchor": "end" }, rest)
      : draw("text", { class: "more", x: width / 2 + 17, y: UNIT / 2 + 20, "text-anchor": "middle" }, rest));
  }
  walls.forEach((piece) => drawn.push(draw_wall(piece, width)));
  marks.slice(0, 3).forEach((piece, index) => drawn.push(draw_piece(piece, hex ? { x: width / 2 + 14 * (index - (Math.min(3, marks.length) - 1) / 2), y: 6, size: 13, most: 12 } : { x: width - 10 - 14 * index, y: 11, size: 16, most: 15 }, false)));
  return drawn;
}

/** Where piece `index` of `count` is drawn, how large, and how wide it may be. */
function seat(index, count, width, kind, step) {
  const middle = UNIT / 2;
  if (kind === "hand") {
    const apart = Math.min(step, width / count);
    return { x: width / 2 + apart * (index - (count - 1) / 2), y: middle, size: 30, most: apart - 10 };
  }
  if (count === 1) return { x: width / 2, y: middle, size: 40, most: UNIT - 8 };
  if (count > FEW) return { x: width / 2 + 17 * ((index % 3) - 1), y: middle + 17 * (Math.floor(index / 3) - 1), size: 16, most: 15 };
  const aside = index % 2 ? 13 : -13;
  if (count === 2) return { x: width / 2 + aside, y: middle, size: 25, most: 24 };
  return { x: width / 2 + aside, y: middle + (index < 2 ? -13 : 13), size: 24, most: 24 };
}

/** A wall on one side of a cell. */
function draw_wall(piece, width) {
  const [x1, y1, x2, y2] = WALLS[piece.form].map((share, index) => share * (index % 2 ? UNIT : width));
  return draw("line", { x1, y1, x2, y2, class: `wall tone-${piece.tone}${piece.chance >= 1 ? "" : " possible"}`,
    opacity: piece.chance >= 1 ? 1 : (MIN_OPACITY + (1 - MIN_OPACITY) * piece.chance).toFixed(3),
    "data-fluent": piece.fluent, "data-chance": piece.chance.toFixed(4) });
}

const size_of = (sign) => (sign.length > 1 ? 0.58 : 0.75);

function draw_piece(piece, { x, y, size, most, fitted = null }, in_full, percents = false) {
  const is_certain = piece.chance >= 1;
  const group = draw("g", {
    class: `piece tone-${piece.tone} form-${piece.form}${is_certain ? "" : " possible"}`,
    opacity: is_certain ? 1 : (MIN_OPACITY + (1 - MIN_OPACITY) * piece.chance).toFixed(3),
    "data-fluent": piece.fluent,
    "data-chance": piece.chance.toFixed(4),
  });
  const sign = sign_of(piece, in_full);
  if (piece.form === "disc") {
    group.append(draw("circle", { cx: x, cy: y, r: size / 2 - 2 }));
    const initial = ROLE_TONES.has(piece.tone) && !piece.glyph ? piece.label.charAt(0).toUpperCase() : sign;
    if (initial) group.append(write(initial, x, y, size * 0.5, size - 8));
  } else group.append(write(sign, x, y, fitted ?? size * (piece.form === "mark" ? 0.8 : size_of(sign)), fitted ? Infinity : most));
  if (!percents || is_certain || piece.form === "mark") return group;
  const number = draw("text", { class: "percent", x, y: (y + Math.min(UNIT / 2 - 3, size * 0.62)).toFixed(1), "text-anchor": "middle" }, short_percent(piece.chance));
  return draw("g", {}, group, number); // the number is not pale
}

const short_percent = (chance) => (chance < 0.005 ? "<1%" : chance > 0.995 ? ">99%" : `${Math.round(100 * chance)}%`);

/** A sample of a piece for a legend. */
export function draw_sample(piece) {
  return draw("svg", { viewBox: "0 0 36 36", width: 28, height: 28, class: "board sample", "aria-hidden": "true" }, draw_piece({ chance: 1, fluent: "", ...piece }, { x: 18, y: 18, size: piece.form === "mark" ? 22 : 30, most: 32 }, false));
}

/** The size of letters at which a text is at most so wide. */
const fit = (text, size, most) => Math.min(size, most / (0.74 * Math.max(1, text.length)));

/** A text around a point, at most so wide. */
function write(text, x, y, size, most) {
  const fitted = fit(text, size, most);
  return draw("text", { x, y: (y + fitted * 0.36).toFixed(1), "font-size": fitted.toFixed(1), "text-anchor": "middle" }, text);
}

function draw_badge(badge) {
  return make(
    "div",
    { class: "badge" },
    make("dt", {}, badge.title),
    badge.pieces.slice(0, 12).map((piece) =>
      make(
        "dd",
        { class: piece.chance >= 1 ? null : "possible", title: piece.chance >= 1 ? null : percent(piece.chance), "data-fluent": piece.fluent, "data-chance": piece.chance.toFixed(4) },
        piece.label && piece.label !== badge.title ? piece.label : "yes",
        piece.chance >= 1 ? null : make("span", { class: "chance" }, percent(piece.chance)),
      ),
    ),
    badge.pieces.length > 12 ? make("dd", { class: "possible" }, `and ${badge.pieces.length - 12} more`) : null,
  );
}

const describe_piece = (piece) => (piece.chance >= 1 ? piece.label : `${piece.label} ${percent(piece.chance)}`);

/** A cell in words: where, what is or may be there, what a click does. */
export function describe_cell(cell, choices) {
  const what = cell.pieces.length ? cell.pieces.map(describe_piece).join(", ") : "empty";
  const moves = choices.map((choice) => choice.words);
  const click = moves.length === 1 ? `; ${moves[0]}` : moves.length > 1 ? `; ${moves.length} moves` : "";
  return `${cell.label}: ${what}${click}`;
}

function describe_board(board, whole) {
  if (!whole) return `${board.title}, ${board.rows.length} by ${board.columns.length}`;
  const filled = board.cells.filter((cell) => cell.pieces.length).map((cell) => describe_cell(cell, []));
  return `${board.title}: ${filled.slice(0, 40).join("; ") || "empty"}`;
}

/** Everything in a scene in words, for people who do not see the picture. */
export function scene_in_words(scene) {
  const cells = scene.boards.flatMap((board) =>
    board.cells.filter((cell) => cell.pieces.length).map((cell) => `${scene.boards.length > 1 ? `${board.title}, ` : ""}${describe_cell(cell, [])}`));
  const badges = scene.badges.map((badge) => `${badge.title}: ${badge.pieces.map(describe_piece).join(", ")}`);
  return [...cells, ...badges];
}
