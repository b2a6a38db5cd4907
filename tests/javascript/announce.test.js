// What a screen reader hears of a new line.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";

open('<div id="feed"></div>');
const { sentence } = await import("../../static/js/announce.js");

test("a line keeps the dates it speaks of, and leaves out its own time", () => {
  const line = document.createElement("article");
  line.innerHTML = `<p>Gm moved the next session from <time datetime="2030-01-01T19:00Z">1 January 2030</time> to <time>2 January 2030</time>.</p>
    <a class="line-time" href="#"><time>20:15</time></a><button>Pin</button>`;
  assert.equal(sentence(line), "Gm moved the next session from 1 January 2030 to 2 January 2030.");
});
