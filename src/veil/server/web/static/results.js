// Results of matches: tournaments that are played, tables with a ranking, the matches of a cell or a log, replayed.

import { BoardView } from "./board.js";
import { figure_buttons } from "./figures.js";
import { ask, by_id, count_things, follow, make, plain_problem, put, Refusal, show_problems } from "./studio.js";

const { base, file, kind } = by_id("results").dataset;
const query = file === undefined ? "" : `file=${encodeURIComponent(file)}&`;
const board = new BoardView(by_id("board"), { choose: () => {} });
const PAUSE = 2000; // milliseconds
let match = null; // of the list
let given = null; // the text of a file, and its name
let rounds = [];
let end_replay = null;
let drawn = ""; // the tables that are shown

const show_mean = (mean) => (mean === null ? "–" : mean.toFixed(1));

async function open() {
  try {
    if (kind === "contest") return await watch();
    if (kind === "given") return await open_given();
    const found = await ask(`/matches/open?${query}`);
    if (kind === "store") show_tables(found);
    else show_matches(found);
  } catch (error) {
    put(by_id("opened"));
    show_problems(by_id("problems"), error);
  }
}

/** A match that somebody has opened from a file: the text stays in the browser. */
async function open_given() {
  given = JSON.parse(sessionStorage.getItem("match") ?? "null");
  if (given === null) throw new Refusal([plain_problem("no file is open in this tab", "open it again, on the page Play")]);
  put(by_id("results"), given.name);
  show_matches(await ask(`${base}/open`, { text: given.text, name: given.name.slice(0, 200) }));
}

// Tournaments that are played here

const STATES = { open: "It takes entries.", running: "It is played.", stopped: "It was stopped; what was played stays.", done: "It is over.", failed: "It has failed." };

async function watch() {
  try {
    show_contest(await ask(`${base}/state`));
  } catch (error) {
    show_problems(by_id("problems"), error);
  }
  setTimeout(watch, PAUSE);
}

function show_contest(contest) {
  const { report, state } = contest;
  put(by_id("state"), STATES[state], report?.total ? ` ${report.done.toLocaleString("en")} of ${count_things(report.total, "match", "matches")}.` : "",
    state === "open" ? ` ${contest.players.length} players and ${contest.games.length} games so far.` : "");
  by_id("progress").hidden = state !== "running" || !report?.total;
  by_id("progress").value = report?.total ? report.done / report.total : 0;
  if (by_id("go")) {
    by_id("go").hidden = state === "running" || state === "done";
    put(by_id("go"), state === "open" ? "Start" : "Go on");
    by_id("halt").hidden = state !== "running";
  }
  show_problems(by_id("problems"), contest.problems);
  const text = JSON.stringify(report?.tables ?? []);
  if (text === drawn) return;
  drawn = text;
  if (report?.tables?.length) show_tables(report);
  else put(by_id("opened"), make("p", { class: "soft" }, state === "running" ? "The first table appears when everybody has played." : `${contest.players.join(" · ") || "Nobody has entered yet."}`));
}

async function tell(word) {
  try {
    await ask(`${base}/${word}`, {});
    if (word === "delete") location.assign("/matches");
    else show_contest(await ask(`${base}/state`));
  } catch (error) {
    show_problems(by_id("problems"), error);
  }
}

function show_tables(found) {
  put(by_id("opened"),
    make("p", { class: "row" }, count_things(found.matches, "match", "matches"), make("a", { class: "button slim", href: `${base}/csv?${query}`, download: "" }, "Download as CSV")),
    found.ranking ? show_ranking(found.ranking) : null,
    found.tables.map(show_table));
}

/** Players over all games: mean rank, Elo, and how many goals each is ahead of those below it, on the same deals. */
function show_ranking(ranking) {
  const names = ranking.players.map((entry) => entry.player);
  const ahead = new Map(ranking.differences.map((entry) => [`${entry.player}\n${entry.other}`, entry]));
  const has_elo = ranking.players.some((entry) => entry.elo !== null);
  const cell = (name, other) => {
    const entry = ahead.get(`${name}\n${other}`);
    return make("td", { class: "number" }, entry ? [entry.mean.toFixed(1), spread(entry), entry.shown ? make("strong", { title: "chance does not explain it" }, " *") : null] : "");
  };
  const head = ["player", "mean rank", has_elo ? "Elo" : null, ...names.slice(1).map((name) => `ahead of ${name}`)].filter(Boolean);
  return make("section", { class: "card", "aria-label": "Ranking" },
    make("h2", {}, ranking.games.length === 1 ? "Ranking" : `Ranking over ${ranking.games.length} games`),
    make("div", { class: "scroll" }, make("table", { class: "ranking" },
      make("thead", {}, make("tr", {}, head.map((text, column) => make("th", { scope: "col", class: column ? "number" : null }, text)))),
      make("tbody", {}, ranking.players.map((entry) => make("tr", {}, make("th", { scope: "row" }, entry.player), make("td", { class: "number" }, entry.rank.toFixed(2)),
        has_elo ? make("td", { class: "number" }, Math.round(entry.elo), entry.elo_ci95 === null ? null : make("small", { class: "soft" }, ` ± ${Math.round(entry.elo_ci95)}`)) : null,
        names.slice(1).map((other) => cell(entry.player, other))))))),
    make("p", { class: "small soft" }, `Goals ahead on the same ${count_things(ranking.numbers, "deal")}. * marks differences that chance does not explain, all together with 95 %. The mean of all Elo numbers is 1500.`));
}

function show_table(table) {
  const players = Object.keys(table.players).sort((one, other) => (table.players[other].mean ?? -1) - (table.players[one].mean ?? -1)); // the best first
  const met = new Map(table.cross.map((entry) => [`${entry.player}\n${entry.against}`, entry]));
  const means = table.cross.map((entry) => entry.mean).filter((mean) => mean !== null);
  const [low, high] = [Math.min(...means), Math.max(...means)];
  const head = make("tr", {}, make("th", { scope: "col" }, "player"), make("th", { scope: "col", class: "number" }, "mean goal"), table.cross.length ? players.map((name) => make("th", { scope: "col", class: "against" }, `against ${name}`)) : null, make("th", { scope: "col", class: "number" }, "errors"));
  const rows = players.map((name) => make("tr", {},
    make("th", { scope: "row" }, name),
    make("td", { class: "number" }, make("button", { type: "button", class: "slim plain", title: "Its matches", onclick: () => open_cell(table.game, name, "") }, show_mean(table.players[name].mean), spread(table.players[name]))),
    table.cross.length ? players.map((other) => heat_cell(met.get(`${name}\n${other}`), low, high, table.game)) : null,
    make("td", { class: "number" }, table.players[name].errors)));
  return make("section", { class: "card", "aria-label": table.game },
    make("h2", {}, table.game),
    make("div", { class: "scroll" }, make("table", { class: "cross" }, make("thead", {}, head), make("tbody", {}, rows))),
    make("p", { class: "small soft" }, `The row's mean goal against the column; ± is half of a 95 % interval.${table.unit ? ` In this game, ${table.unit}.` : ""}${table.unfinished ? ` ${count_things(table.unfinished, "match has", "matches have")} not ended and count for nothing.` : ""}`));
}

const spread = (mean) => (mean.ci95 === null ? null : make("small", { class: "soft" }, ` ± ${mean.ci95.toFixed(1)}`));

function heat_cell(entry, low, high, game) {
  if (!entry || entry.mean === null) return make("td", { class: "soft nobody" }, "–");
  const share = (entry.mean - low) / (high - low || 1);
  const cell = make("td", { class: `met ${share < 0.5 ? "heat-low" : "heat-high"}` },
    make("button", { type: "button", class: "cell-button", title: count_things(entry.matches, "match", "matches"), "aria-label": `${entry.player} against ${entry.against}: ${show_mean(entry.mean)}; show the matches`, onclick: () => open_cell(game, entry.player, entry.against) },
      show_mean(entry.mean), entry.ci95 === null ? null : make("small", {}, `± ${entry.ci95.toFixed(1)}`)));
  cell.style.setProperty("--heat", `${Math.round(70 * Math.abs(share - 0.5))}%`);
  return cell;
}

/** The matches of a cell; those whose logs were kept can be replayed. */
async function open_cell(game, player, against) {
  by_id("cell").hidden = false;
  put(by_id("cell-title"), against ? `${game}: ${player} against ${against}` : `${game}: matches of ${player}`);
  put(by_id("cell-matches"), make("span", { class: "busy" }, "reading"));
  by_id("cell").scrollIntoView({ behavior: "smooth", block: "nearest" });
  try {
    const found = await ask(`${base}/cell?${query}${new URLSearchParams({ game, player, against })}`);
    put(by_id("cell-matches"), make("div", { class: "scroll cell-list" }, make("table", {},
      make("thead", {}, make("tr", {}, ["match", "seats and goals", "rounds", ""].map((text) => make("th", { scope: "col", class: text === "rounds" ? "number" : null }, text)))),
      make("tbody", {}, found.matches.map((entry) => make("tr", {},
        make("td", {}, entry.number + 1),
        make("td", {}, entry.seats.map((spec, seat) => make("div", {}, `${spec}: ${entry.goals[seat]}`))),
        make("td", { class: "number" }, entry.rounds, entry.finished ? "" : " (not ended)"),
        make("td", {}, entry.kept ? make("button", { type: "button", class: "slim", onclick: () => choose(entry) }, "Replay") : make("span", { class: "soft small" }, "no log"))))))),
      found.matches.some((entry) => !entry.kept) ? make("p", { class: "small soft" }, "A store keeps logs with veil tournament --logs.") : null,
      found.count > found.matches.length ? make("p", { class: "soft small" }, `and ${found.count - found.matches.length} more`) : null);
  } catch (error) {
    show_problems(by_id("cell-matches"), error);
  }
}

// Logs

function show_matches(found) {
  put(by_id("opened"), make("div", { class: "card scroll" }, make("table", {},
    make("thead", {}, make("tr", {}, ["match", "game", "players and goals", "rounds", "errors", ""].map((text) => make("th", { scope: "col", class: ["rounds", "errors"].includes(text) ? "number" : null }, text)))),
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
  put(by_id("view"), make("option", { value: "" }, "the referee"), Object.keys(entry.players ?? {}).map((role) => make("option", { value: role }, role)));
  replay();
  by_id("match").scrollIntoView({ behavior: "smooth" });
}

async function replay() {
  end_replay?.();
  const view = by_id("view").value;
  rounds = [];
  by_id("round").max = 0;
  put(by_id("round-label"), make("span", { class: "busy" }, "replaying"));
  try {
    const { job } = await ask(`${base}/replay`, { ...(file === undefined ? {} : { file }), ...(given === null ? {} : { text: given.text, name: given.name.slice(0, 200) }), ...(match.seats ? { seats: match.seats } : {}), number: match.number, game: match.game, view });
    show_problems(by_id("match-problems"), null);
    end_replay = follow(job, {
      progress: (round) => {
        if (round.roles) return add_views(round.roles);
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

/** The views of a match of a store, whose roles are known when it is opened. */
function add_views(roles) {
  const view = by_id("view");
  for (const role of roles) if (![...view.options].some((option) => option.value === role)) view.append(make("option", { value: role }, role));
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

by_id("basis").after(make("p", { class: "small soft" }, figure_buttons(by_id("board"), () => `${match?.game ?? "match"}-round-${by_id("round").value}`)));
by_id("view").addEventListener("change", replay);
by_id("round").addEventListener("input", show_round);
by_id("earlier").addEventListener("click", () => step(-1));
by_id("later").addEventListener("click", () => step(1));
by_id("go")?.addEventListener("click", () => tell("go"));
by_id("halt")?.addEventListener("click", () => tell("stop"));
by_id("delete")?.addEventListener("click", () => { if (confirm("Delete this tournament with its matches?")) tell("delete"); });

function step(by) {
  const slider = by_id("round");
  slider.value = Number(slider.value) + by;
  show_round();
}

open();
