// How what people type is compared in the browser: as on the server (tests/campaigns/test_text.py, tests/rolls/test_slash.py).
import assert from "node:assert/strict";
import { test } from "node:test";
import { asTyped, fold, folded } from "../../static/js/fold.js";
import { open } from "./page.js";

test("names are compared without case, accents and what no one sees", () => {
  const alike = [["René", "rene\u0301"], ["JÜRGEN", "jurgen"], ["İlker", "ilker"], ["Işıl", "isil"], ["Weiß", "WEISS"], ["Ｎｏｒａ", "No\u00adra"]];
  for (const [one, other] of alike) assert.equal(fold(one), fold(other));
  assert.notEqual(fold("Mo"), fold("Mo Li"));
});

test("signs and blanks of a trait's name do not count", () => {
  assert.equal(folded("O’Brien’s law #2"), folded("obriens_law 2"));
});

test("a line is a command whatever stands before it and whichever slash it has", () => {
  for (const line of ["/w nora", "\uff0fw nora", "\n\t/w nora", "\ufeff\u200b\u00a0\u2215w nora"]) assert.equal(asTyped(line), "/w nora");
  assert.equal(asTyped("either/or"), "either/or");
});

test("commands and names are completed as they are found", async () => {
  const completions = JSON.stringify({ commands: [["/w", "whisper"]], names: { "/w": ["René", "Ilker"] } });
  open(`<textarea id="say-text"></textarea><ul id="say-commands" hidden></ul><p id="say-commands-said"></p>`);
  const [text, list] = ["say-text", "say-commands"].map((id) => document.getElementById(id));
  list.dataset.completions = completions;
  await import("../../static/js/commands.js");
  const offered = (typed) => {
    text.value = typed;
    text.setSelectionRange(typed.length, typed.length);
    text.dispatchEvent(new Event("input", { bubbles: true }));
    return [...list.children].map((option) => option.textContent);
  };
  assert.deepEqual(offered("\uff0f"), ["/w whisper"]);
  assert.deepEqual(offered(" /w rene"), ["René"]);
  assert.deepEqual(offered("\uff0fW İL"), ["Ilker"]);
});
