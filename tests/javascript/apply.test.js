// What the server has drawn comes to where it belongs, and doing it twice is doing it once.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { heard, open } from "./page.js";

const { processed } = open('<div class="feed-frame"><ol id="feed"></ol></div><div id="rest"></div>');
const { apply, quietly } = await import("../../static/js/apply.js");

const feed = document.getElementById("feed");
const rest = document.getElementById("rest");
const lines = () => [...feed.children].map((line) => line.textContent.trim());
const line = (id, words, more = "") => `<li id="${id}" data-into="#feed" ${more}>${words}</li>`;

beforeEach(() => {
  quietly(false);
  feed.replaceChildren();
  rest.innerHTML = '<p id="clock">4 of 6</p>';
  processed.length = 0;
});

test("an element takes the place of the one with its id", () => {
  apply('<p id="clock">5 of 6</p>');
  assert.equal(rest.innerHTML, '<p id="clock">5 of 6</p>');
  assert.deepEqual(processed.map(({ id }) => id), ["clock"]);
});

test("what is not on the page goes into the container that it names, or nowhere", () => {
  apply(`${line("a", "A")}<p id="unknown">nowhere</p><p id="lost" data-into="#nothing">nowhere</p>`);
  assert.deepEqual(lines(), ["A"]);
  assert.equal(document.getElementById("unknown"), null);
});

test("applied twice it is there once", () => {
  for (const words of ["A", "A again"]) apply(line("a", words));
  assert.deepEqual(lines(), ["A again"]);
});

test("what has an order stands in it, and what has none at the end", () => {
  for (const order of [20, 10, 30, 25]) apply(line(`n${order}`, String(order), `data-order="${order}"`));
  apply(line("last", "last"));
  assert.deepEqual(lines(), ["10", "20", "25", "30", "last"]);
});

test("what is to be removed goes, and tells the words that it leaves", () => {
  const removed = heard("afterburn:removed");
  apply('<template data-remove="clock"><b>It has run out.</b></template>');
  assert.equal(document.getElementById("clock"), null);
  assert.equal(removed[0].textContent, "It has run out.");
  apply('<template data-remove="clock"></template>');
});

test("what stands until something ends goes with it", () => {
  rest.innerHTML = '<p data-until="scene">1</p><p data-until="session">2</p><p data-until="scene">3</p>';
  apply('<template data-remove-until="scene"></template>');
  assert.equal(rest.textContent, "2");
});

test("what others go by is told once, whether it is shown or not", () => {
  const told = ["odds", "party", "closing", "endings", "panels"].map((news) => heard(`afterburn:${news}`).length);
  const odds = heard("afterburn:odds");
  apply('<template data-odds></template><p id="clock"><b data-odds></b></p>');
  assert.deepEqual(told, [0, 0, 0, 0, 0]);
  assert.equal(odds.length, 1);
});

test("what is new here moves and sounds, and what takes its own place does not", () => {
  const [arrived, placed] = [heard("afterburn:arrived"), heard("afterburn:placed")];
  apply(line("a", "A"));
  apply(line("a", "A again"));
  assert.deepEqual(arrived, ["a"]);
  assert.deepEqual(placed, ["a", "a"]);
});

test("nothing moves or sounds while a page catches up, or in a replay that is paused", () => {
  const arrived = heard("afterburn:arrived");
  quietly(true);
  apply(line("a", "A"));
  quietly(false);
  rest.innerHTML = '<div id="player"></div>';
  apply(line("b", "B"));
  rest.innerHTML = '<div id="player" data-playing></div>';
  apply(line("c", "C"));
  assert.deepEqual(arrived, ["c"]);
});

test("forms of the socket are given keys of this browser", () => {
  apply('<form id="clock"><input type="hidden" name="key" value="of-all"></form>');
  assert.match(document.querySelector("[name=key]").value, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("what a reader has fetched into a card stays in it when it is drawn anew", () => {
  apply(line("a", '<div id="more-a" data-own></div>'));
  document.getElementById("more-a").textContent = "fetched";
  apply(line("a", 'A <div id="more-a" data-own></div>'));
  assert.deepEqual(lines(), ["A fetched"]);
});
