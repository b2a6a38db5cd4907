// What is done at the table without leaving it: forms that are fetched into the dialog, and another character at hand.
import { whenClosed } from "./closed.js";
import { back } from "./fetched-forms.js";

const dialog = document.getElementById("dialog");
const desk = document.getElementById("desk");

// A form that was fetched into it opens it, before it is given the focus. Escape, its own button and what leaves a form close it
// (fetched-forms.js); what opened it has the focus again, drawn anew or not.
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target === desk && !dialog.open && desk.firstElementChild) dialog.showModal();
}, true);
dialog.addEventListener("click", ({ target }) => target.closest("[data-close]") && dialog.close());
whenClosed(dialog, () => {
  desk.replaceChildren();
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body || dialog.contains(activeElement)) back();
});

// An NPC that was just made is at hand at once, with the dice that were named, to be spoken as or rolled for. What comes is settled at
// once: the odds hear of the dice only if they listen by then.
// Games call the field differently; the first slot of the form takes dice by number.
const pool = () => document.querySelector("#roll [name=pool]") ?? document.querySelector("#roll .slot-pool input");
document.addEventListener("afterburn:hand", async ({ detail: { url, pool: dice } }) => {
  history.replaceState(history.state, "", url);
  await htmx.ajax("GET", url, { target: "#hand", swap: "innerHTML settle:0s" });
  document.querySelector(".side.is-open .side-close")?.click();
  if (!dice || !pool()) return document.getElementById("say-text").focus();
  pool().value = dice;
  pool().dispatchEvent(new Event("input", { bubbles: true }));
  document.querySelector("#roll [type=submit]").focus();
});
