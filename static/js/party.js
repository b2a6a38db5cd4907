// The party: what is pressed of it, and who of it has a player at the table now, by those whom the head of the page names.
import { send } from "./sheet/operations.js";

const presence = document.getElementById("presence");
const party = document.getElementById("party");

const show = () => {
  const here = new Set([...presence.querySelectorAll("[data-person]")].map((person) => person.dataset.person));
  for (const one of party.querySelectorAll("[data-players]")) {
    const is = one.dataset.players.split(" ").some((player) => here.has(player));
    one.classList.toggle("is-away", !is);
    one.querySelector(".party-here").hidden = !is;
    one.querySelector(".party-away").hidden = is;
  }
};

new MutationObserver(show).observe(presence, { childList: true });
new MutationObserver(show).observe(party, { childList: true });
show();

// Each press is sent for itself until it is answered, however fast they come: none is lost, and none counts twice.
party.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-mark]");
  if (!button) return;
  const marks = button.closest("[data-marks]");
  const errors = marks.querySelector(".errors");
  errors.replaceChildren();
  const { mark, of } = button.dataset;
  const { status, html } = await send(marks.dataset.marks, { [mark]: of }, (words) => { errors.textContent = words; });
  if (status >= 300) errors.innerHTML = html;
  else if (!errors.querySelector("li")) errors.replaceChildren();
});
