// A dialog that has closed is noticed before anything else happens, and one that was opened again by then has not closed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, settled } from "./page.js";

open(`<dialog id="dialog"></dialog>`);
const { whenClosed } = await import("../../static/js/closed.js");
const dialog = document.getElementById("dialog");
const noticed = [];
whenClosed(dialog, () => noticed.push("closed"));

test("whoever closes it, it is noticed at once", async () => {
  dialog.setAttribute("open", "");
  await settled();
  assert.deepEqual(noticed, []);
  dialog.removeAttribute("open");
  await settled();
  assert.deepEqual(noticed.splice(0), ["closed"]);
});

test("one that is opened again at once is open", async () => {
  dialog.setAttribute("open", "");
  await settled();
  dialog.removeAttribute("open");
  dialog.setAttribute("open", "");
  await settled();
  assert.deepEqual(noticed, []);
});
