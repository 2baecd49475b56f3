// Reloads the page's notice away when workers are there.

import { ask } from "./studio.js";

async function look() {
  try {
    const status = await ask("/status");
    if (status.ready) {
      document.getElementById("getting-ready")?.remove();
      return;
    }
  } catch {
    // the server may be on its way down; the next look tells
  }
  setTimeout(look, 1500);
}

look();
