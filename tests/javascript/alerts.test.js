// The sound of what waits: none until somebody chooses it, and then in this browser alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";

const made = [];
const played = [];
const node = () => ({
  connect: (to) => to,
  frequency: { setValueAtTime: (pitch) => played.push(pitch), exponentialRampToValueAtTime: () => {} },
  gain: { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} },
  start: () => {},
  stop: () => {},
});
globalThis.AudioContext = class {
  constructor() {
    made.push(this);
  }
  createOscillator = node;
  createGain = node;
  currentTime = 0;
  destination = null;
  resume() {}
};

open('<div class="alerts"><button data-alert="sound" aria-pressed="false"></button><span data-words></span></div>');
Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: true } });
const { sound } = await import("../../static/js/alerts.js");
const button = document.querySelector("button");
const press = () => {
  document.dispatchEvent(new Event("pointerdown"));
  button.click();
};

test("an account that is silent makes no sound and asks for no device", () => {
  document.dispatchEvent(new Event("pointerdown"));
  sound();
  assert.deepEqual([made.length, played.length], [0, 0]);
});

test("who chooses to be told by a sound hears it at once, and when something waits", async () => {
  press();
  assert.equal(button.getAttribute("aria-pressed"), "true");
  assert.deepEqual([made.length, played.length], [1, 2]);
  sound();
  assert.equal(played.length, 4);
  assert.equal(localStorage.getItem("afterburn-alerts"), '{"sound":true}');
});

test("who lets it be hears nothing more", () => {
  press();
  sound();
  assert.equal(button.getAttribute("aria-pressed"), "false");
  assert.equal(played.length, 4);
});
