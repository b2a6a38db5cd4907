// Making a character one step at a time. Without this script the page shows all of its steps, one below the other.

const form = document.getElementById("guided");
const steps = [...form.querySelectorAll(".guided-sections")];
const links = [...form.querySelectorAll(".guided-steps a")];
const back = document.getElementById("step-back");
const next = document.getElementById("step-next");
const make = document.getElementById("step-make");
const last = steps.length - 1;
let at = 0;

const show = (wanted) => {
  at = Math.min(Math.max(wanted, 0), last);
  steps.forEach((step, number) => (step.hidden = number !== at));
  links.forEach((link, number) => {
    if (number === at) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  });
  back.hidden = at === 0;
  next.hidden = at === last;
  next.classList.toggle("primary", at < last);
  make.classList.toggle("primary", at === last);
};

// To another step by hand: whoever listens or works by keys goes on at its beginning.
const turn = (wanted) => {
  show(wanted);
  steps[at].focus({ preventScroll: true });
  form.scrollIntoView({ block: "start" });
};

back.addEventListener("click", () => turn(at - 1));
next.addEventListener("click", () => turn(at + 1));
links.forEach((link, number) =>
  link.addEventListener("click", (event) => {
    event.preventDefault();
    turn(number);
  }),
);

// A suggestion goes into the field it stands below.
form.addEventListener("click", ({ target }) => {
  const word = target.closest(".suggestions [data-gives]");
  if (!word) return;
  const field = word.closest(".field").querySelector("input, textarea");
  field.value = word.dataset.gives;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  word.closest("details").open = false;
  field.focus();
});

// Enter would press the first button of the form, whichever step that is in.
form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("input:not([type=checkbox])")) return;
  event.preventDefault();
  if (at < last) turn(at + 1);
});

// What was sent and refused is shown where it is wrong.
const wrong = steps.findIndex((step) => step.querySelector(".is-wrong, .errors li, .errorlist"));
form.classList.add("is-stepped");
show(Math.max(wrong, 0));
