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

// What is pressed of an act that is prepared stands among its fields before it is sent: whatever is asked next, for odds that have come or a
// card that was drawn again, asks with it. Only the answer to what was asked last counts.
document.addEventListener("htmx:confirm", ({ detail: { elt } }) => {
  const prepared = elt.matches("button[name][hx-get]") && elt.closest(".prepared");
  if (!prepared) return;
  const kept = prepared.querySelector(`:scope > input[name="${elt.name}"]`) ?? prepared.appendChild(document.createElement("input"));
  Object.assign(kept, { type: "hidden", name: elt.name, value: elt.value });
});
const asked = new WeakMap(); // card -> the request that was sent last
document.addEventListener("htmx:beforeRequest", ({ detail: { target, xhr } }) => {
  if (target.matches(".on-card")) asked.set(target, xhr);
});
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.matches(".on-card") && asked.get(detail.target) !== detail.xhr) detail.shouldSwap = false;
});
