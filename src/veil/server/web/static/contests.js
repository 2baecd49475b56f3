// The form that starts a tournament: games, players by menu with their options explained, and terms.

import { ask, by_id, make, put, show_problems } from "./studio.js";

const games = [];
let rows = []; // of the table of players

function add_game(name) {
  if (name && !games.includes(name)) games.push(name);
  put(by_id("chosen-games"), games.map((game) => make("span", { class: "tag" }, game.replace(/^own:/, ""),
    make("button", { type: "button", class: "slim plain", "aria-label": `Remove ${game}`, onclick: () => { games.splice(games.indexOf(game), 1); add_game(""); } }, "×"))));
  count();
}

function add_player(name) {
  const number = by_id("entrants").children.length + 1;
  const options = make("div", { class: "options" });
  const menu = make("select", { "aria-label": `Player ${number}`, onchange: () => show_options(menu.value, options) },
    rows.map((row) => make("option", { value: row.name, selected: row.name === name }, row.name)));
  const entry = make("li", { class: "stack" }, make("div", { class: "row" }, menu, make("span", { class: "small soft summary" }),
    make("button", { type: "button", class: "slim plain", "aria-label": `Remove player ${number}`, onclick: () => { entry.remove(); count(); } }, "×")), options);
  by_id("entrants").append(entry);
  show_options(menu.value, options);
  count();
}

/** The options of a player: what each means, and its default as a placeholder. */
function show_options(name, box) {
  const row = rows.find((entry) => entry.name === name);
  put(box.parentElement.querySelector(".summary"), row.summary);
  put(box, row.options.length ? make("details", {}, make("summary", { class: "small" }, "Options"), make("div", { class: "option-list" }, row.options.map((option) => {
    const label = `${name}: ${option.name}`;
    const listed = option.kind === "bool" ? ["true", "false"] : option.kind.split(" or ");
    const words = listed.includes(option.default) ? listed : null; // otherwise it is a type
    const field = words
      ? make("select", { name: option.name, "aria-label": label }, words.map((word) => make("option", { value: word === option.default ? "" : word, selected: word === option.default }, word)))
      : make("input", { name: option.name, placeholder: option.default, "aria-label": label, spellcheck: "false", autocomplete: "off" });
    return make("label", { class: "field small" }, option.name, field, make("span", { class: "soft" }, option.about || option.kind));
  }))) : null);
}

function specs() {
  return [...by_id("entrants").children].map((entry) => {
    const given = [...entry.querySelectorAll("[name]")].filter((input) => input.value.trim()).map((input) => `${input.name}=${input.value.trim()}`);
    return entry.querySelector("select").value + (given.length ? `:${given.join(",")}` : "");
  });
}

function count() {
  put(by_id("count"), `${games.length} ${games.length === 1 ? "game" : "games"}, ${by_id("entrants").children.length} players`);
}

async function start(event) {
  event.preventDefault();
  by_id("start").disabled = true;
  try {
    const seconds = by_id("seconds").value;
    const { contest } = await ask("/contests/new", { games, players: specs(), matches: Number(by_id("number").value), seconds: seconds ? Number(seconds) : null, jobs: Number(by_id("jobs").value), seed: Number(by_id("seed").value) });
    location.assign(`/contests/${contest}`);
  } catch (error) {
    show_problems(by_id("problems"), error);
    by_id("start").disabled = false;
  }
}

async function begin() {
  try {
    rows = await ask("/contests/players");
    add_game(by_id("games").dataset.chosen || "kuhn_poker");
    for (const name of ["hyperplay", "random"]) add_player(name);
  } catch (error) {
    show_problems(by_id("problems"), error);
  }
}

by_id("games").addEventListener("change", (event) => { add_game(event.target.value); event.target.value = ""; });
by_id("add-player").addEventListener("click", () => add_player("random"));
by_id("contest").addEventListener("submit", start);
begin();
