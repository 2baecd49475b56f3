// What the editor says about words: their meaning, where they are defined, new names, completions, the layout. The server
// answers as `veil lsp` does. It counts characters, the browser 16-bit units: `to_chars` and `to_units` turn one into the other.

import { ask, make, put } from "./studio.js";

const REST = 400; // milliseconds that the pointer rests on a word before it is explained
const FAR = 40; // pixels from the right edge at which a note is moved to the left

const to_chars = (text, units) => [...text.slice(0, units)].length;
const to_units = (text, chars) => [...text].slice(0, chars).join("").length;

export class WordTools {
  constructor(editor, note) {
    this.editor = editor;
    this.note = note;
    this.chosen = 0;
    this.options = [];
    this.asked = 0; // number of the newest question: older answers are dropped
    const { text } = editor;
    text.addEventListener("keydown", (event) => this.press(event), true); // before a new line is indented
    text.addEventListener("input", () => this.close());
    text.addEventListener("scroll", () => this.close());
    text.addEventListener("mousedown", () => this.close());
    text.addEventListener("mousemove", (event) => this.rest(event));
    text.addEventListener("mouseleave", () => clearTimeout(this.timer));
  }

  async question(what, units, more = {}) {
    const text = this.editor.value;
    const number = ++this.asked;
    const answer = await ask("/workbench/word", { text, what, offset: to_chars(text, units), ...more });
    return number === this.asked && text === this.editor.value ? answer : null;
  }

  /** Ask, and show what the server refuses beside the word. */
  async about(what, units, show, more = {}) {
    try {
      const answer = await this.question(what, units, more);
      if (answer) show(answer);
    } catch (error) {
      this.show(units, make("p", {}, error.message));
    }
  }

  get cursor() {
    return this.editor.text.selectionStart;
  }

  explain(units = this.cursor, is_asked = true) {
    return this.about("explain", units, ({ text, word }) => {
      if (text) this.show(units, text.split("\n").filter((line) => line).map((line) => make("p", {}, line)));
      else if (is_asked) this.show(units, make("p", {}, word ? `Nothing is known about ${word} while the rules are no game.` : "There is no word at the cursor."));
    });
  }

  define() {
    return this.about("define", this.cursor, ({ begin }) => {
      if (begin === null) return this.show(this.cursor, make("p", {}, "Nothing here defines this word."));
      const before = this.editor.value.slice(0, to_units(this.editor.value, begin));
      this.editor.go_to(before.split("\n").length, before.length - before.lastIndexOf("\n"));
    });
  }

  rename() {
    const units = this.cursor;
    const field = make("input", { type: "text", "aria-label": "New name", size: "24", spellcheck: "false", autocomplete: "off" });
    const said = make("p", { role: "alert" });
    field.addEventListener("keydown", async (event) => {
      if (event.key === "Escape") this.leave();
      if (event.key !== "Enter") return;
      event.preventDefault();
      try {
        const answer = await this.question("rename", units, { new: field.value });
        if (answer) this.change(answer.changes, units);
      } catch (error) {
        put(said, error.message);
      }
    });
    this.show(units, make("p", {}, "New name, then Enter:"), field, said);
    field.focus();
  }

  complete() {
    return this.about("complete", this.cursor, ({ begin, words }) => {
      if (!words.length) return this.show(this.cursor, make("p", {}, "No word begins like this."));
      const first = to_units(this.editor.value, begin);
      this.options = words.map(({ word }) => ({ word, first }));
      this.chosen = 0;
      this.show(first, words.map(({ word, detail }, number) => make("button", { type: "button", class: "option", role: "option", tabindex: "-1", onmousedown: (event) => { event.preventDefault(); this.take(number); } }, word, make("small", {}, detail))));
      this.note.setAttribute("role", "listbox");
      this.mark();
      this.editor.text.focus();
    });
  }

  layout() {
    return this.about("layout", this.cursor, ({ text }) => {
      if (text !== this.editor.value) this.editor.replace(0, this.editor.value.length, text);
    });
  }

  /** The changes of a new name, as one step that can be taken back; the cursor stays at its word. */
  change(changes, units) {
    const chars = [...this.editor.value];
    const place = to_chars(this.editor.value, units);
    let text = "", end = 0, cursor = place;
    for (const each of changes) {
      text += chars.slice(end, each.begin).join("") + each.new;
      if (each.end <= place) cursor += [...each.new].length - (each.end - each.begin);
      end = each.end;
    }
    text += chars.slice(end).join("");
    this.editor.replace(0, this.editor.value.length, text);
    const now = to_units(text, cursor);
    this.editor.text.setSelectionRange(now, now);
    this.close();
  }

  take(number) {
    const { word, first } = this.options[number];
    this.editor.replace(first, this.cursor, word);
    this.close();
  }

  mark() {
    [...this.note.children].forEach((each, number) => each.setAttribute("aria-selected", String(number === this.chosen)));
    this.note.children[this.chosen]?.scrollIntoView({ block: "nearest" });
  }

  press(event) {
    const count = this.options.length;
    if (event.key === "Escape") this.close();
    else if (event.key === "F2") this.rename();
    else if (event.key === "F12") this.define();
    else if (event.key === " " && event.ctrlKey) this.complete();
    else if (count && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      this.chosen = (this.chosen + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
      this.mark();
    } else if (count && (event.key === "Enter" || event.key === "Tab")) this.take(this.chosen);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Explain the word on which the pointer rests. */
  rest(event) {
    clearTimeout(this.timer);
    if (this.options.length || this.note.querySelector("input")) return;
    const { clientX, clientY, buttons } = event;
    this.timer = setTimeout(() => {
      const units = this.editor.offset_at(clientX, clientY);
      if (units === null || buttons) this.close();
      else this.explain(units, false);
    }, REST);
  }

  show(units, ...parts) {
    this.note.setAttribute("role", "status");
    put(this.note, ...parts);
    this.note.hidden = false;
    const { x, y } = this.editor.place_of(units);
    const paper = this.note.parentElement;
    const left = Math.min(x, paper.clientWidth - this.note.offsetWidth - FAR);
    const line = this.editor.measure().height;
    const above = y - line - this.note.offsetHeight;
    this.note.style.left = `${Math.max(4, left)}px`;
    this.note.style.top = `${y + this.note.offsetHeight > paper.clientHeight && above > 0 ? above : y}px`;
  }

  close() {
    this.asked += 1; // an answer that is under way is not shown any more
    this.options = [];
    this.note.hidden = true;
    put(this.note);
  }

  leave() {
    this.close();
    this.editor.text.focus();
  }
}
