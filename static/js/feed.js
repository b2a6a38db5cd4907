// Each line of the feed is one stop of the Tab key (roving tabindex). Enter goes to what the line has: its dice, what more can be done
// with it, its time, its pin; the arrows to the right and to the left go along these, Escape goes back. Up and down go from line to
// line. What lies in an open menu, and what is typed into, are stops as everywhere else.
import { sentence } from "./announce.js";

const feed = document.getElementById("feed");
const STOPS = "a[href], button, summary, .die";
const LONGEST_NAME = 160; // letters

const inMenu = (stop) => (stop.matches("summary") ? stop.parentElement.parentElement : stop).closest("details");
const inForm = (stop) => stop.form?.querySelector("input:not([type=hidden]), select, textarea");
const stopsOf = (line) => [...line.querySelectorAll(STOPS)].filter((stop) => !inMenu(stop) && !inForm(stop));
const shown = (stop) => stop.checkVisibility({ visibilityProperty: true });

// A roll by what was rolled and what came of it; else what the line says, as far as a name goes.
const wordsOf = (part) => {
  const read = part?.cloneNode(true);
  for (const letter of read?.querySelectorAll(".portrait") ?? []) letter.remove(); // in place of a face
  return read?.textContent.replace(/\s+/g, " ").trim();
};
const nameOf = (line) => {
  const told = [".roll-asked", ".outcome"].map((part) => wordsOf(line.querySelector(part))).filter(Boolean);
  return (told.length ? told.join(": ") : sentence(line)).slice(0, LONGEST_NAME);
};

const rove = (line, to) => {
  for (const stop of [line, ...stopsOf(line)]) stop.tabIndex = stop === to ? 0 : -1;
};
const settle = (line) => {
  line.ariaLabel = nameOf(line);
  rove(line, [...stopsOf(line)].find((stop) => stop === document.activeElement) ?? line);
};

// An empty line, of an event that only moves displays, is none.
const elementOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement);
const lineOf = (node) => elementOf(node)?.closest(".line");
const linesIn = (node) => [lineOf(node), ...(elementOf(node)?.matches(".story-card") ? node.querySelectorAll(".line") : [])];
new MutationObserver((changes) => {
  const touched = changes.flatMap(({ target, addedNodes }) => [lineOf(target), ...[...addedNodes].flatMap(linesIn)]);
  for (const line of new Set(touched)) if (line?.isConnected) settle(line);
}).observe(feed, { childList: true, subtree: true });
feed.querySelectorAll(".line").forEach(settle);

feed.addEventListener("focusin", ({ target }) => {
  const line = lineOf(target);
  if (line && (target === line || stopsOf(line).includes(target))) rove(line, target);
});

const next = (line, way) => {
  const lines = [...feed.querySelectorAll(".line")].filter((one) => one.checkVisibility());
  return lines[lines.indexOf(line) + way];
};

const goes = (key, line, target) => {
  if (key === "ArrowDown") return next(line, 1);
  if (key === "ArrowUp") return next(line, -1);
  const stops = stopsOf(line).filter(shown);
  const at = stops.indexOf(target);
  const dice = target.matches(".die") ? stops.filter((stop) => stop.matches(".die")) : [];
  if (key === "Home") return dice[0];
  if (key === "End") return dice.at(-1);
  if (key === "ArrowRight") return stops[at + 1];
  if (key === "ArrowLeft" || key === "Escape") return at > 0 && key === "ArrowLeft" ? stops[at - 1] : line;
  return key === "Enter" && at < 0 ? stops[0] : null;
};

feed.addEventListener("keydown", (event) => {
  const { key, target } = event;
  const line = lineOf(target);
  if (!line || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (target !== line && !stopsOf(line).includes(target)) return;
  const to = goes(key, line, target);
  if (!to || to === target) return;
  event.preventDefault();
  event.stopPropagation(); // dice.js, for dice elsewhere
  to.focus();
});
