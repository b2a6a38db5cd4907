// The dice are silent until somebody says on this device that they want to hear them, which they are asked once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";

const made = [];
let knocks = 0;
const node = () => ({
  connect: (to) => to,
  frequency: {},
  gain: { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} },
  Q: {},
  start: () => {
    knocks += 1;
  },
});
globalThis.AudioContext = class {
  constructor() {
    made.push(this);
  }
  createBiquadFilter = node;
  createBufferSource = node;
  createGain = node;
  currentTime = 0;
  sampleRate = 100;
  resume() {}
};
globalThis.AudioBuffer = class {
  getChannelData = () => [];
};

open(
  `<div class="feed-frame" tabindex="0"><ol id="feed"></ol></div>
  <div id="hear"><p hidden>Hear the dice? <button type="button" value="yes">Yes</button><button type="button" value="">No</button></p></div>`,
);
Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: true } });
await import("../../static/js/hear.js");
const question = document.querySelector("#hear > p");

const falls = (words) => {
  const line = document.createElement("li");
  line.innerHTML = words;
  document.getElementById("feed").append(line);
  line.dispatchEvent(new CustomEvent("afterburn:arrived", { bubbles: true }));
};
const DICE = '<span class="die">7</span><span class="die">2</span>';

test("what is only said asks nothing", () => {
  falls("Hello.");
  assert.equal(question.hidden, true);
  assert.equal(localStorage.getItem("afterburn-alerts"), null);
});

test("the first dice ask, and are silent; asked is asked", () => {
  document.dispatchEvent(new Event("pointerdown"));
  falls(DICE);
  assert.equal(question.hidden, false);
  assert.deepEqual([made.length, knocks], [0, 0]);
  assert.equal(localStorage.getItem("afterburn-alerts"), '{"dice":false}');
});

test("who says yes hears dice at once and from then on, and the focus goes back to the feed", () => {
  question.querySelector("button").click();
  assert.deepEqual([made.length, knocks], [1, 3]);
  assert.equal(localStorage.getItem("afterburn-alerts"), '{"dice":true}');
  assert.equal(document.querySelector("#hear > p"), null);
  assert.equal(document.activeElement.className, "feed-frame");
  falls(DICE);
  assert.equal(knocks, 5);
});
