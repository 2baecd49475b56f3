// The door to a class: a name, and in.

import { ask, by_id, show_problems } from "./studio.js";

by_id("join").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await ask("/join", { name: by_id("name").value });
    location.assign("/room");
  } catch (error) {
    show_problems(by_id("problems"), error);
  }
});
by_id("name").focus();
