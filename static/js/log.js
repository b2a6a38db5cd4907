import { fold as plain } from "./fold.js";
import { foldIn } from "./rolls.js";

// The log as a chronicle: rolls are one line until they are opened, what was searched for is marked, and an address has no filter
// that is not used.
const lines = document.querySelector(".log-lines");

document.getElementById("log-filter").addEventListener("formdata", ({ formData }) => {
  for (const [name, value] of [...formData]) if (!value) formData.delete(name);
});

// Found as the server finds them: words by how they begin.
const wanted = plain(lines.dataset.words ?? "").match(/[\p{L}\p{N}]+/gu) ?? [];
const isHit = (word) => wanted.some((start) => plain(word).startsWith(start));
const markIn = (text) => {
  const parts = text.data.split(/([\p{L}\p{N}\p{M}]+)/u);
  if (!parts.some(isHit)) return;
  // In one element, so that it stays one run of words in a heading whose parts stand side by side.
  const run = document.createElement("span");
  run.append(...parts.map((part) => (isHit(part) ? Object.assign(document.createElement("mark"), { textContent: part }) : part)));
  text.replaceWith(run);
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
    if (wanted.length) mark(line);
  }
  foldIn(lines);
};
draw();
document.addEventListener("htmx:afterSwap", draw);
