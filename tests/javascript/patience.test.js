// What is not answered is sent again, for a while, and when the server is back.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { open } from "./page.js";

mock.timers.enable({ apis: ["setTimeout"] });
open("");
const { patience } = await import("../../static/js/patience.js");

const LONGEST = 12_000; // ms between two attempts
let sent = 0;
const attempts = patience(() => {
  sent += 1;
});
beforeEach(() => {
  attempts.stop();
  attempts.renew();
  sent = 0;
});
const refuse = (times) => {
  for (let time = 0; time < times; time += 1) {
    attempts.later();
    mock.timers.tick(LONGEST);
  }
};

test("it is sent again twelve times, and rests then", () => {
  refuse(13);
  assert.equal(sent, 12);
});

test("a server that says when is not asked before", () => {
  attempts.later({ least: 2 * LONGEST });
  mock.timers.tick(LONGEST);
  assert.equal(sent, 0);
  mock.timers.tick(LONGEST);
  assert.equal(sent, 1);
});

test("what rests is sent once more, and again, when the server is back", () => {
  refuse(13);
  document.dispatchEvent(new CustomEvent("afterburn:live"));
  mock.timers.tick(LONGEST);
  refuse(1);
  assert.equal(sent, 14);
});

test("what is on its way or was left is not sent once more when the line is back", () => {
  attempts.later();
  attempts.stop();
  window.dispatchEvent(new Event("online"));
  assert.equal(sent, 0);
});
