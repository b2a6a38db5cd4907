// Questions before something is done (hx-confirm), asked in a dialog of ours. The button that was pressed says what it does.
import { whenClosed } from "./closed.js";

const dialog = document.createElement("dialog");
dialog.className = "dialog";
dialog.setAttribute("aria-labelledby", "confirm-question");
dialog.innerHTML = `<form method="dialog"><h2 id="confirm-question"></h2><div class="actions">
  <button class="primary" value="yes"></button><button class="bare" value="" autofocus></button></div></form>`;
dialog.querySelector("[autofocus]").textContent = gettext("Cancel");
document.body.append(dialog);

let answer = null;
document.addEventListener("htmx:confirm", (event) => {
  const { question, issueRequest, elt, triggeringEvent } = event.detail;
  if (!question || event.defaultPrevented) return;
  event.preventDefault();
  const pressed = triggeringEvent?.submitter ?? elt.querySelector("[type=submit]") ?? elt;
  dialog.querySelector("h2").textContent = question;
  dialog.querySelector(".primary").textContent = pressed.textContent.replace(/\s+/g, " ").trim();
  dialog.returnValue = "";
  answer = issueRequest;
  dialog.showModal();
});
// The browser gives the focus back to what was pressed.
whenClosed(dialog, () => {
  if (dialog.returnValue) answer(true);
  answer = null;
});
