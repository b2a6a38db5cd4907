// The page that checks dice computes them as the server does; tests/rules/test_fairness.py has the same faces.
import assert from "node:assert/strict";
import { test } from "node:test";
import { faces } from "../../static/js/fairness.js";

const CAMPAIGN = "0f0e0d0c-0b0a-4908-8706-050403020100";

test("dice of several kinds fall in their order, and further ones are like the last", () => {
  const roll = "00010203-0405-4607-8809-0a0b0c0d0e0f";
  const proof = { epoch: "3", actor: 7, roll, client: "c1".repeat(16), witness: "", spec: "2d6,1d20,1d4" };
  assert.deepEqual(faces(CAMPAIGN, proof, "5e".repeat(32), 8), [2, 3, 17, 2, 3, 3, 3, 1]);
});
