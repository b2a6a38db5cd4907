// Names of pages in the feed are links, and their names are completed in a note.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, settled } from "./page.js";

const told = [
  { name: "Orsolya", url: "/w/1/", told: true },
  { name: "Madam Orsolya", url: "/w/1/", told: true },
  { name: "René’s ship", url: "/w/2/", told: true },
  { name: "Silas", url: "/w/3/", told: false },
];
globalThis.fetch = async () => ({ ok: true, json: async () => ({ names: told }) });
globalThis.NodeFilter = { SHOW_TEXT: 4 };

open(`<div id="feed">
  <article class="line" id="one"><p>MADAM  ORSOLYA nods. Orsolya, and Orsolyas cat. <a>Orsolya</a> Silas.</p></article>
  <article class="line" id="two"><button>Orsolya</button> saw René’s ship</article></div>
  <form><textarea data-links></textarea></form>`);
document.body.dataset.pages = "/c/ashes/world/";
const { linkIn } = await import("../../static/js/names.js");
await import("../../static/js/links.js");
await settled();
const links = (id) => [...document.getElementById(id).querySelectorAll(".page-name")].map(({ textContent }) => textContent);

test("a page is linked once a line, by its longest name, and never inside of what can be pressed", () => {
  assert.deepEqual(links("one"), ["MADAM  ORSOLYA"]);
  assert.deepEqual(links("two"), ["René’s ship"]);
  assert.equal(document.getElementById("one").textContent, "MADAM  ORSOLYA nods. Orsolya, and Orsolyas cat. Orsolya Silas.");
});

test("doing it again changes nothing, and a new line is linked, too", () => {
  const before = document.getElementById("one").innerHTML;
  linkIn(document);
  assert.equal(document.getElementById("one").innerHTML, before);
  document.getElementById("feed").insertAdjacentHTML("beforeend", `<article class="line" id="three">For Orsolya.</article>`);
  linkIn(document.getElementById("three"));
  assert.deepEqual(links("three"), ["Orsolya"]);
});

const text = document.querySelector("textarea");
const list = document.querySelector("[role=listbox]");
const type = async (words) => {
  text.value = words;
  text.setSelectionRange(words.length, words.length);
  text.dispatchEvent(new window.Event("input", { bubbles: true }));
  await settled();
};
const press = (key) => text.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

test("a link is completed: what begins so first, then what has it inside", async () => {
  await type("She owns [[ors");
  assert.deepEqual([...list.children].map(({ textContent }) => textContent), ["Orsolya", "Madam Orsolya"]);
  press("ArrowDown");
  press("Enter");
  assert.equal(text.value, "She owns [[Madam Orsolya]]");
  assert.equal(list.hidden, true);
});

test("accents do not count, nor is anything offered outside of a link", async () => {
  await type("[[rene");
  assert.deepEqual([...list.children].map(({ textContent }) => textContent), ["René’s ship"]);
  press("Escape");
  assert.equal(list.hidden, true);
  await type("[[Orsolya]] or");
  assert.equal(list.hidden, true);
});
