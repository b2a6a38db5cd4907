// The fields of a sheet: what sets one follows its display, and never loses what somebody is writing.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { open, settled } from "./page.js";

mock.timers.enable({ apis: ["setTimeout"] });
open(`<div class="sheet" data-field-url="/field/">
  <input id="why"><button data-undo hidden></button>
  <div class="entry" id="name"><span class="cell" data-value="Mo">Mo</span><input data-input aria-label="Name"></div>
  <div class="entry" id="harm"><span class="cell" data-value="1" data-of="2">1</span>
    <div class="steps" aria-label="Harm"><button data-step="0"></button><button data-step="1"></button><button data-step="2"></button><button data-step="3"></button></div></div>
  <div class="entry" id="coin"><span class="cell" data-value="12">12</span><input data-input data-minimum="0" aria-label="Coin"></div>
  <div class="entry" id="mood"><span class="cell" data-value="1">1</span><input data-input data-minimum="-5" aria-label="Mood"></div>
</div>`);
document.body.setAttribute("hx-headers", "{}");
const { choose, dirty, leave, of, preview, read, save, take, unsaved } = await import("../../static/js/sheet/entries.js");

const element = document.getElementById("name");
const input = element.querySelector("input");
const cell = element.querySelector(".cell");
const why = document.getElementById("why");
const announced = () => document.getElementById("announcer").textContent;

let requests;
let answers;
globalThis.fetch = (url, { body }) => {
  requests.push({ url, ...Object.fromEntries(body) });
  const [status, html] = answers.shift() ?? [200, ""];
  return Promise.resolve({ status, type: "basic", ok: status < 300, headers: new Headers({ "HX-Retarget": "#x" }), text: async () => html });
};
let entry;
beforeEach(() => {
  requests = [];
  answers = [];
  input.blur();
  cell.dataset.value = "Mo";
  element.querySelector(".errors")?.replaceChildren();
  element.className = "entry";
  entry = take(element, "name");
});

// What somebody else has saved, as the socket puts it on the page.
const elsewhere = (value) => {
  cell.dataset.value = value;
  cell.dispatchEvent(new CustomEvent("afterburn:placed", { bubbles: true }));
};

test("undoing is offered once something has been saved, and not for what stays as it was", async () => {
  const undo = document.querySelector("[data-undo]");
  answers = [[422, "No"], [200, ""], [200, ""]];
  for (const [value, hidden] of [["Mx", true], ["Mo", true], ["Max", false]]) {
    await save(entry, value);
    assert.equal(undo.hidden, hidden, value);
  }
  undo.hidden = true;
});

test("it begins with what is displayed", () => {
  assert.equal(input.value, "Mo");
  assert.equal(of(input), entry);
  assert.equal(dirty(entry), false);
});

test("a field that nobody writes in follows its display", () => {
  elsewhere("Maud");
  assert.equal(input.value, "Maud");
  assert.equal(dirty(entry), false);
});

test("one that somebody writes in stays, and says that it was changed", () => {
  input.value = "Mona";
  elsewhere("Maud");
  assert.equal(input.value, "Mona");
  assert.ok(element.classList.contains("differs"));
  assert.equal(announced(), "Someone else changed Name.");
});

test("a save says what its writer saw, and why", async () => {
  input.value = "Mona";
  why.value = " married ";
  leave(entry);
  assert.equal(unsaved(entry), true);
  await settled();
  const { key, ...fields } = requests[0];
  assert.deepEqual(fields, { url: "/field/", field: "name", value: "Mona", expected: "Mo", why: "married" });
  assert.equal(why.value, "");
  assert.equal(unsaved(entry), false);
  assert.equal(element.querySelector(".beside").textContent, "saved");
});

test("what is wanted while it is being sent goes out next, based on what was saved then", async () => {
  save(entry, "one");
  save(entry, "two");
  save(entry, "three");
  await settled(40);
  assert.deepEqual(requests.map(({ value, expected }) => [value, expected]), [["one", "Mo"], ["three", "one"]]);
});

test("what is refused stays typed, says why, and goes out again when it is another", async () => {
  answers = [[422, "<ul><li>Too long.</li></ul>"]];
  input.value = "Monamonamona";
  why.value = "for fun";
  leave(entry);
  await settled();
  assert.equal(input.value, "Monamonamona");
  assert.equal(element.querySelector(".errors").textContent, "Too long.");
  assert.equal(why.value, "for fun");
  leave(entry);
  await settled();
  assert.equal(requests.length, 1);
  input.value = "Mona";
  leave(entry);
  await settled();
  assert.equal(requests.length, 2);
});

test("of two values the other one can be taken, or one's own sent over it", async () => {
  input.value = "Mona";
  elsewhere("Maud");
  choose(entry, { mine: "Maud" });
  await settled();
  assert.deepEqual(requests.map(({ value, expected }) => [value, expected]), [["Mona", "Maud"]]);
  input.value = "Monika";
  choose(entry, { theirs: "Maud" });
  assert.equal(read(entry), "Maud");
  assert.equal(requests.length, 1);
});

test("of boxes those that cannot be reached are hidden, and one is the way in for the keyboard", () => {
  const boxes = document.getElementById("harm");
  boxes.classList.add("is-boxes");
  take(boxes, "harm");
  const steps = [...boxes.querySelectorAll("button")];
  assert.deepEqual(steps.map(({ hidden }) => hidden), [false, false, false, true]);
  assert.deepEqual(steps.map(({ tabIndex }) => tabIndex), [-1, 0, -1, -1]);
});

test("a number with a sign is added, which is seen before it is saved, and stands there when it is", async () => {
  const coin = take(document.getElementById("coin"), "coin");
  const beside = () => coin.element.querySelector(".beside").textContent;
  coin.input.value = "+5";
  preview(coin);
  assert.equal(beside(), "12 + 5 = 17");
  coin.input.value = "−20";
  preview(coin);
  assert.equal(beside(), "12 − 20 = −8");
  coin.input.value = "20";
  preview(coin);
  assert.equal(beside(), "");
  coin.input.value = "-5";
  leave(coin);
  await settled();
  assert.equal(requests[0].value, "-5");
  assert.equal(requests[0].expected, "12");
  assert.deepEqual([coin.input.value, coin.base, dirty(coin)], ["7", "7", false]);
});

test("what was to be added is added to what somebody else has saved, if that is chosen", async () => {
  const coin = take(document.getElementById("coin"), "coin");
  answers = [[409, "<button></button>"], [200, ""]];
  coin.input.value = "+5";
  leave(coin);
  await settled();
  assert.equal(coin.input.value, "+5");
  choose(coin, { mine: "20" });
  await settled();
  assert.deepEqual([requests[1].value, requests[1].expected, coin.input.value], ["+5", "20", "25"]);
});

test("a sign is the number's own where it may be negative", async () => {
  const mood = take(document.getElementById("mood"), "mood");
  mood.input.value = "-3";
  preview(mood);
  assert.equal(mood.element.querySelector(".beside").textContent, "");
  leave(mood);
  await settled();
  assert.equal(mood.base, "-3");
});
