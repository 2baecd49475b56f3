// The page that sets a game up.

import { ask, by_id, make, put, show_problems } from "./studio.js";

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

function show_players() {
  const mine = document.querySelector("#roles input:checked").value;
  const others = described.roles.filter((role) => role !== mine);
  const typed = Object.fromEntries([...document.querySelectorAll("#players input")].map((input) => [input.name, input.value]));
  by_id("players").hidden = others.length === 0;
  put(by_id("players"), make("legend", {}, "The others are played by"), others.map((role) => {
    const id = `player-${role}`;
    return make("div", { class: "field" }, make("label", { for: id }, role),
      make("input", { id, name: role, list: "player-names", value: typed[role] || "hyperplay", autocomplete: "off", spellcheck: "false" }));
  }));
}

function show_about() {
  put(by_id("about"), make("h2", {}, described.name), described.summary ? make("p", {}, described.summary) : null,
    described.sections.map((section) => [section.name ? make("h3", {}, section.name) : null, make("p", { class: "soft" }, section.text)]));
}

/** The games that were played last in this browser. */
function show_last() {
  let games = [];
  try {
    games = JSON.parse(localStorage.getItem("games") ?? "[]");
  } catch {
    games = [];
  }
  by_id("last").hidden = games.length === 0;
  put(by_id("last-games"), games.map((entry) => make("li", {}, make("a", { href: `/play/${encodeURIComponent(entry.id)}` }, entry.game),
    make("span", { class: "soft" }, ` as ${entry.role}, ${entry.over ? "over" : "going on"}, ${new Date(entry.at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })}`))));
}

function spec() {
  if (described.parameters.length === 0) return game.value;
  const values = [...by_id("parameters").querySelectorAll("input, select")].map((input) => `${input.name}=${input.value}`);
  return `${game.value}(${values.join(", ")})`;
}

async function start(event) {
  event.preventDefault();
  const players = Object.fromEntries([...document.querySelectorAll("#players input")].map((input) => [input.name, input.value]));
  const role = document.querySelector("#roles input:checked").value;
  by_id("start").disabled = true;
  put(by_id("starting"), make("span", { class: "busy" }, "getting the game ready"));
  try {
    const { session } = await ask("/play/new", { game: spec(), role, players, seconds: Number(by_id("seconds").value) });
    location.assign(`/play/${session}`);
  } catch (error) {
    show_problems(by_id("problems"), error);
    by_id("start").disabled = false;
    put(by_id("starting"));
  }
}

show_last();
choose_first();
game.addEventListener("change", () => describe(game.value));
by_id("set-up").addEventListener("submit", start);
describe(game.dataset.chosen || game.value);
