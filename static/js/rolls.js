// Where a roll is one of several things that are told, it is one line until it is opened: in the log, on the card of what it belongs to,
// and at the table once another was made after it.

import { steadily } from "./steady.js";

const FOLDS = ".log-lines, .is-framed, .story-card:has(~ .story-card:not(.is-framed) .roll)";

const fold = (card) => {
  const open = document.createElement("button");
  Object.assign(open, { type: "button", className: "bare roll-open" });
  card.append(open);
  show(card, card.hasAttribute("data-open"));
};
const show = (card, isOpen) => {
  const open = card.querySelector(".roll-open");
  card.classList.toggle("is-folded", !isOpen);
  card.toggleAttribute("data-open", isOpen);
  open.setAttribute("aria-expanded", String(isOpen));
  open.textContent = isOpen ? gettext("Hide roll") : gettext("Show roll");
};

export const foldIn = (part) => {
  for (const card of part.querySelectorAll(".card.roll:not(:has(.roll-open))")) if (card.closest(FOLDS)) steadily(card, () => fold(card));
};

document.addEventListener("click", ({ target }) => {
  const card = target.closest(".card.roll:has(.roll-open)");
  if (!card) return;
  if (target.closest(".roll-open")) show(card, card.matches(".is-folded"));
  else if (card.matches(".is-folded") && !target.closest("a, button")) show(card, true);
});

const feed = document.getElementById("feed");
if (feed) {
  foldIn(feed);
  document.addEventListener("htmx:afterSwap", () => foldIn(feed)); // earlier lines
  document.addEventListener("afterburn:placed", ({ target }) => target.matches(".story-card") && foldIn(feed));
}
