// On a narrow page the sides of the table are sheets: opened by [data-opens="<id>"], closed by Escape, the veil, their own button or what
// starts something that is then on the stage.

const narrow = matchMedia("(max-width: 60rem)");
const head = document.querySelector("body > header");
// All but the X-card, which can be played whatever is open.
const X = ".x-card-place";
const rest = document.querySelectorAll(`body > header > :not(.top-end), .top-end > :not(${X}), body > a, .middle`);
let opener = null;

const set = (side, open) => {
  side.classList.toggle("is-open", open);
  // It begins below the head, however many lines that has.
  side.style.top = open ? `${Math.max(0, head.getBoundingClientRect().bottom)}px` : "";
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
  } else if (event.target.closest(".side-close, .scrim, .side.is-open .drop-list button[hx-get]")) close();
});
// What lies over it goes first.
const over = () => document.querySelector("dialog[open], [popover]:popover-open");
document.addEventListener("keydown", (event) => event.key === "Escape" && !over() && close(), true);
narrow.addEventListener("change", close);
