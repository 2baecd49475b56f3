// A game that somebody plays: the board with what they know, the record beside it, hints, and the truth at the end.

import { BoardView, draw_sample, scene_in_words } from "./board.js";
import { draw_values } from "./curve.js";
import { figure_buttons } from "./figures.js";
import { Payoffs } from "./payoffs.js";
import { ask, by_id, count_things, follow, make, percent, put, show_links, show_problems, with_code } from "./studio.js";

const base = `/play/${by_id("table").dataset.session}`;
const board = new BoardView(by_id("board"), { choose: (choice) => play(choice.move) });
let view = null; // what the server said last
let belief = null;
let is_uncertain = false; // whether anything was hidden so far
let worlds = new Map(); // number -> a world that was looked at
let is_waiting = false;
let end_hint = null; // ends the search for a hint
let about = null; // the rules in words, the legend, the models of the others
let model = "uniform"; // how the others are taken to play
let payoffs = new Payoffs();

async function open() {
  await attempt(async () => take(await ask(`${base}/view`)));
  await attempt(show_about);
}

/** The rules in words, what the signs of the board mean, and the models of the others that a belief can assume. */
async function show_about() {
  about = await ask(`${base}/about`);
  const sections = about.sections.filter((section) => ["", "Rules", "Hidden", "Values"].includes(section.name));
  put(by_id("rules-text"),
    make("p", {}, make("strong", {}, `You are ${view.role}. `), about.summary),
    sections.map((section) => [section.name ? make("h3", {}, TITLES[section.name]) : null, section.name === "Values" ? show_worth(section.text) : make("p", { class: "small" }, with_code(section.text))]),
    about.sections.length ? null : make("p", { class: "soft" }, "The rules of this game have no description."),
    make("p", { class: "small apart-link" }, make("a", { href: `/workbench?game=${encodeURIComponent(game_address())}` }, "The rules as a program")));
  put(by_id("legend"), about.legend.map((piece) => make("li", {}, draw_sample(piece), piece.label)));
  by_id("assumption").hidden = about.models.length === 0;
  put(by_id("model"), about.models.map(([name, words]) => make("option", { value: name }, words)));
}

/** What a game is worth: the first sentence, or the unit; the rest often says how it is played best, and is folded. */
function show_worth(text) {
  const [sentence] = text.match(/^.*?\.(?=\s|$)/) ?? [text];
  const first = payoffs.unit ? "" : sentence;
  const rest = text.slice(first.length).trim();
  return [make("p", { class: "small" }, payoffs.unit ? `Counted in ${payoffs.unit}: what you win, or lose.` : with_code(first)),
    rest ? make("details", { class: "small" }, make("summary", {}, "More, and how it is played best"), make("p", {}, with_code(rest))) : null];
}

const TITLES = { Rules: "How it is played", Hidden: "What is hidden", Values: "What it is worth" };
const game_address = () => (view.is_own ? `own:${view.game}` : view.game);

function toggle_rules(open = by_id("rules").hidden) {
  by_id("rules").hidden = !open;
  by_id("show-rules").setAttribute("aria-expanded", String(open));
  if (open) by_id("rules").scrollIntoView({ block: "nearest" });
}

function toggle_percents(on = !board.percents) {
  for (const each of [board, truth, known]) each.percents = on;
  by_id("percents").setAttribute("aria-pressed", String(on));
  try {
    localStorage.setItem("percents", on ? "yes" : "");
  } catch {
    // a browser that keeps nothing asks again
  }
  if (board.scene) board.redraw();
  if (known.scene && rounds.length) show_round(Number(by_id("round").value));
}

async function take_back() {
  if (is_waiting || !view?.can_undo) return;
  end_hint?.();
  by_id("end").hidden = true;
  by_id("result").hidden = true;
  await attempt(async () => take(await ask(`${base}/undo`, {})));
}

async function rematch() {
  by_id("rematch").disabled = true;
  await attempt(async () => location.assign(`/play/${(await ask(`${base}/rematch`, {})).session}`));
  by_id("rematch").disabled = false;
}

async function choose_model() {
  model = by_id("model").value;
  put(by_id("model-state"), make("span", { class: "busy" }, "finding out"));
  await attempt(show_belief);
  show_status();
  put(by_id("model-state"));
}

/** The keys of the page; the page of help lists them. */
function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
  const numbered = /^[1-9]$/.test(event.key) ? by_id("moves").querySelectorAll(":scope > .row > .move")[Number(event.key) - 1] : null;
  const act = {
    r: () => toggle_rules(), "%": () => toggle_percents(), u: take_back,
    h: () => { if (view && !view.over) by_id("hint-form").requestSubmit(); },
    n: () => { if (view?.over) rematch(); },
    ArrowLeft: () => { if (view?.over) by_id("earlier").click(); }, ArrowRight: () => { if (view?.over) by_id("later").click(); },
  }[event.key] ?? (numbered && !numbered.disabled ? () => numbered.click() : null);
  if (!act || (event.key.startsWith("Arrow") && event.target.closest(".board"))) return;
  event.preventDefault();
  act();
}

/** Do something with the server; what goes wrong is shown. */
async function attempt(work) {
  try {
    await work();
    show_problems(by_id("problems"), null);
  } catch (error) {
    show_problems(by_id("problems"), error);
    if (view) show_status();
  }
}

async function play(move) {
  if (is_waiting || view.over) return;
  is_waiting = true;
  end_hint?.();
  set_status("the others think", true);
  set_enabled(false);
  await attempt(async () => take(await ask(`${base}/move`, { round: view.round, move })));
  is_waiting = false;
  set_enabled(true);
}

function set_enabled(enabled) {
  by_id("board").classList.toggle("waiting", !enabled);
  for (const button of by_id("moves").querySelectorAll("button")) button.disabled = !enabled;
}

async function take(answer) {
  view = answer;
  payoffs = new Payoffs(view.scale);
  show_frame();
  remember();
  show_moves();
  show_record();
  put(by_id("hint"));
  await show_belief();
  show_status();
  if (view.over) await show_end();
  else if (is_shared()) wait_for_others(view.round);
}

/** The name of a bundled game for people; own games are called as their author calls them. */
const in_words = (game, is_own) => (is_own ? game : game.replaceAll("_", " "));

const is_shared = () => Object.keys(view.people).length > 0;
let waiting_for = null; // the round that is waited for

/** Where several people play: look again when the game has gone on. */
async function wait_for_others(round) {
  if (waiting_for === round) return;
  waiting_for = round;
  while (view.round === round && !view.over) {
    try {
      await ask(`${base}/wait?round=${round}`);
      const answer = await ask(`${base}/view`);
      if (answer.round !== view.round || answer.over !== view.over) {
        await take(answer);
        return;
      }
    } catch (error) {
      show_problems(by_id("problems"), error);
      await new Promise((resolve) => setTimeout(resolve, 3000));
    }
  }
}

function show_frame() {
  put(by_id("game-name"), in_words(view.game, view.is_own));
  const others = Object.entries(view.players).filter(([role]) => role !== view.role).map(([role, spec]) => `${role} is ${view.people[role] ?? spec}`);
  put(by_id("seats"), `You are ${view.role}`, others.length ? `; ${others.join(", ")}` : "", ".");
  document.title = `${in_words(view.game, view.is_own)} · Veil`;
  by_id("again").href = `/play?game=${encodeURIComponent(game_address())}`;
  show_links(by_id("game-links"), game_address(), ["/analysis", "/review"]); // the drawer has the rules
  by_id("download").href = `${base}/download`;
  by_id("undo").disabled = !view.can_undo;
  by_id("undo").hidden = by_id("rematch").hidden = is_shared();
  by_id("resign").hidden = view.over;
  by_id("hint-card").hidden = view.over;
}

/** Remember the game in this browser, so that the page of play can lead back to it. */
function remember() {
  try {
    const id = by_id("table").dataset.session;
    const before = JSON.parse(localStorage.getItem("games") ?? "[]").filter((entry) => entry.id !== id);
    localStorage.setItem("games", JSON.stringify([{ id, game: view.game, role: view.role, over: view.over, at: Date.now() }, ...before].slice(0, 8)));
  } catch {
    // a browser that keeps nothing can play all the same
  }
}

function set_status(text, busy = false) {
  put(by_id("status"), make("span", { class: busy ? "busy" : null }, text));
}

function show_status() {
  if (view.over) set_status("The game is over.");
  else if (is_shared() && view.choices.length === 0) set_status("the others choose", true);
  else set_status(`Round ${view.round + 1}: your move`);
}

async function show_belief() {
  worlds = new Map();
  if (belief === null) set_status("finding out what you can know", true);
  belief = await ask(`${base}/belief?model=${model}`);
  is_uncertain ||= belief.worlds > 1 || !belief.exact;
  by_id("lens").hidden = belief.lost || !is_uncertain; // a game that hides nothing needs no lens
  put(by_id("basis"), belief.basis);
  const slider = by_id("world");
  slider.max = belief.worlds;
  slider.value = 0;
  slider.disabled = belief.worlds < 2;
  if (belief.scene) show_scene(belief.scene);
  else put(by_id("board"), make("p", { class: "soft" }, belief.basis));
  put(by_id("world-label"), "What you know");
}

function show_scene(scene) {
  board.show(scene, view.over ? [] : view.choices);
  put(by_id("in-words"), scene_in_words(scene).map((line) => make("li", {}, line)));
}

async function show_world() {
  const number = Number(by_id("world").value);
  if (number === 0) {
    put(by_id("world-label"), "What you know");
    put(by_id("basis"), belief.basis);
    show_scene(belief.scene);
    return;
  }
  put(by_id("world-label"), `World ${number} of ${belief.worlds}`);
  const round = view.round;
  if (!worlds.has(number)) {
    const world = await ask(`${base}/world?number=${number - 1}&model=${model}`);
    if (view.round !== round) return;
    worlds.set(number, world);
  }
  if (Number(by_id("world").value) !== number) return;
  const world = worlds.get(number);
  if (!world.scene) return;
  put(by_id("basis"), `probability ${percent(world.chance)}${tell_last(world.history)}`);
  show_scene(world.scene);
}

/** What the others did in the last round of a world. */
function tell_last(history) {
  const last = history.at(-1);
  if (!last) return "";
  const others = Object.entries(last).filter(([role]) => role !== view.role);
  return others.length ? `; last round ${others.map(([role, move]) => `${role}: ${move}`).join(", ")}` : "";
}

function show_moves() {
  const area = by_id("moves");
  if (view.over || view.choices.length === 0) {
    put(area);
    return;
  }
  const buttons = (choices) => choices.map((choice) => make("button", { type: "button", class: "move", "data-move": choice.move, onclick: () => play(choice.move) }, choice.words));
  const by_button = view.choices.filter((choice) => choice.cells.length === 0);
  const by_cell = view.choices.filter((choice) => choice.cells.length > 0);
  const how = by_cell.some((choice) => choice.cells.length === 2) ? "Click a piece, then where it goes." : "Click a cell.";
  put(
    area,
    by_cell.length ? make("p", { class: "soft small" }, by_button.length ? `${how} Or:` : how) : null,
    by_button.length ? make("div", { class: "row" }, buttons(by_button)) : null,
    by_cell.length ? make("details", {}, make("summary", {}, `All ${count_things(view.choices.length, "move")}`), make("div", { class: "row" }, buttons(by_cell))) : null,
  );
}

const is_idle = (entry) => entry.move === "wait" && !entry.percepts.length;

function show_record() {
  put(by_id("record"), view.record.length === 0 ? make("li", { class: "soft none" }, "Nothing yet.") : view.record.map((entry) =>
    make("li", { class: is_idle(entry) ? "idle" : null }, make("span", { class: "round-number" }, entry.round), make("div", {}, make("span", { class: "did" }, entry.move),
      entry.percepts.map((percept) => make("span", { class: "saw" }, percept))))));
  by_id("record").lastElementChild?.scrollIntoView?.({ block: "nearest" });
}

async function ask_hint(event) {
  event.preventDefault();
  end_hint?.();
  const target = by_id("hint");
  put(target, make("p", { class: "busy" }, "searching"));
  try {
    const { job } = await ask(`${base}/hint`, { player: by_id("thinker").value, seconds: Number(by_id("think-seconds").value) });
    end_hint = follow(job, { done: (answer) => show_hint(target, answer), failed: (error) => show_problems(target, error) });
  } catch (error) {
    show_problems(target, error);
  }
}

function show_hint(target, answer) {
  if (answer.round !== view.round) return;
  if (answer.moves.length === 0) {
    put(target, make("p", { class: "soft" }, "There is nothing to decide."));
    return;
  }
  put(target, make_value_table(answer.moves), make("p", { class: "small soft" }, explain(answer)));
}

function make_value_table(moves) {
  const has_values = moves.some((entry) => entry.value !== null);
  const shown = moves.slice(0, 9);
  return make("div", { class: "scroll" }, make("table", { class: "values" },
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Move"), make("th", { scope: "col", class: "number" }, has_values ? `Worth, ${payoffs.heading}` : "Played"), make("th", { scope: "col" }, make("span", { class: "quiet-text" }, "as a bar")))),
    make("tbody", {}, shown.map((entry) => {
      const share = has_values ? (entry.value === null ? 0 : payoffs.share(entry.value)) : entry.chance ?? 0;
      return make("tr", { class: entry.chance > 0 ? "chosen" : null }, make("td", {}, entry.words),
        make("td", { class: "number" }, has_values ? (entry.value === null ? "–" : payoffs.show(entry.value)) : percent(entry.chance ?? 0)), make("td", { class: "bar-cell" }, bar(share)));
    }))), moves.length > shown.length ? make("p", { class: "small soft" }, `and ${moves.length - shown.length} more`) : null);
}

export function bar(share) {
  const inner = make("span");
  inner.style.width = `${Math.round(100 * Math.min(1, Math.max(0, share)))}%`;
  return make("span", { class: "bar", "aria-hidden": "true" }, inner);
}

const METHODS = { solved: "the whole game is solved, so this is exact", resolve: "solves what is left of the game in the worlds that are likely" };

function explain(answer) {
  const reason = answer.reason;
  const parts = [];
  if (reason.method) parts.push(METHODS[reason.method] ?? reason.method);
  if (reason.worlds) parts.push(`${reason.exact ? "all " : ""}${count_things(reason.worlds, "world")}`);
  if (reason.playouts) parts.push(count_things(reason.playouts, "playout"));
  if (reason.states_visited) parts.push(count_things(reason.states_visited, "state"));
  if (reason.note) parts.push(reason.note);
  return `${answer.player}: ${parts.join(", ")}`;
}

async function resign() {
  if (!confirm("Give up? You will see what was hidden.")) return;
  await attempt(async () => take(await ask(`${base}/resign`, {})));
}

// The end

let rounds = [];
const truth = new BoardView(by_id("truth"));
const known = new BoardView(by_id("known"));

async function show_end() {
  const mine = view.goals[view.role];
  const others = Object.entries(view.goals).filter(([role]) => role !== view.role).map(([role, goal]) => `${role} ${payoffs.tell(goal)}`);
  const kind = judge_goal(mine, Object.values(view.goals));
  by_id("result").hidden = false;
  by_id("result").className = `result ${kind}`;
  put(by_id("result"), view.resigned && mine === undefined ? make("strong", {}, view.resigned_by && view.resigned_by !== view.role ? `${view.people[view.resigned_by] ?? view.resigned_by} gave up.` : "You gave up.") :
    [make("strong", {}, `${others.length === 1 ? { won: "You won: ", gone: "You lost: " }[kind] ?? "You got " : "You got "}${payoffs.tell(mine)}`), others.length ? `; ${others.join(", ")}` : ""],
    view.finished || view.resigned ? null : make("p", {}, "The limit of rounds has ended the game."),
    view.errors.map((entry) => make("p", { class: "small" }, `Round ${entry.round}: ${entry.role} made an error (${entry.what}); a random move took its place.`)),
    make("p", { class: "small soft" }, `seed ${view.seed}`, view.undone ? `; ${count_things(view.undone, "move")} taken back` : ""));
  by_id("end").hidden = false;
  rounds = [];
  const { job } = await ask(`${base}/reveal`, {});
  follow(job, {
    progress: (round) => {
      rounds.push(round);
      by_id("round").max = rounds.length - 1;
      if (rounds.length === 1) show_round(0);
    },
    done: () => show_round(rounds.length - 1),
    failed: (error) => show_problems(by_id("round-story"), error),
  });
}

/** How a goal is shown beside those of all roles. */
function judge_goal(mine, all) {
  if (mine === undefined) return "neutral";
  if (all.length === 1) return mine >= 50 ? "won" : "neutral";
  if (Math.max(...all) === Math.min(...all)) return "neutral";
  return mine === Math.max(...all) ? "won" : mine === Math.min(...all) ? "gone" : "neutral";
}

function show_round(number) {
  const round = rounds[number];
  if (!round) return;
  by_id("round").value = number;
  put(by_id("round-label"), number === 0 ? "before the first round" : `after round ${number} of ${rounds.length - 1}`);
  truth.show(round.truth);
  if (round.known.scene) known.show(round.known.scene);
  else put(by_id("known"), make("p", { class: "soft" }, round.known.basis));
  put(by_id("known-basis"), round.known.scene ? round.known.basis : "");
  put(by_id("round-story"), round.moves ? make("div", { class: "scroll" }, make("table", {},
    make("thead", {}, make("tr", {}, ["Role", "did", "saw"].map((title) => make("th", { scope: "col" }, title)))),
    make("tbody", {}, Object.entries(round.moves).map(([role, move]) => make("tr", {}, make("td", {}, role), make("td", {}, move), make("td", {}, (round.sees[role] ?? []).join(", "))))))) : null);
}

const NOTHING = 0.0005; // shares of all that can be won or lost: rounding
const MISTAKE = 0.02; // and what counts as a mistake

const is_mistake = (entry) => payoffs.weigh(entry.loss) >= MISTAKE;

/** What a judgement says in a sentence or two: the largest mistake, and what was lost in all. */
function sum_up(judged, lost) {
  if (!judged.length) return "There was nothing to decide.";
  const worst = judged.reduce((one, other) => (other.loss > one.loss ? other : one));
  if (!is_mistake(worst)) return "You made no mistake that it sees.";
  return [make("strong", {}, `Your ${judged.filter(is_mistake).length > 1 ? "largest " : ""}mistake was in round ${worst.round}: ${worst.move}. `),
    `By its reckoning ${worst.best} would have been worth ${payoffs.tell_difference(worst.loss)} more. Lost in all: ${payoffs.tell_difference(lost)}.`];
}

async function judge() {
  const target = by_id("judgement");
  by_id("judge").disabled = true;
  const body = make("tbody");
  const state = make("p", { class: "busy" }, "thinking about your decisions again");
  const curve = make("div", { class: "curve" });
  const judged = [];
  put(target, curve, make("p", { class: "small soft" }, `Each decision is searched with what you knew then, by ${by_id("thinker").value}, ${by_id("think-seconds").value} s each.`),
    make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Round"), make("th", { scope: "col" }, "You played"), make("th", { scope: "col", class: "number" }, "worth"),
      make("th", { scope: "col" }, "Best"), make("th", { scope: "col", class: "number" }, "worth"), make("th", { scope: "col", class: "number" }, `Lost, ${payoffs.unit || "points"}`))), body)), state);
  const row = (entry) => make("tr", { class: is_mistake(entry) ? "lost" : null }, make("td", {}, make("button", { class: "slim plain", type: "button", onclick: () => show_round(entry.round - 1) }, entry.round)), make("td", {}, entry.move),
    make("td", { class: "number" }, payoffs.show(entry.value)), make("td", {}, entry.best), make("td", { class: "number" }, payoffs.show(entry.best_value)),
    make("td", { class: "number" }, payoffs.weigh(entry.loss) < NOTHING ? "–" : payoffs.show_difference(entry.loss)));
  try {
    const { job } = await ask(`${base}/judge`, { player: by_id("thinker").value, seconds: Math.min(2, Number(by_id("think-seconds").value)) });
    follow(job, {
      progress: (entry) => {
        body.append(row(entry));
        judged.push(entry);
        draw_values(curve, judged.map((each) => [each.round, each.value, each.best_value]), payoffs);
      },
      done: (answer) => put(state, sum_up(judged, answer.lost)),
      failed: (error) => show_problems(state, error),
    });
  } catch (error) {
    show_problems(target, error);
  }
  const stop_spinning = () => state.classList.remove("busy");
  new MutationObserver(stop_spinning).observe(state, { childList: true });
}

by_id("show-rules").addEventListener("click", () => toggle_rules());
by_id("hide-rules").addEventListener("click", () => toggle_rules(false));
by_id("percents").addEventListener("click", () => toggle_percents());
by_id("undo").addEventListener("click", take_back);
by_id("rematch").addEventListener("click", rematch);
by_id("model").addEventListener("change", choose_model);
document.addEventListener("keydown", press);
by_id("figure").append(figure_buttons(by_id("board"), () => `${view.game}-round-${view.round}`));
try {
  if (localStorage.getItem("percents")) toggle_percents(true);
} catch {
  // nothing is kept
}
by_id("world").addEventListener("input", () => attempt(show_world));
by_id("hint-form").addEventListener("submit", ask_hint);
by_id("resign").addEventListener("click", resign);
by_id("judge").addEventListener("click", judge);
by_id("round").addEventListener("input", (event) => show_round(Number(event.target.value)));
by_id("earlier").addEventListener("click", () => show_round(Math.max(0, Number(by_id("round").value) - 1)));
by_id("later").addEventListener("click", () => show_round(Math.min(rounds.length - 1, Number(by_id("round").value) + 1)));
open();
