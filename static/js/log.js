import { fold as plain } from "./fold.js";
import { foldIn } from "./rolls.js";

// The log as a chronicle: rolls are one line until they are opened, what was searched for is marked, and an address has no filter
// that is not used.
const lines = document.querySelector(".log-lines");

document.getElementById("log-filter").addEventListener("formdata", ({ formData }) => {
  for (const [name, value] of [...formData]) if (!value) formData.delete(name);
});

// Found as the server finds them (campaigns/text.py): three letters and more also inside a word, two where it begins, one where it is the
// word; of scripts without blanks between words, any letters.
const UNSPACED = "\\u0e00-\\u109f\\u1780-\\u17ff\\u2e80-\\u312f\\u3190-\\u4dbf\\u4e00-\\u9fff\\u{20000}-\\u{3ffff}";
const searched = plain(lines.dataset.words ?? "");
const runs = searched.match(new RegExp(`[${UNSPACED}]+`, "gu")) ?? [];
const run = new RegExp(`(${runs.join("|")})`, "u");
const wanted = searched.match(new RegExp(`(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+`, "gu")) ?? [];
const isIn = (part) => (word) => (part.length < 3 ? word.startsWith(part) && (part.length > 1 || word === part) : word.includes(part));
const isHit = (word) => runs.includes(word) || wanted.some((part) => isIn(part)(plain(word)));
const markIn = (text) => {
  const words = text.data.split(/([\p{L}\p{N}\p{M}]+)/u);
  const parts = runs.length ? words.flatMap((word) => word.split(run)) : words;
  if (!parts.some(isHit)) return;
  // In one element, so that it stays one run of words in a heading whose parts stand side by side.
  const whole = document.createElement("span");
  whole.append(...parts.map((part) => (isHit(part) ? Object.assign(document.createElement("mark"), { textContent: part }) : part)));
  text.replaceWith(whole);
};
const mark = (line) => {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  texts.filter((text) => !text.parentElement?.closest("mark, time, button, .visually-hidden")).forEach(markIn);
};

const draw = () => {
  for (const line of lines.querySelectorAll(".line:not([data-drawn])")) {
    line.dataset.drawn = "";
    if (wanted.length || runs.length) mark(line);
  }
  foldIn(lines);
};
draw();
document.addEventListener("htmx:afterSwap", draw);
