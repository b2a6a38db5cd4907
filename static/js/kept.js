// Rolls that were saved, and the last ones: a press puts one into the roll form, a second press (or Enter) rolls it, as long as
// nothing else was done to the form.
import { putRoll } from "./composer.js";

const pressed = () => document.querySelector("#hand [data-again][aria-pressed=true]");
const release = () => pressed()?.setAttribute("aria-pressed", "false");
let putting = false;

const again = async (button) => {
  if (button === pressed()) return document.getElementById("roll").requestSubmit();
  release();
  putting = true;
  await putRoll(button.dataset.again, JSON.parse(button.dataset.fields));
  putting = false;
  button.setAttribute("aria-pressed", "true");
};

document.addEventListener("click", ({ target }) => {
  const button = target.closest("#hand [data-again]");
  if (button) again(button);
});
document.addEventListener("input", ({ target }) => !putting && target.closest("#roll") && release());

// What was saved, removed or rolled is at hand at once.
document.addEventListener("afterburn:done", ({ detail: { form } }) => {
  const kept = document.getElementById("kept");
  if (!kept || !form.closest(".composer, .kept")) return;
  document.getElementById("save-roll")?.removeAttribute("open");
  kept.dispatchEvent(new CustomEvent("afterburn:kept"));
});
