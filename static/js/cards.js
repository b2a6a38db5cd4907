// Cards of what is under way are pressed once. From the press until the card that came of it one is busy, and takes no step: sent again, it
// would say that it saw what is gone by then, and be refused as if somebody else had been quicker.

const CARD = "li[id^='procedure-']";
const cardOf = (element) => element.closest(CARD);

// Other acts that are pressed on it meanwhile follow on the card that comes, where that has them still.
let sent = ""; // the id of the button that was pressed first
let follows = false;
const next = [];

document.addEventListener("htmx:confirm", (event) => {
  const { elt, verb, triggeringEvent } = event.detail;
  const card = verb === "post" && cardOf(elt);
  if (!card) return;
  const { id } = triggeringEvent?.submitter ?? {};
  if (card.ariaBusy === "true") {
    event.preventDefault();
    if (id && id !== sent && !next.includes(id)) next.push(id);
    return;
  }
  sent = id ?? "";
  if (!follows) next.length = 0;
});
document.addEventListener("htmx:beforeRequest", ({ target, detail }) => {
  const card = detail.requestConfig.verb === "post" && cardOf(target);
  if (card) card.ariaBusy = "true";
});
// What was done is drawn anew by the socket (apply.js); what was refused, or did not get there, can be pressed again.
document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  const card = !detail.successful && cardOf(target);
  if (!card) return;
  card.ariaBusy = null;
  next.length = 0;
});
const follow = () => {
  const at = next.findIndex((id) => document.getElementById(id));
  const button = document.getElementById(next[at]);
  if (!button || cardOf(button)?.ariaBusy === "true") return;
  next.splice(at, 1);
  [follows, isSecond] = [true, false];
  if (!button.hidden) button.click();
  follows = false;
};
document.addEventListener("afterburn:placed", follow);
document.addEventListener("htmx:afterSettle", follow); // what each reader fetches for their card comes after it

// The second half of a double-click, or a key that is held, is meant for what the first half saw, and not for what has come in its place.
let pressed = null;
let isSecond = false; // what moved before the button went up is clicked without a number (press.js)
const isGone = () => pressed !== null && !pressed.isConnected;
document.addEventListener("mousedown", ({ detail }) => { isSecond = detail > 1; }, true);
document.addEventListener("click", (event) => {
  if (event.detail > 1 || isSecond) return isGone() && cardOf(event.target) && stop(event);
  // What a script presses elsewhere, as to change between speaking and rolling, is nobody's press.
  if (event.isTrusted || cardOf(event.target)) pressed = event.target;
}, true);
document.addEventListener("keydown", (event) => {
  isSecond = false;
  if (event.repeat && (event.key === "Enter" || event.key === " ") && isGone() && cardOf(event.target)) stop(event);
}, true);
const stop = (event) => {
  event.preventDefault();
  event.stopPropagation();
};
