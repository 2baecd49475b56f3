// The page that sets a game up.

import { ask, by_id, make, plain_problem, put, Refusal, show_links, show_problems, with_code } from "./studio.js";

const LARGEST_FILE = 900_000; // bytes

const game = by_id("game");
let described = null; // the game that is described now
let asking = null; // to give up a question that was overtaken

function choose_first() {
  const wanted = game.dataset.chosen;
  if (!wanted) return;
  const family = wanted.startsWith("own:") ? wanted : wanted.split("(")[0];
  if ([...game.options].some((option) => option.value === family)) game.value = family;
}

async function describe(name) {
  asking?.abort();
  asking = new AbortController();
  by_id("start").disabled = true;
  try {
    described = await ask(`/play/describe?game=${encodeURIComponent(name)}`, undefined, asking.signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    show_problems(by_id("problems"), error);
    return;
  }
  show_problems(by_id("problems"), null);
  show_parameters();
  show_roles();
  show_about();
  show_links(by_id("game-links"), name);
  by_id("start").disabled = false;
}

function show_parameters() {
  const box = by_id("parameters");
  box.hidden = described.parameters.length === 0;
  put(box, described.parameters.map((entry) => {
    const id = `parameter-${entry.name}`;
    const input = entry.choices.length
      ? make("select", { id, name: entry.name }, entry.choices.map((word) => make("option", { value: word, selected: word === entry.value }, word)))
      : make("input", { id, name: entry.name, type: "number", min: entry.low, max: entry.high, value: entry.value });
    return make("div", { class: "field" }, make("label", { for: id }, entry.name.replaceAll("_", " ")), input, make("span", { class: "soft" }, entry.meaning));
  }));
}

function show_roles() {
  const roles = described.roles;
  const before = document.querySelector("#roles input:checked")?.value;
  const mine = roles.includes(before) ? before : roles[0];
  put(by_id("roles"), make("legend", {}, "You are"), roles.map((role) =>
    make("label", { class: "choice" }, make("input", { type: "radio", name: "role", value: role, checked: role === mine, onchange: show_players }), role)));
  show_players();
}

const TITLES = { Rules: "How it is played", Hidden: "What is hidden", Values: "What it is worth" };
const GRADES = { random: "a beginner: plays anything", hyperplay: "a good player: tries its moves in what is possible", best: "the strongest: solves the game where it can" };
const TYPED = "typed"; // a player with options

function show_players() {
  const mine = document.querySelector("#roles input:checked").value;
  const others = described.roles.filter((role) => role !== mine);
  const before = find_players();
  by_id("players").hidden = by_id("clock").hidden = others.length === 0;
  put(by_id("players"), make("legend", {}, others.length > 1 ? "The others are played by" : "The other is played by"), others.map((role) => show_menu(role, before[role] ?? "hyperplay")));
}

/** The menu of a seat: three grades, all players, and a field for one with options. */
function show_menu(role, spec) {
  const all = [...by_id("player-names").options].map((option) => option.value);
  const is_listed = all.includes(spec);
  const field = make("input", { name: role, list: "player-names", value: spec, hidden: is_listed, "aria-label": `Player of ${role}, with options`, placeholder: "hyperplay:models=50", autocomplete: "off", spellcheck: "false" });
  const option = (value, words) => make("option", { value, selected: value === (is_listed ? spec : TYPED) }, words);
  const menu = make("select", { id: `player-${role}`, onchange: () => {
    field.hidden = menu.value !== TYPED;
    if (menu.value !== TYPED) field.value = menu.value;
    else field.focus();
  } }, Object.entries(GRADES).filter(([name]) => all.includes(name)).map(([name, words]) => option(name, words)),
    make("optgroup", { label: "All players" }, all.filter((name) => !(name in GRADES)).map((name) => option(name, name)), option(TYPED, "one with options …")));
  return make("div", { class: "field" }, make("label", { for: `player-${role}` }, role), menu, field);
}

const find_players = () => Object.fromEntries([...document.querySelectorAll("#players input")].map((input) => [input.name, input.value.trim()]));

function show_about() {
  const told = described.sections.filter((section) => section.name in TITLES || !section.name);
  const more = described.sections.filter((section) => !told.includes(section) && section.name !== "Plays");
  const show = (section) => [section.name ? make("h3", {}, TITLES[section.name] ?? section.name) : null, make("p", { class: "soft" }, with_code(section.text))];
  put(by_id("about"), make("h2", {}, described.summary ? described.name.split("(")[0].replaceAll("_", " ") : described.name), described.summary ? make("p", {}, described.summary) : null,
    told.map(show), more.length ? make("details", { class: "small" }, make("summary", {}, "Where it comes from, and its parameters"), more.map(show)) : null);
}

/** The games that were played last in this browser. */
function show_last() {
  let games = [];
  try {
    games = JSON.parse(localStorage.getItem("games") ?? "[]");
  } catch {
    games = [];
  }
  put(by_id("last-games"), games.length ? null : make("li", { class: "soft" }, "None in this browser yet."), games.map((entry) => make("li", {}, make("a", { href: `/play/${encodeURIComponent(entry.id)}` }, entry.game),
    make("span", { class: "soft" }, ` as ${entry.role}, ${entry.over ? "over" : "going on"}, ${new Date(entry.at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })}`))));
}

function spec() {
  if (described.parameters.length === 0) return game.value;
  const values = [...by_id("parameters").querySelectorAll("input, select")].map((input) => `${input.name}=${input.value}`);
  return `${game.value}(${values.join(", ")})`;
}

async function start(event) {
  event.preventDefault();
  const seed = by_id("seed").value.trim();
  const role = document.querySelector("#roles input:checked").value;
  by_id("start").disabled = true;
  put(by_id("starting"), make("span", { class: "busy" }, "getting the game ready"));
  try {
    const { session } = await ask("/play/new", { game: spec(), role, players: find_players(), seconds: Number(by_id("seconds").value), seed: seed ? Number(seed) : null });
    location.assign(`/play/${session}`);
  } catch (error) {
    show_problems(by_id("problems"), error);
    by_id("start").disabled = false;
    put(by_id("starting"));
  }
}

/** A match that somebody has sent: it is shown on a page of its own, and not stored. */
async function replay_file(event) {
  const file = event.target.files[0];
  event.target.value = "";
  if (!file) return;
  try {
    if (file.size > LARGEST_FILE) throw new Refusal([plain_problem("this file is too large", "logs of up to 900 kB can be opened here")]);
    sessionStorage.setItem("match", JSON.stringify({ name: file.name, text: await file.text() }));
    location.assign("/replay");
  } catch (error) {
    show_problems(by_id("last-problems"), error);
  }
}

show_last();
by_id("replay-file").addEventListener("change", replay_file);
choose_first();
game.addEventListener("change", () => describe(game.value));
by_id("set-up").addEventListener("submit", start);
describe(game.dataset.chosen || game.value);
