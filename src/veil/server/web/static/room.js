// The room of a class: tables, exercises, people and results, looked at every two seconds.

import { BoardView } from "./board.js";
import { Payoffs } from "./payoffs.js";
import { ask, by_id, make, put, show_problems } from "./studio.js";

const PAUSE = 2000; // milliseconds
let before = ""; // the last state, so that nothing is drawn again without a reason
let entering = null; // the tournament that is entered
let watched = null; // the game that is watched
const board = new BoardView(by_id("watched"));

async function attempt(work) {
  try {
    await work();
    show_problems(by_id("problems"), null);
  } catch (error) {
    show_problems(by_id("problems"), error);
  }
}

async function look() {
  try {
    const state = await ask("/room/state");
    const text = JSON.stringify(state);
    if (text !== before) show(state);
    before = text;
    if (watched) await show_watched();
  } catch (error) {
    show_problems(by_id("problems"), error);
  }
  setTimeout(look, PAUSE);
}

function show(state) {
  const going = state.tables.filter((table) => !table.over).sort((one, other) => Number(one.started) - Number(other.started));
  const over = state.tables.filter((table) => table.over);
  put(by_id("tables"), going.length ? going.map((table) => show_table(table)) : make("li", { class: "soft" }, "No table is open."));
  by_id("tables-over").hidden = over.length === 0;
  put(by_id("tables-over-list"), over.map((table) => show_table(table)));
  put(by_id("exercises"), state.exercises.length ? state.exercises.map((entry) => show_exercise(entry, state)) : make("li", { class: "soft" }, "There are none yet."));
  put(by_id("contests"), state.contests.length ? state.contests.map((entry) => show_contest(entry)) : make("li", { class: "soft" }, "There are none yet."));
  show_people(state);
  put(by_id("results"), state.results.length ? make("ul", { class: "people" }, state.results.map((row) => make("li", { class: "row spread result-row" },
    make("span", {}, make("strong", {}, row.name), make("small", { class: "soft" }, ` ${in_words(row.game)} as ${row.role}`)), make("span", {}, tell_result(row))))) : make("p", { class: "soft" }, "Games that are over come here."));
}

/** The name of a game for people: `own:mine` is `mine`, words of bundled games stand apart. */
const in_words = (game) => (game.startsWith("own:") ? game.slice(4) : game.replaceAll("_", " "));

const tell_result = (row) => (row.goal !== null ? row.score : row.what === "the other gave up" ? row.what : "gave up");

/** Who is here, and who was: the host lets people go who will not come back. */
function show_people(state) {
  const shown = (entry) => make("li", { class: entry.away ? "soft" : null }, make("div", { class: "row spread" }, make("span", {}, entry.name, entry.name === state.me ? make("span", { class: "soft" }, " (you)") : null),
    state.is_host && entry.name !== state.me ? make("button", { type: "button", class: "slim plain", "aria-label": `Remove ${entry.name}`, onclick: () => remove([entry.name], `Remove ${entry.name}, with all results?`) }, "Remove") : null));
  const away = state.people.filter((entry) => entry.away && entry.name !== state.me);
  put(by_id("people"), state.people.filter((entry) => !away.includes(entry)).map(shown));
  by_id("people-away").hidden = away.length === 0;
  put(by_id("people-away-title"), `Away: ${away.length}`);
  put(by_id("people-away-list"), away.map(shown));
  if (by_id("remove-away")) by_id("remove-away").onclick = () => remove(away.map((entry) => entry.name).filter((name) => name !== "the host"), `Remove all ${away.length} who are away, with their results?`);
}

async function remove(names, question) {
  if (!confirm(question)) return;
  await attempt(async () => { for (const name of names) await ask("/room/remove", { name }); });
  before = "";
}

/** Do something at a table, and show the room again soon. */
const act = (path, given) => attempt(async () => { await ask(path, given); before = ""; });

const SIGHTS = { end: "spectators see it at the end", side: "spectators see what the first seat knows", all: "spectators see everything" };

function show_table(table) {
  const seats = Object.entries(table.seats).map(([role, name]) => make("span", { class: "seat" }, make("strong", {}, role), " ",
    name ? name : table.started ? "a machine" : make("button", { type: "button", class: "slim", onclick: () => act("/room/sit", { table: table.id, role }) }, "sit here")));
  const open = table.mine && table.session ? make("a", { class: "button slim primary", href: `/play/${table.session}` }, table.over ? "Look at it" : "Play") : null;
  const start = table.mine && !table.started ? make("button", { type: "button", class: "slim primary", onclick: () => attempt(async () => location.assign(`/play/${(await ask("/room/start", { table: table.id })).session}`)) }, "Start") : null;
  const watch = !table.mine && table.session ? make("button", { type: "button", class: "slim", onclick: () => attempt(() => begin_watching(table.session)) }, "Watch") : null;
  const leave = table.mine && !table.started ? make("button", { type: "button", class: "slim", onclick: () => act("/room/leave", { table: table.id }) }, "Stand up") : null;
  const close = table.closes && !table.mine ? make("button", { type: "button", class: "slim plain", onclick: () => act("/room/close", { table: table.id }) }, "Close") : null;
  return make("li", { "data-table": table.id }, make("div", { class: "row spread" }, make("strong", {}, in_words(table.game)), make("span", { class: "row" }, start, open, watch, leave, close)), make("div", { class: "row seats" }, seats),
    table.started ? null : make("p", { class: "small soft" }, `${SIGHTS[table.spectators]}; machines take free seats`));
}

function show_exercise(entry, state) {
  const done = state.results.filter((row) => row.exercise === entry.id);
  return make("li", {}, make("div", { class: "row spread" }, make("strong", {}, entry.title),
    make("span", { class: "row" }, make("button", { type: "button", class: "slim primary", onclick: () => attempt(() => begin_exercise(entry)) }, `Play ${in_words(entry.game)} as ${entry.role}`),
      state.is_host ? make("button", { type: "button", class: "slim plain", onclick: () => act("/room/withdraw", { exercise: entry.id }) }, "Withdraw") : null)),
    entry.text ? make("p", { class: "task", tabindex: 0 }, entry.text) : null,
    done.length ? make("p", { class: "small soft" }, done.map((row) => `${row.name}: ${tell_result(row)}`).join(" · ")) : null);
}

const STATES = { open: "takes entries", running: "is played", stopped: "stopped", done: "over", failed: "failed" };

function show_contest(entry) {
  const who = entry.takes_rules ? entry.games : entry.players;
  const enter = entry.state === "open" ? make("button", { type: "button", class: `slim${entry.entered ? "" : " primary"}`, onclick: () => begin_entering(entry) }, entry.entered ? "Enter another" : "Enter") : null;
  return make("li", { "data-contest": entry.id }, make("div", { class: "row spread" }, make("strong", {}, entry.title, make("span", { class: "tag" }, STATES[entry.state])),
    make("span", { class: "row" }, enter, make("a", { class: "button slim", href: `/contests/${entry.id}` }, "Table"))),
    make("p", { class: "small soft" }, who.length ? who.join(" · ") : "Nobody has entered yet."));
}

function begin_entering(entry) {
  entering = entry;
  by_id("enter-player").hidden = entry.takes_rules;
  by_id("enter-rules").hidden = !entry.takes_rules;
  show_problems(by_id("enter-problems"), null);
  put(by_id("entering-title"), `Enter: ${entry.title}`);
  by_id("entering").showModal();
}

async function enter(event) {
  event.preventDefault();
  try {
    const [file] = by_id("enter-file").files;
    const given = entering.takes_rules ? { game: by_id("enter-game").value } : file ? { text: await file.text() } : { spec: by_id("enter-spec").value };
    await ask(`/contests/${entering.id}/enter`, given);
    by_id("enter").reset();
    by_id("entering").close();
  } catch (error) {
    show_problems(by_id("enter-problems"), error);
  }
}

async function begin_exercise(entry) {
  const { session } = await ask("/play/new", { game: entry.game, role: entry.role, exercise: entry.id });
  location.assign(`/play/${session}`);
}

async function begin_watching(session) {
  watched = session;
  await show_watched();
  by_id("watching").showModal();
}

async function show_watched() {
  const shown = await ask(`/play/${watched}/watch`);
  put(by_id("watching-title"), `${shown.game}: ${Object.entries(shown.people).map(([role, name]) => `${role} ${name}`).join(", ")}`);
  const payoffs = new Payoffs(shown.scale);
  if (shown.scene) board.show(shown.scene, []);
  else put(by_id("watched"), make("p", { class: "soft" }, "Spectators of this table see the board at the end."));
  put(by_id("watched-note"), shown.over ? shown.goals ? `The end: ${Object.entries(shown.goals).map(([role, goal]) => `${role} ${payoffs.tell(goal)}`).join(", ")}` : "Somebody gave up." : shown.as ? `as ${shown.as} knows it` : "");
}

by_id("open").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => { await ask("/room/open", { game: by_id("game").value, spectators: by_id("spectators").value }); });
});
by_id("exercise")?.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    await ask("/room/exercise", { title: by_id("title").value, text: by_id("task").value, game: by_id("exercise-game").value, role: by_id("exercise-role").value });
    by_id("exercise").reset();
  });
});
by_id("announce")?.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const takes_rules = document.querySelector("#announce [name=enters]:checked").value === "rules";
    const players = by_id("contest-players").value.split("\n").map((line) => line.trim()).filter(Boolean);
    await ask("/contests/class", { title: by_id("contest-title").value, takes_rules, games: takes_rules ? [] : [by_id("contest-game").value], players, matches: Number(by_id("contest-matches").value), seconds: Number(by_id("contest-seconds").value) });
    by_id("announce").reset();
  });
});
by_id("enter").addEventListener("submit", enter);
by_id("leave-entering").addEventListener("click", () => by_id("entering").close());
by_id("leave").addEventListener("click", () => by_id("watching").close());
by_id("watching").addEventListener("close", () => { watched = null; });
look();
