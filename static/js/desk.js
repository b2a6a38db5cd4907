// What is done at the table without leaving it: forms that are fetched into the dialog, and another character at hand.

const dialog = document.getElementById("dialog");
const desk = document.getElementById("desk");
let opener = null;

// A form that was fetched into it opens it. Escape, its own button and a form that is done close it; what opened it has the focus
// again, drawn anew or not.
document.addEventListener("htmx:afterSwap", ({ target, detail }) => {
  if (target !== desk || dialog.open || !desk.firstElementChild) return;
  opener = detail.requestConfig?.elt;
  dialog.showModal();
}, true);
document.addEventListener("afterburn:done", ({ detail }) => detail.form.dataset.closes === "desk" && dialog.close(), true);
dialog.addEventListener("click", ({ target }) => target.closest("[data-close]") && dialog.close());
dialog.addEventListener("close", () => {
  desk.replaceChildren();
  const back = opener?.isConnected ? opener : document.getElementById(opener?.id);
  if (document.activeElement === document.body || document.activeElement === null) back?.focus();
});

// An NPC that was just made is at hand at once, with the dice that were named, to be spoken as or rolled for.
const pool = () => document.querySelector("#roll [name=pool]");
document.addEventListener("afterburn:hand", async ({ detail: { url, pool: dice } }) => {
  history.replaceState(history.state, "", url);
  await htmx.ajax("GET", url, { target: "#hand", swap: "innerHTML" });
  document.querySelector(".side.is-open .side-close")?.click();
  if (!dice || !pool()) return document.getElementById("say-text").focus();
  pool().value = dice;
  pool().dispatchEvent(new Event("input", { bubbles: true }));
  document.querySelector("#roll [type=submit]").focus();
});
