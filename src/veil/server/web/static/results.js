// Results of matches: cross tables with a heat map, or the matches of a log, replayed on boards.

import { BoardView } from "./board.js";
import { ask, by_id, count_things, follow, make, put, show_problems } from "./studio.js";

const { file, kind } = by_id("results").dataset;
const query = `file=${encodeURIComponent(file)}`;
const board = kind === "log" ? new BoardView(by_id("board"), { choose: () => {} }) : null;
let match = null; // of the list
let rounds = [];
let end_replay = null;

const show_mean = (mean) => (mean === null ? "–" : mean.toFixed(1));

async function open() {
  try {
    const found = await ask(`/matches/open?${query}`);
    if (kind === "store") show_tables(found);
    else show_matches(found);
  } catch (error) {
    put(by_id("opened"));
    show_problems(by_id("problems"), error);
  }
}

// Tournaments

function show_tables(found) {
  put(by_id("opened"),
    make("p", { class: "row" }, count_things(found.matches, "match", "matches"), make("a", { class: "button slim", href: `/matches/csv?${query}`, download: "" }, "Download as CSV")),
    found.tables.map(show_table));
}

function show_table(table) {
  const players = Object.keys(table.players);
  const met = new Map(table.cross.map((entry) => [`${entry.player}\n${entry.against}`, entry]));
  const means = table.cross.map((entry) => entry.mean).filter((mean) => mean !== null);
  const [low, high] = [Math.min(...means), Math.max(...means)];
  const head = make("tr", {}, make("th", { scope: "col" }, "player"), make("th", { scope: "col", class: "number" }, "mean goal"), table.cross.length ? players.map((name) => make("th", { scope: "col" }, `against ${name}`)) : null, make("th", { scope: "col", class: "number" }, "errors"));
  const rows = players.map((name) => make("tr", {},
    make("th", { scope: "row" }, name),
    make("td", { class: "number" }, show_mean(table.players[name].mean), spread(table.players[name])),
    table.cross.length ? players.map((other) => heat_cell(met.get(`${name}\n${other}`), low, high)) : null,
    make("td", { class: "number" }, table.players[name].errors)));
  return make("section", { class: "card", "aria-label": table.game },
    make("h2", {}, table.game),
    make("div", { class: "scroll" }, make("table", { class: "cross" }, make("thead", {}, head), make("tbody", {}, rows))),
    make("p", { class: "small soft" }, `The row's mean goal against the column; ± is half of a 95 % interval.${table.unfinished ? ` ${count_things(table.unfinished, "match has", "matches have")} not ended and count for nothing.` : ""}`));
}

const spread = (mean) => (mean.ci95 === null ? null : make("small", { class: "soft" }, ` ± ${mean.ci95.toFixed(1)}`));

function heat_cell(entry, low, high) {
  if (!entry || entry.mean === null) return make("td", { class: "soft" }, "–");
  const share = (entry.mean - low) / (high - low || 1);
  const cell = make("td", { class: `met ${share < 0.5 ? "heat-low" : "heat-high"}`, title: count_things(entry.matches, "match", "matches") },
    show_mean(entry.mean), entry.ci95 === null ? null : make("small", {}, `± ${entry.ci95.toFixed(1)}`));
  cell.style.setProperty("--heat", `${Math.round(70 * Math.abs(share - 0.5))}%`);
  return cell;
}

// Logs

function show_matches(found) {
  put(by_id("opened"), make("div", { class: "card scroll" }, make("table", {},
    make("thead", {}, make("tr", {}, ["match", "game", "players and goals", "rounds", "errors", ""].map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, found.matches.map((entry) => make("tr", {},
      make("td", {}, entry.number + 1),
      make("td", {}, entry.game),
      make("td", {}, Object.entries(entry.players).map(([role, spec]) => make("div", {}, `${role} ${spec}: ${entry.goals[role]}`))),
      make("td", { class: "number" }, entry.rounds, entry.finished ? "" : " (not ended)"),
      make("td", { class: "number" }, entry.errors),
      make("td", {}, make("button", { type: "button", class: "slim", onclick: () => choose(entry) }, "Replay"))))))),
    found.count > found.matches.length ? make("p", { class: "soft small" }, `and ${found.count - found.matches.length} more`) : null);
  if (found.matches.length === 1) choose(found.matches[0]);
}

function choose(entry) {
  match = entry;
  by_id("match").hidden = false;
  put(by_id("match-title"), `Match ${entry.number + 1}: ${entry.game}`);
  put(by_id("view"), make("option", { value: "" }, "the referee"), Object.keys(entry.players).map((role) => make("option", { value: role }, role)));
  replay();
  by_id("match").scrollIntoView({ behavior: "smooth" });
}

async function replay() {
  end_replay?.();
  const view = by_id("view").value;
  rounds = [];
  put(by_id("round-label"), make("span", { class: "busy" }, "replaying"));
  try {
    const { job } = await ask("/matches/replay", { file, number: match.number, game: match.game, view });
    show_problems(by_id("match-problems"), null);
    end_replay = follow(job, {
      progress: (round) => {
        rounds.push(round);
        by_id("round").max = rounds.length - 1;
        if (rounds.length === 1 || Number(by_id("round").value) >= rounds.length - 1) show_round();
        else show_label();
      },
      done: show_label,
      failed: (error) => show_problems(by_id("match-problems"), error),
    });
    by_id("round").value = 0;
  } catch (error) {
    show_problems(by_id("match-problems"), error);
  }
}

function show_label() {
  const number = Number(by_id("round").value);
  put(by_id("round-label"), number === 0 ? `the start, of ${count_things(rounds.length - 1, "round")}` : `after round ${number} of ${rounds.length - 1}`);
}

function show_round() {
  const round = rounds[Number(by_id("round").value)];
  if (!round) return;
  show_label();
  if (round.scene) board.show(round.scene, []);
  else put(by_id("board"));
  put(by_id("basis"), round.basis ?? "");
  const role = by_id("view").value;
  put(by_id("story"),
    make("h2", {}, round.round === 0 ? "The start" : `Round ${round.round}`),
    Object.entries(round.moves ?? {}).map(([name, move]) => make("p", {}, make("strong", {}, name), ` ${move}`,
      round.sees?.[name]?.length ? make("span", { class: "soft" }, `; sees ${round.sees[name].join(", ")}`) : null,
      round.errors?.[name] ? make("span", { class: "tag bad" }, round.errors[name]) : null)),
    Object.entries(round.thoughts ?? {}).map(([name, thought]) => show_thought(name, thought)),
    role && round.record !== undefined ? make("p", { class: "small" }, make("a", { href: `/analysis?game=${encodeURIComponent(match.game)}&role=${encodeURIComponent(role)}&record=${encodeURIComponent(round.record)}` }, "Explore what is known here")) : null);
}

function show_thought(name, thought) {
  return make("section", { class: "thought" },
    make("h3", {}, `What ${name} thought`),
    thought.moves.length ? make("table", { class: "small" }, make("tbody", {}, thought.moves.slice(0, 12).map((move) => make("tr", {}, make("th", { scope: "row" }, move.words), make("td", { class: "number" }, move.value === null ? "" : move.value.toFixed(1)), make("td", { class: "number" }, move.chance === null ? "" : `${Math.round(100 * move.chance)} %`))))) : null,
    thought.notes.length ? make("p", { class: "small soft" }, thought.notes.join(" · ")) : null);
}

if (kind === "log") {
  by_id("view").addEventListener("change", replay);
  by_id("round").addEventListener("input", show_round);
  by_id("earlier").addEventListener("click", () => step(-1));
  by_id("later").addEventListener("click", () => step(1));
}

function step(by) {
  const slider = by_id("round");
  slider.value = Number(slider.value) + by;
  show_round();
}

open();
