// Before the other scripts have run, nothing answers a press: a form would go out as an address, to the page it stands on, and lose
// what was typed. This one runs before there is anything to press. It holds what is pressed, and presses it again once they have run.
// It is no module, since those wait until the page is there; it is served with the words of all scripts (languages/scripts.py).
(() => {
  const FORMS = "[hx-post], [hx-get], [data-add]";
  const BUTTONS = "[hx-get], [hx-post], [data-opens], [data-leads], [data-request], [data-trait], #passkey"; // links lead on by themselves
  const held = new Map(); // a form or a control -> what sent it

  const hold = (event) => {
    const sends = event.type === "submit";
    const pressed = sends ? event.target : event.target.closest?.("button:not([type=submit])");
    if (!pressed?.matches(sends ? FORMS : BUTTONS)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held.set(pressed, event.submitter);
  };
  const again = () => {
    // Without the library nothing would answer them now either, and what was typed is better kept.
    if (typeof htmx === "undefined") {
      document.getElementById("notice").textContent = gettext("Part of this page did not load. Reload it before you go on.");
      return;
    }
    for (const kind of ["submit", "click"]) document.removeEventListener(kind, hold, true);
    for (const [pressed, submitter] of held) {
      if (!pressed.isConnected) continue;
      if (pressed.matches("form")) pressed.requestSubmit(submitter);
      else pressed.click();
    }
    held.clear();
  };

  for (const kind of ["submit", "click"]) document.addEventListener(kind, hold, true);
  // Theirs hear the same event after this one.
  document.addEventListener("DOMContentLoaded", () => setTimeout(again));
})();
