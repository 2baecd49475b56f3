// A review that is being made: its steps, the page so far, Stop, and the page as a file.

import { ask, by_id, follow, make, put, show_links, show_problems } from "./studio.js";

/** Begin a review in an element. `question` is what the server is asked; `ended` is called at its end, also after Stop. */
export async function run_review(target, path, question, name, ended) {
  const task = make("p", { class: "soft", role: "status" }, make("span", { class: "busy" }, "reading the rules"));
  const bar = make("progress", { max: 1, value: 0, "aria-label": "Work that is done" });
  const stop = make("button", { type: "button", class: "slim" }, "Stop");
  const head = make("div", { class: "review-head" }, make("div", { class: "row spread" }, task, stop), bar);
  const box = make("div");
  put(target, head, box);
  try {
    const { job } = await ask(path, question);
    const close = follow(job, {
      progress: (step) => {
        put(task, make("span", { class: "busy" }, step.task));
        bar.value = step.share;
        if (step.page) show_page(box, step.page);
      },
      done: (answer) => {
        show_page(box, answer.page);
        put(head, make("button", { type: "button", class: "slim", onclick: () => download(answer.document, name) }, "Download the page"));
        ended(answer);
      },
      failed: (error) => {
        put(head);
        show_problems(box, error);
        ended(null);
      },
    });
    stop.addEventListener("click", () => {
      close();
      put(head, make("p", { class: "soft", role: "status" }, box.children.length ? "Stopped. This is what was found before." : "Stopped."));
      ended(null);
    });
  } catch (error) {
    put(head);
    show_problems(box, error);
    ended(null);
  }
}

/** The page as elements: the server has escaped all texts, and the policy of the studio runs no script in it. */
function show_page(box, html) {
  box.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
}

function download(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/html" }));
  make("a", { href: address, download: `${name}-review.html` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function begin(event) {
  event?.preventDefault();
  const game = by_id("game").value.trim();
  show_links(by_id("game-links"), game);
  by_id("review").disabled = true;
  history.replaceState(null, "", `/review?game=${encodeURIComponent(game)}`);
  run_review(by_id("review-result"), "/review", { game, seconds: Number(by_id("seconds").value) }, game.replace(/^own:/, ""), () => { by_id("review").disabled = false; });
}

if (by_id("review-form")) {
  by_id("review-form").addEventListener("submit", begin);
  show_links(by_id("game-links"), by_id("game").value);
}
