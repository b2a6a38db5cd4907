// What is set on a card itself, in a part that each reader fetches for themselves: what they have chosen or typed there and not sent yet
// outlasts the card that somebody else has drawn again (apply.js), and stands in what is fetched for it. Its numbers have a button at each side.

const FIELDS = "input:not([type=hidden]), select, textarea";
const isBox = (field) => field.matches("[type=checkbox], [type=radio]");
const asDrawn = (field) => {
  if (isBox(field)) return field.defaultChecked;
  return field.options ? ([...field.options].find((one) => one.defaultSelected) ?? field.options[0]).value : field.defaultValue;
};
const now = (field) => (isBox(field) ? field.checked : field.value);
const put = (field, value) => {
  if (isBox(field)) field.checked = value;
  else field.value = value;
};

const sign = (part) => {
  for (const steps of part.querySelectorAll("[data-steps]")) {
    steps.dataset.sign = String(Math.sign(Number(steps.querySelector("input").value)));
  }
};

let touched = [];
document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
  if (!target.matches(".on-card")) return;
  const fields = [...target.querySelectorAll(FIELDS)].filter((field) => field.id && now(field) !== asDrawn(field));
  const folds = [...target.querySelectorAll("details[id][open]")].map(({ id }) => [id, true]);
  touched = [...fields.map((field) => [field.id, now(field)]), ...folds];
});
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (!target.matches(".on-card")) return;
  for (const [id, value] of touched) {
    const there = target.querySelector(`[id="${id}"]`);
    if (there?.matches("details")) there.open = true;
    else if (there) put(there, value);
  }
  sign(target);
  // What it comes to is asked with what stands there now.
  if (touched.length) target.firstElementChild?.dispatchEvent(new Event("input", { bubbles: true }));
  touched = [];
});

// What was taken is empty again, in the card as it is by now.
document.addEventListener("htmx:afterRequest", ({ detail: { elt, successful, requestConfig: { verb, formData } } }) => {
  if (!successful || verb !== "post" || !elt.id) return;
  for (const field of document.getElementById(elt.id)?.querySelectorAll(".on-card [data-clear]") ?? []) {
    if (field.value === formData.get(field.name)) field.value = "";
  }
});

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-steps] > [data-step]");
  const field = button?.parentElement.querySelector("input");
  if (!field) return;
  if (Number(button.dataset.step) > 0) field.stepUp();
  else field.stepDown();
  for (const news of ["input", "change"]) field.dispatchEvent(new Event(news, { bubbles: true }));
});
document.addEventListener("input", ({ target }) => {
  const card = target.closest(".on-card");
  if (card) sign(card);
});
