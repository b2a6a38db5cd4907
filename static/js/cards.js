// Cards of what is under way are pressed once. From the press until the card that came of it one is busy, and takes no step: sent again, it
// would say that it saw what is gone by then, and be refused as if somebody else had been quicker.

const CARD = "li[id^='procedure-']";
const cardOf = (element) => element.closest(CARD);

document.addEventListener("htmx:confirm", (event) => {
  const { elt, verb } = event.detail;
  if (verb === "post" && cardOf(elt)?.ariaBusy === "true") event.preventDefault();
});
document.addEventListener("htmx:beforeRequest", ({ target, detail }) => {
  const card = detail.requestConfig.verb === "post" && cardOf(target);
  if (card) card.ariaBusy = "true";
});
// What was done is drawn anew by the socket (apply.js); what was refused, or did not get there, can be pressed again.
document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  const card = !detail.successful && cardOf(target);
  if (card) card.ariaBusy = null;
});

// The second half of a double-click, or a key that is held, is meant for what the first half saw, and not for what has come in its place.
let pressed = null;
const isGone = () => pressed !== null && !pressed.isConnected;
document.addEventListener("click", (event) => {
  if (event.detail < 2) pressed = event.target;
  else if (isGone() && cardOf(event.target)) stop(event);
}, true);
document.addEventListener("keydown", (event) => {
  if (event.repeat && (event.key === "Enter" || event.key === " ") && isGone() && cardOf(event.target)) stop(event);
}, true);
const stop = (event) => {
  event.preventDefault();
  event.stopPropagation();
};
