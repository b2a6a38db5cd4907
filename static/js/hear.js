// Whether to hear the dice is asked once on each device, when the first of them fall there (rolls/_hear.html). Whoever lets the question
// be has no sound, and is not asked again; the profile has the same choice.
import { choose, chosen, hear } from "./sound.js";

const question = document.querySelector("#hear > p");

document.addEventListener("afterburn:arrived", ({ target }) => {
  if (!question?.hidden || chosen().dice !== undefined || !target.querySelector(".die")) return;
  choose("dice", false);
  question.hidden = false;
});
question?.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  if (button.value) {
    choose("dice", true);
    hear();
  }
  document.querySelector(".feed-frame").focus({ preventScroll: true });
  question.remove();
});
