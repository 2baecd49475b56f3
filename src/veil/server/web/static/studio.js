// What all pages share: asking the server, following a job, making elements, showing what went wrong.
// Texts go into the page by textContent only, whatever they hold.

const SVG = "http://www.w3.org/2000/svg";

/** What the server said that somebody can repair: `problems` as in the terminal, in parts. */
export class Refusal extends Error {
  constructor(problems) {
    super(problems.map((entry) => entry.message).join("; "));
    this.problems = problems;
  }
}

/** The answer to a question, as data. With a body it is a POST. Throws a Refusal where the server refuses. */
export async function ask(path, body = undefined, signal = undefined) {
  const options = { headers: { accept: "application/json" }, signal };
  if (body !== undefined) {
    options.method = "POST";
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal([plain_problem("the studio does not answer", "is `veil studio` still running?")]);
  }
  let data = null;
  try {
    data = await response.json();
  } catch {
    data = null;
  }
  if (response.ok && data !== null) return data;
  throw new Refusal(data?.problems ?? [plain_problem(`the studio answered ${response.status}`, null)]);
}

export function plain_problem(message, hint) {
  return { severity: "error", message, hint, line: null, column: null };
}

/** Follow a job that the server was asked for: hear `progress` data, then `done` or `failed`. Returns how to end it. */
export function follow(job, { progress = () => {}, done = () => {}, failed = () => {} }) {
  const source = new EventSource(`/jobs/${encodeURIComponent(job)}`);
  const close = () => source.close();
  source.addEventListener("progress", (event) => progress(JSON.parse(event.data)));
  source.addEventListener("done", (event) => {
    close();
    done(JSON.parse(event.data));
  });
  source.addEventListener("failed", (event) => {
    close();
    failed(new Refusal(JSON.parse(event.data).problems));
  });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.OPEN) return;
    close();
    failed(new Refusal([plain_problem("the connection to the studio was lost", null)]));
  });
  window.addEventListener("pagehide", close, { once: true });
  return close;
}

/** An element: make("button", { class: "primary", onclick: f }, "text", child...). Attributes that are null are left out. */
export function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same in SVG. */
export function draw(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key.replace(/^on/, ""), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Put children in place of whatever an element holds. */
export function put(element, ...children) {
  element.replaceChildren();
  add(element, children);
  return element;
}

export const by_id = (id) => document.getElementById(id);

/** Show what went wrong in an element that screen readers watch; nothing clears it. */
export function show_problems(element, error) {
  if (error === null) {
    put(element);
    return;
  }
  const problems = error.problems ?? [plain_problem(String(error), null)];
  put(
    element,
    problems.map((entry) =>
      make(
        "div",
        { class: `problem ${entry.severity}` },
        make("p", { class: "problem-what" }, entry.line ? make("span", { class: "where" }, `line ${entry.line}`) : null, entry.message),
        entry.hint ? make("p", { class: "problem-hint" }, entry.hint) : null,
      ),
    ),
  );
}

/** A text of a comment in the rules: what stands between backticks is a word of the rules. */
export function with_code(text) {
  return text.split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part));
}

/** A probability for reading. */
export function percent(chance) {
  if (chance >= 1) return "certain";
  if (chance > 0.995) return "> 99 %";
  if (chance < 0.005) return "< 1 %";
  return `${Math.round(100 * chance)} %`;
}

/** A number of things in words. */
export function count_things(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Links between the pages of one game, or those `shown`. The open page is left out, and tournaments for guests of a class. */
export function show_links(element, game, shown = undefined) {
  const pages = { "/play": "Play", "/analysis": "Analysis", "/workbench": "Rules", "/review": "Review", "/matches": "Tournament" };
  put(element, Object.entries(pages).filter(([path]) => !shown || shown.includes(path)).filter(([path]) => path !== location.pathname && (path !== "/matches" || document.querySelector("header a[href='/matches']"))).map(([path, title]) =>
    make("a", { class: "button slim", href: `${path}?game=${encodeURIComponent(game)}` }, title)));
}
