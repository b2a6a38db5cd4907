// A row of boxes at the table: a press shows at once, and nothing that is older than it sets it back.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { open, settled } from "./page.js";

open(`<div data-marks="/marks/"><div class="errors"></div>
  <span role="slider" data-of="stress" aria-valuemin="0" aria-valuemax="9" aria-valuenow="0"></span></div>`);
document.body.setAttribute("hx-headers", "{}");
await import("../../static/js/marks.js");

const slider = document.querySelector("[role=slider]");
const BOXES = '<span class="dot"></span>'.repeat(9);
const shown = () => [Number(slider.ariaValueNow), slider.querySelectorAll(".dot.on").length];
const press = (key) => slider.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

let requests; // those that are unanswered, the first first
globalThis.fetch = (_url, { body }) => new Promise((answer) => {
  requests.push({ fields: Object.fromEntries(body), answer: (status) =>
    answer({ status, type: "basic", ok: status < 300, headers: new Headers({ "HX-Retarget": "#x" }), text: async () => "<li>No.</li>" }) });
});
const answered = async (status = 204) => {
  requests.shift().answer(status);
  await settled();
};

// What is stored by now, as the socket puts it on the page.
const place = (value, most = 9) => {
  slider.innerHTML = `<span class="cell" data-value="${value}" data-of="${most}">${BOXES}</span>`;
  slider.firstElementChild.dispatchEvent(new CustomEvent("afterburn:placed", { bubbles: true }));
};

beforeEach(async () => {
  for (requests ??= []; requests.length; await answered());
  place(9);
  place(0);
});

test("a press shows at once, and the next one goes on from there", () => {
  press("ArrowRight");
  press("ArrowRight");
  assert.deepEqual(shown(), [2, 2]);
  assert.deepEqual(requests.map(({ fields: { more, by } }) => [more, by]), [["stress", "1"], ["stress", "1"]]);
});

test("what comes of an earlier press does not set back what a later one has set", async () => {
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight"]) press(key);
  const seen = [];
  for (const value of [1, 2, 3]) {
    await answered();
    place(value);
    seen.push(shown());
  }
  assert.deepEqual(seen, [[3, 3], [3, 3], [3, 3]]);
});

test("neither does it when all have been answered before any is heard of", async () => {
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowRight"]) press(key);
  for (let request = 0; request < 4; request += 1) await answered();
  const seen = [1, 2, 1, 2].map((value) => {
    place(value);
    return shown()[0];
  });
  assert.deepEqual(seen, [2, 2, 2, 2]);
});

test("what somebody else does counts beside it", async () => {
  press("ArrowRight");
  place(4);
  assert.deepEqual(shown(), [5, 5]);
  await answered();
  place(5);
  assert.deepEqual(shown(), [5, 5]);
  place(2);
  assert.deepEqual(shown(), [2, 2]);
});

test("what is refused is as it was, and what was pressed after it stays", async () => {
  press("ArrowRight");
  press("ArrowRight");
  await answered(422);
  assert.deepEqual(shown(), [1, 1]);
  await answered();
  place(1);
  assert.deepEqual(shown(), [1, 1]);
});

test("a track that is shorter by now shows no more than it has", () => {
  press("End");
  place(3, 4);
  assert.deepEqual(shown(), [4, 4]);
});
