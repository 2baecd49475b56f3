// The workbench: rules are checked while somebody types; rules that are right are played through at once.

import { BoardView } from "./board.js";
import { Editor } from "./editor.js";
import { run_review } from "./review.js";
import { WordTools } from "./words.js";
import { ask, by_id, count_things, follow, make, put, show_links, show_problems } from "./studio.js";

const PAUSE = 350; // milliseconds without typing before the rules are checked
const tab = crypto.randomUUID?.() ?? String(Math.random());
const board = new BoardView(by_id("board"));
let timer = null;
let asking = null; // to give up a check that was overtaken
let end_walk = null; // ends the playthrough that is being made
let walk = []; // the rounds of the random game
let ending = null; // how it ended
let eye = ""; // whose knowledge is shown; "" is the truth
let seed = 1;
let is_saved = true;

const editor = new Editor({ text: by_id("text"), ink: by_id("ink"), gutter: by_id("gutter"), changed: () => {
  is_saved = false;
  keep_draft();
  put(by_id("saved"), "not saved");
  by_id("play").hidden = true;
  clearTimeout(timer);
  asking?.abort();
  timer = setTimeout(check, PAUSE);
} });

const words = new WordTools(editor, by_id("about-word"));
for (const what of ["explain", "define", "rename", "complete", "layout"]) by_id(`word-${what}`).addEventListener("click", () => {
  editor.text.focus();
  words[what]();
});

const rules = () => ({ text: editor.value, name: by_id("name").value.trim() || "my_game", tab });

async function check() {
  asking?.abort();
  asking = new AbortController();
  set_verdict("", "checking", true);
  let answer;
  try {
    answer = await ask("/workbench/check", rules(), asking.signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    set_verdict("bad", error.message);
    return;
  }
  editor.mark(answer.problems);
  show_list(answer.problems);
  by_id("review").disabled = !answer.ok;
  const errors = answer.problems.filter((entry) => entry.severity === "error").length;
  const notes = answer.problems.length - errors;
  if (answer.ok) {
    set_verdict("", `The rules can be read${notes ? `; ${count_things(notes, "remark")}` : ""}. They are tried in random games.`, true);
    play_through();
  } else {
    set_verdict("bad", answer.problems.length ? count_things(errors, "error") : "These are no rules.");
    end_walk?.();
    put(by_id("walk-state"), walk.length ? "The game below is from the last rules that were right." : "The game appears here as soon as the rules are right.");
  }
}

function set_verdict(kind, text, busy = false) {
  by_id("verdict").className = `verdict ${kind}`;
  put(by_id("verdict"), make("span", { class: busy ? "busy" : null }, text));
}

/** The messages below the editor: line, excerpt with a caret, hint; a click leads to the place. */
function show_list(problems) {
  const lines = editor.value.split("\n");
  put(by_id("problems"), problems.map((entry) => {
    const excerpt = entry.line ? lines[entry.line - 1] ?? "" : "";
    const shown = excerpt.slice(0, 200);
    return make("div", { class: `problem ${entry.severity}` },
      make("p", { class: "problem-what" }, entry.line ? make("button", { type: "button", class: "slim plain where", onclick: () => editor.go_to(entry.line, entry.column) }, `line ${entry.line}`) : null, entry.message),
      shown.trim() ? make("pre", { class: "excerpt" }, `${shown}\n${" ".repeat(Math.max(0, (entry.column ?? 1) - 1))}^`) : null,
      entry.hint ? make("p", { class: "problem-hint" }, entry.hint) : null);
  }));
}

async function play_through() {
  end_walk?.();
  put(by_id("walk-state"), make("span", { class: "busy" }, "playing a random game"));
  const fresh = [];
  ending = null;
  try {
    const { job } = await ask("/workbench/playthrough", { ...rules(), seed });
    end_walk = follow(job, {
      progress: (part) => {
        if (part.facts) show_facts(part.facts);
        else {
          fresh.push(part.round);
          if (fresh.length === 1) begin_walk(fresh);
          by_id("round").max = fresh.length - 1;
        }
      },
      done: (answer) => {
        ending = answer;
        put(by_id("walk-state"));
        set_verdict(answer.verdict.sound ? "good" : "bad", `${rules().name}: ${answer.verdict.sentence}.`);
        show_problems(by_id("flaws"), answer.flaws.length ? { problems: answer.flaws } : null);
        show_round(Number(by_id("round").value));
      },
      failed: (error) => {
        put(by_id("walk-state"), walk.length ? "The game below is from the last rules that were right." : null);
        set_verdict("bad", "These rules cannot be played.");
        show_problems(by_id("flaws"), error);
      },
    });
  } catch (error) {
    put(by_id("walk-state"));
    show_problems(by_id("flaws"), error);
  }
}

function begin_walk(rounds) {
  walk = rounds;
  by_id("walk").hidden = false;
  const roles = Object.keys(rounds[0].known);
  if (!roles.includes(eye)) eye = "";
  put(by_id("eyes"), [["", "the truth"], ...roles.map((role) => [role, `what ${role} knows`])].map(([role, words]) =>
    make("button", { type: "button", class: "slim", "aria-pressed": String(role === eye), "data-eye": role, onclick: () => look_as(role) }, words)));
  show_round(0);
}

function look_as(role) {
  eye = role;
  for (const button of by_id("eyes").children) button.setAttribute("aria-pressed", String(button.dataset.eye === role));
  show_round(Number(by_id("round").value));
}

function show_round(number) {
  const round = walk[number];
  if (!round) return;
  by_id("round").value = number;
  put(by_id("round-label"), number === 0 ? "Before the first round" : `After round ${number}`);
  const known = eye ? round.known[eye] : null;
  const scene = known ? known.scene : round.truth;
  if (scene) board.show(scene);
  else put(by_id("board"), make("p", { class: "soft" }, known.basis));
  put(by_id("basis"), known ? known.basis : "");
  const is_last = number === walk.length - 1 && ending;
  put(by_id("story"),
    round.moves ? make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ["Role", "did", "saw"].map((title) => make("th", { scope: "col" }, title)))),
      make("tbody", {}, Object.entries(round.moves).filter(([role]) => !eye || role === eye).map(([role, move]) => make("tr", {}, make("td", {}, role), make("td", {}, move), make("td", {}, (round.sees[role] ?? []).join(", "))))))) : null,
    round.legal ? make("p", { class: "small soft" }, `To choose now: ${Object.entries(round.legal).map(([role, count]) => `${role} ${count}`).join(", ")}`) : null,
    is_last ? make("p", {}, ending.over ? make("strong", {}, `The end: ${Object.entries(ending.goals).map(([role, goal]) => `${role} ${goal}`).join(", ")}`) : "The game goes on; it is shown up to here.") : null);
}

function show_facts(facts) {
  put(by_id("panel-facts"),
    make("dl", { class: "facts" }, make("dt", {}, "Size"), make("dd", {}, `${count_things(facts.fluents, "fluent")}, ${count_things(facts.rules, "ground rule")}`)),
    facts.roles.map((entry) => make("section", { class: "role-facts" }, make("h3", {}, entry.role),
      make("dl", { class: "facts" },
        make("dt", {}, count_things(entry.num_moves, "move")), make("dd", {}, list_words(entry.moves, entry.num_moves)),
        make("dt", {}, count_things(entry.num_percepts, "percept")), make("dd", {}, entry.num_percepts ? list_words(entry.percepts, entry.num_percepts) : "it is never told anything"),
        entry.goals.length ? [make("dt", {}, "goals"), make("dd", {}, entry.goals.join(", "))] : null))));
}

function list_words(words, count) {
  const shown = words.slice(0, 24).join(", ");
  return count > 24 ? `${shown}, … (${count.toLocaleString("en")} in all)` : shown;
}

function review() {
  by_id("review").disabled = true;
  run_review(by_id("review-result"), "/workbench/review", rules(), rules().name, (answer) => {
    by_id("review").disabled = false;
    if (answer) show_findings(answer.findings.filter((entry) => entry.line));
  });
}

/** What the review has found at a place of the rules; a click leads there. */
function show_findings(findings) {
  if (!findings.length) return;
  by_id("review-result").append(make("section", { class: "finding-places" }, make("h3", {}, "Places in the rules"), make("ul", {}, findings.map((entry) =>
    make("li", {}, make("button", { type: "button", class: "slim plain where", onclick: () => editor.go_to(entry.line, entry.column) }, `line ${entry.line}`), ` ${entry.message}`)))));
}

let saved_version = by_id("text").dataset.version; // another page may have saved other rules since
let saved_name = new URLSearchParams(location.search).get("game")?.startsWith("own:") ? by_id("name").value : null; // rules that are ours to replace

async function save() {
  try {
    const saved = await save_as(false);
    if (saved === null) return;
    const name = saved.name;
    saved_name = name;
    saved_version = saved.version;
    forget_draft();
    is_saved = true;
    put(by_id("saved"), `saved as ${name}`);
    by_id("play").hidden = false;
    by_id("play").href = `/play?game=own:${encodeURIComponent(name)}`;
    show_links(by_id("game-links"), `own:${name}`);
    history.replaceState(null, "", `/workbench?game=own:${encodeURIComponent(name)}`);
  } catch (error) {
    put(by_id("saved"), error.message);
  }
}

/** Save the rules and return what they are now; null if other rules of the name are to stay. */
async function save_as(overwrites) {
  try {
    return await ask("/workbench/save", { ...rules(), overwrites, version: rules().name === saved_name ? saved_version : "" });
  } catch (error) {
    if (error.problems?.[0]?.code !== "studio-exists") throw error;
    return confirm(`${error.message}. Overwrite them?`) ? save_as(true) : null;
  }
}

// Drafts: what is not saved stays in this browser, and is offered when the page is opened again

const draft_key = () => `draft ${new URLSearchParams(location.search).get("game") ?? ""}`;

function keep_draft() {
  try {
    localStorage.setItem(draft_key(), JSON.stringify({ name: by_id("name").value, text: editor.value, at: Date.now() }));
  } catch {
    // a browser that keeps nothing asks before it leaves
  }
}

function forget_draft() {
  try {
    localStorage.removeItem(draft_key());
  } catch {
    // nothing was kept
  }
}

function find_draft() {
  try {
    return JSON.parse(localStorage.getItem(draft_key()) ?? "null");
  } catch {
    return null;
  }
}

function offer_draft() {
  const draft = find_draft();
  if (!draft || draft.text === editor.value) return;
  const when = new Date(draft.at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
  put(by_id("saved"), `There is a draft of ${when}. `,
    make("button", { type: "button", class: "slim", onclick: () => { by_id("name").value = draft.name; editor.value = draft.text; is_saved = false; put(by_id("saved"), "the draft, not saved"); check(); } }, "Take it"),
    make("button", { type: "button", class: "slim plain", onclick: () => { forget_draft(); put(by_id("saved")); } }, "Drop it"));
}

function download() {
  const address = URL.createObjectURL(new Blob([editor.value], { type: "text/plain" }));
  const name = rules().name.includes(".") ? rules().name : `${rules().name}.kif`;
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Tabs as the patterns for accessible pages describe them: arrows go from tab to tab. */
function set_tabs() {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const choose = (chosen) => tabs.forEach((each) => {
    each.setAttribute("aria-selected", String(each === chosen));
    each.tabIndex = each === chosen ? 0 : -1;
    by_id(each.getAttribute("aria-controls")).hidden = each !== chosen;
  });
  tabs.forEach((each, index) => {
    each.addEventListener("click", () => choose(each));
    each.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const next = tabs[(index + step + tabs.length) % tabs.length];
      choose(next);
      next.focus();
    });
  });
}

async function begin() {
  const opened = location.hash === "#opened" ? JSON.parse(sessionStorage.getItem("opened") ?? "null") : null;
  if (opened) {
    by_id("name").value = opened.name;
    editor.value = opened.text;
    is_saved = false;
  } else if (by_id("text").dataset.new && !editor.value.trim()) {
    editor.value = await (await fetch("/static/first_game.kif")).text();
    by_id("name").value = "hide_and_seek";
  } else if (new URLSearchParams(location.search).get("game")?.startsWith("own:")) {
    by_id("play").hidden = false;
    by_id("play").href = `/play?game=own:${encodeURIComponent(by_id("name").value)}`;
  }
  const named = new URLSearchParams(location.search).get("game");
  if (named) show_links(by_id("game-links"), named);
  check();
  if (!opened) offer_draft();
}

set_tabs();
by_id("save").addEventListener("click", save);
by_id("download").addEventListener("click", download);
by_id("review").addEventListener("click", review);
by_id("another").addEventListener("click", () => { seed += 1; play_through(); });
by_id("open").addEventListener("change", (event) => { if (event.target.value) location.assign(event.target.value); });
by_id("round").addEventListener("input", (event) => show_round(Number(event.target.value)));
by_id("earlier").addEventListener("click", () => show_round(Math.max(0, Number(by_id("round").value) - 1)));
by_id("later").addEventListener("click", () => show_round(Math.min(walk.length - 1, Number(by_id("round").value) + 1)));
window.addEventListener("beforeunload", (event) => { if (!is_saved) event.preventDefault(); });
begin();
