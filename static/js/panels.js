// On a narrow page the sides of the table are sheets: opened by [data-opens="<id>"], closed by Escape, the veil or their own button.

const narrow = matchMedia("(max-width: 60rem)");
const rest = document.querySelectorAll("body > header, body > a, .middle");
let opener = null;

const set = (side, open) => {
  side.classList.toggle("is-open", open);
  // While a sheet is open it is all there is, for the keyboard and for screen readers.
  rest.forEach((part) => part.toggleAttribute("inert", open));
  document.querySelectorAll(`[data-opens="${side.id}"]`).forEach((button) => button.setAttribute("aria-expanded", open));
};

const close = () => {
  const side = document.querySelector(".side.is-open");
  if (!side) return;
  set(side, false);
  if (opener) opener.focus();
  opener = null;
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-opens]");
  if (button) {
    const side = document.getElementById(button.dataset.opens);
    opener = button;
    set(side, true);
    side.querySelector(".side-close").focus();
  } else if (event.target.closest(".side-close, .scrim")) close();
});
// A dialog over it goes first.
document.addEventListener("keydown", (event) => event.key === "Escape" && !event.target.closest("dialog[open]") && close());
narrow.addEventListener("change", close);
