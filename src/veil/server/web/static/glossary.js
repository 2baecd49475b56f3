// Words that are explained where they stand: a button with `data-term` opens the glossary at its word.

import { make, put } from "./studio.js";

let words = null; // the glossary, when it was asked for
const box = make("dialog", { class: "word-box", "aria-labelledby": "word-title" });

/** A word that opens its explanation. */
export const term = (word, shown = word) => make("button", { type: "button", class: "term", "data-term": word }, shown);

async function explain(word) {
  words ??= await (await fetch("/help/glossary")).json();
  put(box,
    make("h2", { id: "word-title" }, word),
    make("p", {}, words[word] ?? "There is no such word in the glossary."),
    make("div", { class: "row spread" }, make("a", { href: "/help#glossary-title" }, "All words"), make("button", { type: "button", class: "slim", onclick: () => box.close() }, "Close")));
  if (!box.isConnected) document.body.append(box);
  if (!box.open) box.showModal();
}

document.addEventListener("click", (event) => {
  const chosen = event.target.closest?.("[data-term]");
  if (chosen) explain(chosen.dataset.term);
  else if (event.target === box) box.close(); // outside of the box
});
