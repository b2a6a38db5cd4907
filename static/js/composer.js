// The composer: traits pressed on the sheet become a pool, requests fill in the form, keys reach it.
"use strict";

(() => {
  const roll = document.getElementById("roll");
  if (!roll) return;
  const say = document.getElementById("say");
  const pool = roll.elements.namedItem("pool");
  const field = (name) => roll.elements.namedItem(name);

  const traits = () => pool.value.split("+").map((name) => name.trim()).filter((name) => name && !/^\d+$/.test(name));
  const buttons = () => [...document.querySelectorAll("[data-trait]")];
  const folded = (name) => name.toLowerCase().replace(/[^a-z]/g, "");

  // What is pressed and what stands in the pool say the same, whichever of the two was touched.
  const showPressed = () => {
    const inPool = new Set(traits().map(folded));
    let dice = 0;
    for (const button of buttons()) {
      const pressed = inPool.has(folded(button.dataset.trait));
      button.setAttribute("aria-pressed", pressed);
      if (pressed) dice += Number(button.querySelector(".mark").dataset.value);
    }
    const typed = /^\s*\d+\s*$/.test(pool.value) ? Number(pool.value) : 0;
    const count = typed || dice ? Math.max(1, (typed || dice) + Number(field("modifier").value || 0)) : 0;
    document.getElementById("roll-dice").textContent = count ? `${count} ${count === 1 ? "die" : "dice"}` : "";
  };

  // As if it had been typed: the odds listen to the form.
  const changed = () => pool.dispatchEvent(new Event("input", { bubbles: true }));

  document.addEventListener("click", (event) => {
    const trait = event.target.closest("[data-trait]");
    if (trait) {
      const now = traits();
      const name = trait.dataset.trait.replace(/_/g, " ");
      const at = now.findIndex((other) => folded(other) === folded(name));
      if (at < 0) now.push(name);
      else now.splice(at, 1);
      pool.value = now.join(" + ");
      changed();
    }
    const asked = event.target.closest("[data-request]");
    if (asked) answer(asked.dataset);
  });

  const answer = (asked) => {
    field("request").value = asked.request;
    if (asked.traits) pool.value = asked.traits;
    field("difficulty").value = asked.difficulty;
    field("kind").value = asked.kind;
    document.getElementById("mode-roll")?.click();
    document.querySelector(".side.is-open .side-close")?.click();
    changed();
    (asked.traits ? roll.querySelector("[type=submit]") : pool).focus();
  };

  roll.addEventListener("input", showPressed);
  roll.addEventListener("afterburn:done", () => {
    for (const name of ["request", "faces", "note"]) field(name).value = "";
    for (const name of ["willpower", "automatic"]) if (field(name)) field(name).checked = false;
    field("modifier").value = 0;
    field("kind").value = "action";
    changed();
  });

  // Whispering asks to whom.
  const voice = say.elements.namedItem("voice");
  const to = document.getElementById("say-to");
  const showTo = () => { to.hidden = voice.value !== "whisper"; };
  voice.addEventListener("change", showTo);
  showTo();

  // Enter sends, Shift+Enter makes a new line, as people know it.
  const text = say.elements.namedItem("text");
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    say.requestSubmit();
  });

  const help = document.getElementById("keys");
  document.addEventListener("keydown", (event) => {
    // A dialog that has just closed may hold the focus for one frame more.
    if (event.target.closest("input, textarea, select, dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      document.getElementById("mode-say")?.click();
      text.focus();
    } else if (event.key === "r") roll.requestSubmit();
    else if (event.key === "?") help.showModal();
    else return;
    event.preventDefault();
  });

  // A form that was fetched goes when it is done.
  document.addEventListener("afterburn:done", (event) => {
    const { closes } = event.detail.form.dataset;
    if (closes) document.getElementById(closes)?.replaceChildren();
  });

  document.addEventListener("htmx:afterSettle", showPressed);
  showPressed();
})();
