// The stage: of all that is being settled one card lies open: what whoever sits here has just begun, else the newest that waits for them, or else
// the newest. The others are lines above it, which open in its place with a press; pressed itself, it is folded.
import { fill } from "./faces.js";

const stage = document.getElementById("stage");
const list = document.getElementById("procedures");
const narrow = matchMedia("(max-width: 60rem)");
let mine = new Set(); // the ids of the cards that wait for whoever sits here
let chosen = null; // the id of the card that was opened by hand or just begun, "" if all were folded
let last = null; // the id of the card that lay open before
let begun = null; // the id of the card that a form of whoever sits here may have begun: that has its key
let shown = ""; // the one that lies open, the step it was at, and whether they answer it there

const cards = () => [...list.children];
const opened = () => {
  const all = cards();
  if (chosen === "" || all.some(({ id }) => id === chosen)) return chosen;
  const theirs = all.filter(({ id }) => mine.has(id));
  if (theirs.length) return theirs[theirs.length - 1].id;
  if (all.some(({ id }) => id === last)) return last;
  // On a narrow page what others settle is a line until it is opened.
  return narrow.matches ? "" : all.at(-1)?.id;
};

// What waits for somebody is answered on its card; a turn is where that has an act of theirs to prepare, and else by a roll.
const isAnswered = (card) => Boolean(
  card && mine.has(card.id) && (!card.querySelector(".turns") || card.querySelector(".turn-now [data-own]:not([hidden])")),
);

const draw = () => {
  stage.querySelectorAll("[data-face]:empty").forEach(fill);
  if (cards().some(({ id }) => id === begun)) [chosen, begun] = [begun, null];
  const open = opened();
  last = open;
  for (const card of cards()) {
    card.classList.toggle("is-mine", mine.has(card.id));
    card.classList.toggle("is-folded", card.id !== open);
    card.querySelector("[data-stage]").setAttribute("aria-expanded", card.id === open);
  }
  // Another card, or a new step or turn of this one, is read from its top.
  const card = list.querySelector(".procedure:not(.is-folded)");
  const answering = isAnswered(card);
  stage.classList.toggle("is-answering", answering);
  const now = `${open} ${card?.querySelector(".is-now, .turn-head")?.textContent ?? ""} ${answering}`;
  if (now === shown) return;
  shown = now;
  stage.scrollTop = 0;
  document.dispatchEvent(new CustomEvent("afterburn:stage"));
};

const choose = (id) => {
  chosen = id;
  draw();
};

// What waits for whoever sits here, as waiting.js has it. What is new of that comes before what they have opened or folded.
export const waitFor = (ids) => {
  if ([...ids].some((id) => !mine.has(id))) chosen = null;
  mine = ids;
  draw();
};

export const bring = (card) => cards().includes(card) && choose(card.id);

list.addEventListener("click", ({ target }) => {
  const head = target.closest("[data-stage]");
  if (!head) return;
  const { id } = head.closest("li");
  choose(id === opened() ? "" : id);
});
// The card may come before the answer or after it, from a form of its own, the roll form or a line.
document.addEventListener("htmx:afterRequest", ({ detail: { successful, requestConfig: { verb, parameters } } }) => {
  if (!successful || verb !== "post" || !parameters.key) return;
  begun = `procedure-${parameters.key}`;
  draw();
});
for (const drawn of stage.children) new MutationObserver(draw).observe(drawn, { childList: true });
narrow.addEventListener("change", draw);
draw();
