// The dice of a roll are one stop of the Tab key (roving tabindex); arrow keys, Home and End go from die to die, so that what each
// one did can still be read. In the feed feed.js does so for whole lines.

const diceOf = (die) => [...die.closest(".dice").querySelectorAll("[role=img]")];
const WAYS = {
  ArrowLeft: (dice, at) => dice[at - 1],
  ArrowRight: (dice, at) => dice[at + 1],
  Home: (dice) => dice[0],
  End: (dice) => dice.at(-1),
};

document.addEventListener("keydown", (event) => {
  const way = WAYS[event.key];
  if (!way || !event.target.matches(".die") || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const dice = diceOf(event.target);
  event.preventDefault();
  way(dice, dice.indexOf(event.target))?.focus();
});

// The Tab key comes back to the die that was looked at last.
document.addEventListener("focusin", ({ target }) => {
  if (!target.matches(".die") || target.closest("#feed")) return;
  for (const die of diceOf(target)) die.tabIndex = die === target ? 0 : -1;
});

// A touch says what a die gave (dice.css), and the next one anywhere takes that away again: a finger doesn't move on like a mouse.
let hushed;
document.addEventListener("pointerdown", () => {
  hushed = document.querySelector(".die.is-told");
  hushed?.classList.remove("is-told");
});
document.addEventListener("pointerup", ({ pointerType, target }) => {
  const die = pointerType === "mouse" ? null : target.closest(".die");
  if (die && die !== hushed) die.classList.add("is-told");
});
