// The page of games: pictures as cards come into view, a search, files that somebody opens.

import { BoardView } from "./board.js";
import { ask, by_id, make, plain_problem, put, Refusal, show_problems } from "./studio.js";

const LARGEST = 1_000_000; // bytes of a file
const MOST_AT_ONCE = 3;
const waiting = [];
let running = 0;

/** Ask for pictures a few at a time, in the order in which cards come into view. */
function ask_for_pictures() {
  while (running < MOST_AT_ONCE && waiting.length) {
    running += 1;
    show_picture(waiting.shift()).finally(() => {
      running -= 1;
      ask_for_pictures();
    });
  }
}

async function show_picture(card) {
  const frame = card.querySelector(".picture");
  try {
    const picture = await ask(`/games/picture?game=${encodeURIComponent(card.dataset.game)}`);
    frame.title = picture.caption;
    const scene = picture.scene;
    const grids = scene.boards.filter((board) => board.kind === "grid");
    const narrow = scene.boards.slice(0, 2).reduce((sum, board) => sum + board.columns.length, 0) <= 8;
    const shown = grids.length ? grids.slice(0, 2) : scene.boards.slice(0, narrow ? 2 : 1);
    if (shown.length) new BoardView(frame, { compact: true }).show({ boards: shown, badges: [] });
    else new BoardView(frame, { compact: true }).show({ boards: [], badges: scene.badges.slice(0, 4) });
  } catch {
    put(frame, make("span", { class: "soft small" }, "no picture"));
  }
}

const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    watcher.unobserve(entry.target);
    waiting.push(entry.target);
  }
  ask_for_pictures();
}, { rootMargin: "200px" });

function search() {
  const words = by_id("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const card of by_id("catalogue").children) {
    const text = `${card.dataset.game} ${card.textContent}`.toLowerCase();
    const { level, people, tags } = card.dataset;
    const fits = (id, value) => !by_id(id).value || value.split(",").includes(by_id(id).value);
    card.hidden = !words.every((word) => text.includes(word)) || !fits("level", level) || !fits("people", people) || !fits("tag", tags);
    if (!card.hidden) found += 1;
  }
  put(by_id("found"), words.length || ["level", "people", "tag"].some((id) => by_id(id).value) ? `${found} found` : "");
}

async function open_file(event) {
  const [file] = event.target.files;
  if (!file) return;
  try {
    if (file.size > LARGEST) throw new Refusal([plain_problem("this file is too large", "rules of up to 1 MB can be opened here")]);
    const name = file.name.replace(/\.[^.]*$/, "").replace(/[^A-Za-z0-9_.-]+/g, "_").replace(/^[.-]+/, "").slice(0, 60) || "game";
    sessionStorage.setItem("opened", JSON.stringify({ name, text: await file.text() })); // nothing is saved until somebody says so
    location.assign("/workbench#opened");
  } catch (error) {
    show_problems(by_id("problems"), error);
  }
}

async function remove(button) {
  const name = button.dataset.delete;
  if (!confirm(`Delete ${name}?`)) return;
  try {
    await ask("/workbench/delete", { name });
    button.closest(".game").remove();
  } catch (error) {
    show_problems(by_id("problems"), error);
  }
}

document.querySelectorAll(".game").forEach((card) => watcher.observe(card));
document.querySelectorAll("[data-delete]").forEach((button) => button.addEventListener("click", () => remove(button)));
by_id("search").addEventListener("input", search);
for (const id of ["level", "people", "tag"]) by_id(id).addEventListener("change", search);
by_id("upload").addEventListener("change", open_file);
