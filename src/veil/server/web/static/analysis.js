// The analysis of a game: its size, a solver with a live curve, the policy by infoset, best responses, beliefs.

import { BoardView } from "./board.js";
import { draw_curve } from "./curve.js";
import { figure_buttons, save_file } from "./figures.js";
import { term } from "./glossary.js";
import { ask, by_id, count_things, make, percent, put, show_links, show_problems } from "./studio.js";

const PAUSE = 400; // milliseconds between two looks at a solver
const session_name = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
let game = null; // its name, as it was opened
let opened = null; // what the session said when it was opened
let page = 0;

const ask_session = (what, more = {}) => ask(`/analysis/${what}`, { session: session_name, game, ...more });
/** A number in a narrow column; tiny ones are rounding. */
const show_brief = (value) => (Math.abs(value) < 5e-4 ? "0" : String(Number(value.toFixed(Math.abs(value) < 10 ? 3 : 1))));
const show_number = (value) => (value === null ? "–" : value && Math.abs(value) < 1e-6 ? "less than 0.000001" : Number(value.toPrecision(6)).toString());

async function open(event) {
  event?.preventDefault();
  game = by_id("game").value.trim();
  by_id("open").disabled = true;
  put(by_id("size"), make("span", { class: "busy" }, "expanding the whole game"));
  try {
    show_links(by_id("game-links"), game);
    opened = await ask_session("open");
    show_problems(by_id("problems"), null);
    history.replaceState(null, "", `/analysis?game=${encodeURIComponent(game)}`);
    show_session();
  } catch (error) {
    by_id("session").hidden = true;
    show_problems(by_id("problems"), error);
  }
  by_id("open").disabled = false;
}

function show_session() {
  by_id("session").hidden = false;
  document.title = `${opened.game}: analysis · Veil`;
  show_size();
  for (const id of ["solve-card", "tree-card", "policy-card", "response-card"]) by_id(id).hidden = opened.size === null;
  const options = () => opened.roles.map((role) => make("option", { value: role }, role));
  put(by_id("role"), options());
  put(by_id("knower"), options());
  if (opened.roles.includes(by_id("knower").dataset.chosen)) by_id("knower").value = by_id("knower").dataset.chosen;
  put(by_id("responders"), opened.roles.map((role) => make("button", { type: "button", onclick: () => respond(role) }, role)));
  for (const id of ["response", "explored"]) put(by_id(id));
  show_course(opened);
  page = 0;
  folded = new Set();
  below = null;
  if (opened.size !== null) {
    browse();
    show_tree();
  }
  if (by_id("record").value.trim()) explore();
  if (opened.is_small && opened.policy === "uniform" && !opened.running) solve(); // never a guess under the word equilibrium
}

function show_size() {
  if (opened.size === null) {
    put(by_id("size"), make("p", {}, "This game is too large to be held as a whole, so it is not solved here."),
      make("p", {}, "What you can do with it:"),
      make("ul", {}, make("li", {}, "find out what a role can know, below"),
        make("li", {}, make("a", { href: `/play?game=${encodeURIComponent(game)}` }, "play it"), ", with hints by a player that searches"),
        make("li", {}, "choose smaller parameters, if the game has some: ", make("code", {}, "liars_dice(faces=3)"))),
      make("details", { class: "small" }, make("summary", {}, "Why it is too large"), opened.problems.map((entry) => make("p", { class: "soft" }, entry.message))));
    return;
  }
  const size = opened.size;
  const inner = size.nodes - size.terminals - size.chance_nodes;
  const rows = [
    [[term("node", "Nodes")], `${size.nodes.toLocaleString("en")}: ${count_things(inner, "decision")}, ${count_things(size.chance_nodes, "chance node")}, ${count_things(size.terminals, "end")}`],
    ["Depth", `${count_things(size.depth, "move")}, forced ones not counted`],
    ...Object.entries(size.infosets).map(([role, count]) => [role, [count_things(count, "infoset").replace(/infosets?$/, ""), term("infoset", count === 1 ? "infoset" : "infosets"), ` with ${count_things(size.slots[role], "move")} in all`]]),
    ...(opened.roles.length === 1 ? [["Kind", [term("decision problem"), ": one player and chance. The best plan is exact."]]]
      : [["Sum", opened.constant_sum ? "constant: what one wins, the others lose" : "varies: an equilibrium is one of several, and solvers are heuristics"]]),
  ];
  put(by_id("solve-title"), opened.roles.length === 1 ? "The best plan" : "Equilibrium");
  put(by_id("size"), make("dl", { class: "facts" }, rows.map(([label, text]) => [make("dt", {}, label), make("dd", {}, text)])));
}

// The solver

async function solve(event) {
  event?.preventDefault();
  try {
    show_problems(by_id("solve-problems"), null);
    show_course(await ask_session("solve", { method: by_id("method").value, seconds: Number(by_id("seconds").value) }));
    await watch();
  } catch (error) {
    show_problems(by_id("solve-problems"), error);
    set_running(false);
  }
}

async function watch() {
  let course = null;
  do {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    course = await ask_session("look");
    show_course(course);
  } while (course.running);
  await browse();
  await show_tree();
}

async function stop() {
  by_id("stop").disabled = true;
  try {
    show_course(await ask_session("stop"));
  } catch (error) {
    show_problems(by_id("solve-problems"), error);
  }
}

function set_running(running) {
  by_id("solve").disabled = running;
  by_id("stop").disabled = !running;
  put(by_id("solving"), running ? make("span", { class: "busy" }, "solving") : null);
}

const STOPS = { target: "as exact as it was asked for", seconds: "the time was up", exact: "exact", interrupted: "stopped by you", iterations: "after so many iterations" };

function show_course(course) {
  set_running(course.running);
  draw_curve(by_id("curve"), course.points, opened.unit);
  put(by_id("policy-name"), course.policy ? `now in the session: ${course.policy}` : null);
  if (course.value === undefined) return;
  const is_guess = course.policy === "uniform";
  put(by_id("guess"), is_guess && !course.running ? make("p", { class: "problem warning" }, "Not solved yet. The numbers below are those of uniform play: every move equally likely.") : null);
  const rows = [
    ...Object.entries(course.value).map(([role, value]) => [[term("value", "Value"), ` for ${role}`], [`${show_number(value)} ${opened.unit}`, make("span", { class: "soft" }, `; ${show_number(course.best_response[role])} by a `, term("best response"))]]),
    [term("exploitability", "Exploitability"), [show_number(course.exploitability), " (", term("NashConv"), ` ${show_number(course.nash_conv)})`]],
    ...(course.stopped_by ? [["Ended", STOPS[course.stopped_by]]] : []),
  ];
  put(by_id("worth"), rows.map(([label, text]) => [make("dt", {}, label), make("dd", {}, text)]));
  if (course.notes.length) show_problems(by_id("solve-problems"), { problems: course.notes });
}

async function load_policy(event) {
  const file = event.target.files[0];
  event.target.value = "";
  if (!file) return;
  try {
    show_course(await ask_session("load", { text: await file.text(), name: file.name.slice(0, 200) }));
    show_problems(by_id("solve-problems"), null);
    await browse();
  } catch (error) {
    show_problems(by_id("solve-problems"), error);
  }
}

async function save_policy() {
  try {
    const { text, name } = await ask_session("save");
    save_file(name, text, "application/json");
  } catch (error) {
    show_problems(by_id("solve-problems"), error);
  }
}

// The policy

async function browse(event) {
  event?.preventDefault();
  if (event) page = 0;
  try {
    const found = await ask_session("browse", { role: by_id("role").value, text: by_id("filter").value, page });
    put(by_id("browse-count"), count_things(found.count, "infoset"), found.count ? ", those first that come up most" : "");
    put(by_id("infosets"), found.infosets.map(show_infoset));
    by_id("pager").hidden = found.pages < 2;
    put(by_id("page-label"), `page ${found.page + 1} of ${found.pages.toLocaleString("en")}`);
    by_id("earlier").disabled = found.page === 0;
    by_id("later").disabled = found.page + 1 >= found.pages;
  } catch (error) {
    show_problems(by_id("problems"), error);
  }
}

function tell(words) {
  const told = words.filter((round) => round.move || round.sees);
  if (told.length === 0) return make("span", { class: "soft" }, words.length ? `after ${count_things(words.length, "round")} without news` : "at the start");
  return told.map((round) => make("span", { class: "told" }, round.move, round.sees ? make("em", {}, `${round.move ? ", told: " : ""}${round.sees}`) : null));
}

function show_infoset(entry) {
  const more = make("div", { class: "more-about" });
  return make(
    "li",
    { class: "infoset" },
    make("div", { class: "row spread" }, make("p", { class: "told-line" }, tell(entry.words)), make("span", { class: "tag", title: "how often the policy comes here" }, entry.reach > 0 ? percent(entry.reach) : "never")),
    make("table", { class: "moves-table" },
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "move"), make("th", { scope: "col" }, make("span", { class: "quiet-text" }, "as a bar")), make("th", { scope: "col", class: "number" }, "played"), make("th", { scope: "col", class: "number" }, "worth"))),
      make("tbody", {}, entry.moves.map((move) =>
        make("tr", {},
          make("th", { scope: "row" }, move.words),
          make("td", { class: "bar-cell" }, draw_bar(move.chance)),
          make("td", { class: "number" }, `${(100 * move.chance).toFixed(move.chance > 0 && move.chance < 0.1 ? 1 : 0)} %`),
          make("td", { class: "number soft", title: "what the move is worth here" }, move.value === null ? "–" : show_brief(move.value)))))),
    make("div", { class: "row" },
      make("button", { type: "button", class: "slim plain", onclick: () => inform(entry, more) }, "Value of information"),
      make("button", { type: "button", class: "slim plain", onclick: () => take_record(entry) }, "What is known here"),
      make("button", { type: "button", class: "slim plain", onclick: () => draw_below(entry) }, "Tree from here")),
    more,
  );
}

function draw_bar(share) {
  const bar = make("span", { class: "bar", role: "img", "aria-label": `${(100 * share).toFixed(1)} percent` }, make("span"));
  bar.firstChild.style.width = `${100 * share}%`;
  return bar;
}

async function inform(entry, more) {
  put(more, make("span", { class: "busy" }, "comparing plans with and without the percepts"));
  try {
    const { moves } = await ask_session("inform", { infoset: entry.infoset });
    if (moves === null) {
      put(more, make("p", { class: "soft small" }, "The others never let it come to this, so there is nothing to compare."));
      return;
    }
    put(more,
      make("table", { class: "small" },
        make("thead", {}, make("tr", {}, ["move", "with what it tells", "without", "worth of it"].map((text, index) => make("th", { scope: "col", class: index ? "number" : null }, text)))),
        make("tbody", {}, moves.map((move) => make("tr", {}, make("th", { scope: "row" }, move.words),
          [move.with, move.without, move.value].map((value) => make("td", { class: "number" }, value === null ? "needed" : show_number(value))))))),
      make("p", { class: "soft small" }, "The best plan after each move against the policy of the others, when its percepts are told and when they are not."));
  } catch (error) {
    show_problems(more, error);
  }
}

function take_record(entry) {
  by_id("knower").value = by_id("role").value;
  by_id("record").value = entry.record;
  explore();
  by_id("explore-title").scrollIntoView({ behavior: "smooth", block: "start" });
}

// The tree

let folded = new Set(); // nodes that were folded by hand
let below = null; // the role and the record after which the tree is drawn

const ask_tree = (form) => ask_session("tree", { form, folded: [...folded], max_nodes: Number(by_id("tree-nodes").value), ...(below ?? {}) });

async function show_tree() {
  try {
    const found = await ask_tree("page");
    const picture = new DOMParser().parseFromString(found.text, "image/svg+xml").documentElement;
    put(by_id("tree"), document.importNode(picture, true));
    put(by_id("tree-count"), found.drawn < found.nodes ? `${found.drawn.toLocaleString("en")} of ${count_things(found.nodes, "node")} are drawn; the number at a folded node says how many follow.` : "");
    by_id("whole-tree").hidden = below === null;
    show_problems(by_id("tree-problems"), null);
  } catch (error) {
    show_problems(by_id("tree-problems"), error);
  }
}

async function fold(event) {
  const chosen = event.target.closest?.("[data-node]");
  if (!chosen) return;
  const node = Number(chosen.dataset.node);
  if (!folded.delete(node)) folded.add(node);
  await show_tree();
}

async function save_tree(form) {
  try {
    const { text, name } = await ask_tree(form);
    save_file(`${name}.${form}`, text, form === "svg" ? "image/svg+xml" : "application/x-tex");
  } catch (error) {
    show_problems(by_id("tree-problems"), error);
  }
}

function draw_below(entry) {
  below = { role: by_id("role").value, record: entry.record };
  folded = new Set();
  show_tree();
  by_id("tree-title").scrollIntoView({ behavior: "smooth", block: "start" });
}

// Best responses

async function respond(role) {
  put(by_id("response"), make("span", { class: "busy" }, "looking for a best response"));
  try {
    const found = await ask_session("respond", { role });
    const gain = found.best - found.value;
    put(by_id("response"),
      make("p", {}, `${role} gets ${show_number(found.value)} by the policy and ${show_number(found.best)} by a best response: `, make("strong", {}, found.gains ? `${show_number(gain)} more` : "nothing to win"), "."),
      found.deviations.length
        ? make("div", { class: "scroll" }, make("table", { class: "small" },
            make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "where"), make("th", { scope: "col" }, "plays"), make("th", { scope: "col", class: "number" }, "policy"), make("th", { scope: "col", class: "number" }, "wins"))),
            make("tbody", {}, found.deviations.map((entry) => make("tr", {}, make("td", { class: "told-line" }, tell(entry.words)), make("th", { scope: "row" }, entry.move), make("td", { class: "number" }, entry.played.toFixed(3)), make("td", { class: "number" }, show_number(entry.gain)))))))
        : null,
      found.count > found.deviations.length ? make("p", { class: "soft small" }, `and ${count_things(found.count - found.deviations.length, "more infoset")}`) : null);
  } catch (error) {
    show_problems(by_id("response"), error);
  }
}

// Beliefs

async function explore(event) {
  event?.preventDefault();
  put(by_id("exploring"), make("span", { class: "busy" }, "looking for histories"));
  try {
    const found = await ask_session("explore", { role: by_id("knower").value, record: by_id("record").value, sampler: by_id("sampler").value });
    show_problems(by_id("explore-problems"), null);
    show_belief(found);
  } catch (error) {
    put(by_id("explored"));
    show_problems(by_id("explore-problems"), error);
  }
  put(by_id("exploring"));
}

function show_belief(found) {
  const area = make("div", { class: "board-area" });
  put(by_id("explored"),
    make("p", { class: "soft small" }, found.basis),
    area,
    make("details", {}, make("summary", {}, `The likeliest ${count_things(found.worlds.length, "world")}`),
      make("ol", { class: "worlds" }, found.worlds.map((world) => make("li", {}, make("span", { class: "tag" }, percent(world.chance)), " ",
        world.history.map((joint) => Object.entries(joint).map(([role, move]) => `${role} ${move}`).join(", ")).join("; ") || "the start")))));
  new BoardView(area, { choose: () => {} }).show(found.scene, []);
  by_id("explored").append(make("p", { class: "small soft" }, figure_buttons(area, () => `${opened.game}-belief`)));
}

by_id("open-form").addEventListener("submit", open);
by_id("solve-form").addEventListener("submit", solve);
by_id("stop").addEventListener("click", stop);
by_id("save").addEventListener("click", save_policy);
by_id("policy-file").addEventListener("change", load_policy);
by_id("browse-form").addEventListener("submit", browse);
by_id("role").addEventListener("change", browse);
by_id("tree").addEventListener("click", fold);
by_id("tree-nodes").addEventListener("change", show_tree);
by_id("tree-svg").addEventListener("click", () => save_tree("svg"));
by_id("tree-tex").addEventListener("click", () => save_tree("tex"));
by_id("whole-tree").addEventListener("click", () => { below = null; folded = new Set(); show_tree(); });
by_id("earlier").addEventListener("click", () => { page -= 1; browse(); });
by_id("later").addEventListener("click", () => { page += 1; browse(); });
by_id("explore-form").addEventListener("submit", explore);
open();
