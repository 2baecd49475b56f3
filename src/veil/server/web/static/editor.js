// A text area with coloured words, line numbers and messages in their lines. The text area is a plain one on top; the
// colours are drawn below it, so everything that works in a text area works here.

import { make, put } from "./studio.js";

const WORDS = /;[^\n]*|\?[A-Za-z0-9_]+|"[^"\n]*"|[()]|<=|:-|[^\s()?;"]+/g;
const KEYWORDS = new Set(["role", "init", "legal", "next", "sees", "goal", "terminal", "does", "true", "not", "distinct", "or", "<=", ":-", "random"]);

export class Editor {
  constructor({ text, ink, gutter, changed }) {
    this.text = text;
    this.ink = ink;
    this.gutter = gutter;
    this.problems = [];
    text.addEventListener("input", () => {
      this.problems = [];
      this.redraw();
      changed();
    });
    text.addEventListener("scroll", () => this.follow());
    text.addEventListener("keydown", (event) => this.indent(event));
    this.redraw();
  }

  get value() {
    return this.text.value;
  }

  set value(value) {
    this.text.value = value;
    this.problems = [];
    this.redraw();
  }

  /** Show messages in the lines that they point at. */
  mark(problems) {
    this.problems = problems.filter((entry) => entry.line);
    this.redraw();
  }

  go_to(line, column) {
    const before = this.value.split("\n").slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    const place = before + Math.max(0, (column ?? 1) - 1);
    this.text.focus();
    this.text.setSelectionRange(place, place);
    const height = this.text.scrollHeight / Math.max(1, this.value.split("\n").length);
    this.text.scrollTop = Math.max(0, height * (line - 6));
  }

  /** Replace a part of the text, so that the browser can take it back (Ctrl+Z). */
  replace(begin, end, words) {
    this.text.focus();
    this.text.setSelectionRange(begin, end);
    if (!document.execCommand("insertText", false, words)) {
      this.text.setRangeText(words, begin, end, "end");
      this.text.dispatchEvent(new Event("input"));
    }
  }

  /** Where a character stands, in pixels inside the paper. */
  place_of(offset) {
    const before = this.value.slice(0, offset).split("\n");
    const { width, height, padding } = this.measure();
    return { x: padding + width * columns_of(before[before.length - 1]) - this.text.scrollLeft, y: padding + height * before.length - this.text.scrollTop };
  }

  /** The number of the character at a point of the window; null beside the text. */
  offset_at(x, y) {
    const frame = this.text.getBoundingClientRect();
    const { width, height, padding } = this.measure();
    const row = Math.floor((y - frame.top - padding + this.text.scrollTop) / height);
    const column = Math.floor((x - frame.left - padding + this.text.scrollLeft) / width);
    const lines = this.value.split("\n");
    if (row < 0 || row >= lines.length || column < 0) return null;
    let place = 0;
    while (place < lines[row].length && columns_of(lines[row].slice(0, place + 1)) <= column) place += 1;
    if (place >= lines[row].length) return null;
    return lines.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0) + place;
  }

  measure() {
    const style = getComputedStyle(this.text);
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    return { width: pen.measureText("0".repeat(100)).width / 100, height: parseFloat(style.lineHeight), padding: parseFloat(style.paddingTop) };
  }

  follow() {
    this.ink.style.transform = `translate(${-this.text.scrollLeft}px, ${-this.text.scrollTop}px)`;
    this.gutter.style.transform = `translateY(${-this.text.scrollTop}px)`;
  }

  redraw() {
    const lines = this.value.split("\n");
    const by_line = new Map();
    for (const entry of this.problems) by_line.set(entry.line, [...(by_line.get(entry.line) ?? []), entry]);
    put(this.ink, lines.map((line, index) => draw_line(line, by_line.get(index + 1) ?? [])));
    put(this.gutter, lines.map((_, index) => {
      const worst = by_line.get(index + 1)?.[0]?.severity;
      return make("div", { class: worst ? `at ${worst}` : null }, index + 1);
    }));
    this.follow();
  }

  /** A new line begins as deep as the one before it. */
  indent(event) {
    if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey) return;
    const before = this.value.slice(0, this.text.selectionStart);
    const [space] = before.slice(before.lastIndexOf("\n") + 1).match(/^[ \t]*/);
    if (!space) return;
    event.preventDefault();
    this.text.setRangeText(`\n${space}`, this.text.selectionStart, this.text.selectionEnd, "end");
    this.text.dispatchEvent(new Event("input"));
  }
}

/** How wide a line is, in characters; a tab goes to the next multiple of 4. */
function columns_of(line) {
  let width = 0;
  for (const char of line) width = char === "\t" ? (Math.floor(width / 4) + 1) * 4 : width + 1;
  return width;
}

function draw_line(line, problems) {
  const parts = [];
  let end = 0;
  for (const found of line.matchAll(WORDS)) {
    if (found.index > end) parts.push(line.slice(end, found.index));
    parts.push(draw_word(found[0], found.index + 1, problems));
    end = found.index + found[0].length;
  }
  if (end < line.length) parts.push(line.slice(end));
  const notes = problems.map((entry) => make("span", { class: `note-in-line ${entry.severity}` }, entry.message));
  return make("div", { class: problems.length ? `line ${problems[0].severity}` : "line" }, parts.length ? parts : "\u200b", notes);
}

function draw_word(word, column, problems) {
  const hit = problems.find((entry) => entry.column >= column && entry.column < column + word.length);
  const kind = word[0] === ";" ? "comment" : word[0] === "?" ? "variable" : word === "(" || word === ")" ? "paren" : KEYWORDS.has(word.toLowerCase()) ? "keyword" : "";
  return kind || hit ? make("span", { class: `${kind}${hit ? ` wrong ${hit.severity}` : ""}` }, word) : word;
}
