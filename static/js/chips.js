// What was put into a pool stands beside its field as chips with their dice, in place of its words while nobody types there; a press takes one
// out. What fits no trait is a chip as it was written.

import { folded } from "./fold.js";

const roll = () => document.getElementById("roll");
const traitsOf = (field) => [...document.querySelectorAll("[data-trait]")].filter(({ dataset }) => (dataset.slot || "pool") === field.name);
const partsOf = (field) => ("joins" in field.dataset ? field.value.split("+") : [field.value]).map((part) => part.trim()).filter(Boolean);

const put = (field, parts) => {
  field.value = parts.join(" + ");
  roll().dispatchEvent(new Event("input", { bubbles: true }));
};

// What its button says, in the reader's language: the field has its code.
const called = (trait) => {
  const copy = trait.cloneNode(true);
  copy.querySelectorAll("[data-value], .visually-hidden").forEach((part) => part.remove());
  return copy.textContent.replace(/\s+/g, " ").trim();
};

const chip = (field, part, at) => {
  const trait = traitsOf(field).find(({ dataset }) => folded(dataset.trait) === folded(part));
  const words = (trait && called(trait)) || part;
  const button = Object.assign(document.createElement("button"), { type: "button", title: interpolate(gettext("Remove %(name)s"), { name: words }, true) });
  const name = document.createElement("span");
  name.textContent = words;
  button.append(name);
  const dice = trait?.querySelector("[data-value]")?.dataset.value;
  if (dice) button.append(Object.assign(document.createElement("b"), { textContent: dice }));
  button.addEventListener("click", () => put(field, partsOf(field).filter((_, index) => index !== at)));
  return button;
};

// Beside the label, whose words they would become.
const placeOf = (label) => {
  const before = label.previousElementSibling;
  if (before?.matches(".picked")) return before;
  const place = Object.assign(document.createElement("span"), { className: "picked" });
  label.before(place);
  return place;
};

const draw = () => {
  for (const field of roll()?.querySelectorAll(".slots .slot > input:not([type])") ?? []) {
    const label = field.closest(".slot");
    if (!("joins" in field.dataset) && !traitsOf(field).length) continue;
    const place = placeOf(label);
    const parts = label.hidden ? [] : partsOf(field);
    const shown = parts.join("+");
    if (place.dataset.shown === shown) continue;
    place.dataset.shown = shown;
    place.replaceChildren(...parts.map((part, at) => chip(field, part, at)));
  }
};

document.addEventListener("input", ({ target }) => target.closest("#roll") && draw());
for (const news of ["htmx:afterSettle", "afterburn:traits", "afterburn:done"]) document.addEventListener(news, draw);
draw();
