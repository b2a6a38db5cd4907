// Odds are said to those who listen when they have become others.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";

open(`<div id="odds"></div><span id="roll-dice"></span><p id="odds-said"></p>
  <ul><li class="procedure" id="procedure-1"><p class="sentence">Full success 17 %.</p><button>Push</button></li></ul>`);
await import("../../static/js/odds.js");
const said = document.getElementById("odds-said");

// The card as the socket brings it.
const placed = (odds) => {
  const card = document.getElementById("procedure-1");
  card.innerHTML = `<p class="sentence">${odds}</p><button>Push</button>`;
  card.dispatchEvent(new CustomEvent("afterburn:placed", { bubbles: true }));
};

test("a card that somebody else has changed says nothing", () => {
  placed("Full success 30 %.");
  assert.equal(said.textContent, "");
});

test("a push that is pressed on a card says the new odds", () => {
  document.querySelector(".procedure button").click();
  placed("Full success 42 %.");
  assert.equal(said.textContent, "Full success 42 %.");
});

test("odds that are as before are not said again", () => {
  said.textContent = "";
  document.querySelector(".procedure button").click();
  placed("Full success 42 %.");
  assert.equal(said.textContent, "");
});
