// Forms that are fetched into the page: they take the focus, can be left again without sending them, and when they are gone the focus
// is back with what fetched them. And what opens lightly, a menu or what is folded, closes with Escape; a menu also when one turns to
// something else.

const DESK = ".desk, [id^='more-']";
const FIRST = ":is(input:not([type=hidden]), select, textarea)";
let fetcher = null;

export const back = () => {
  // The socket may have drawn it anew meanwhile.
  const to = fetcher?.isConnected ? fetcher : document.getElementById(fetcher?.id);
  to?.focus();
};
const clear = (desk) => {
  // The dialog of these forms closes with them, and dialog.js does the rest; another one that has a form in it stays.
  if (desk.id === "desk") return /** @type {HTMLDialogElement} */ (desk.closest("dialog")).close();
  desk.replaceChildren();
  back();
};

// Exactly one Cancel: the form's own, or one put beside what sends it. Where several forms are offered, it stands below them all.
const offerCancel = (desk) => {
  if (desk.querySelector("[data-close]")) return;
  const forms = desk.querySelectorAll("form");
  const submits = desk.querySelectorAll("form [type=submit]");
  if (!submits.length) return;
  const cancel = document.createElement("button");
  Object.assign(cancel, { type: "button", className: "bare", textContent: gettext("Cancel") });
  cancel.dataset.close = "";
  const last = [...submits].at(-1);
  if (forms.length === 1 && last.parentElement.matches(".actions")) return last.parentElement.append(cancel);
  const actions = document.createElement("div");
  actions.className = "actions";
  if (forms.length === 1) {
    last.replaceWith(actions);
    actions.append(last);
  } else desk.append(actions);
  actions.append(cancel);
};
// A Cancel that is a link on its own page closes the form here instead.
document.addEventListener("click", (event) => {
  const desk = event.target.closest("[data-close]")?.closest(DESK);
  if (!desk) return;
  event.preventDefault();
  clear(desk);
});

document.addEventListener("htmx:afterSwap", ({ target, detail }) => {
  if (!target.matches(DESK)) return;
  fetcher = detail.requestConfig?.elt;
  offerCancel(target);
  target.querySelector(FIRST)?.focus();
});
// What was sent to be followed by another of its kind stays, and is empty again.
let pressed = null;
document.addEventListener("submit", ({ submitter }) => { pressed = submitter; }, true);
const another = (form) => {
  form.reset();
  form.dispatchEvent(new Event("input", { bubbles: true }));
  form.querySelector(FIRST)?.focus();
};

document.addEventListener("afterburn:done", (event) => {
  const { form } = event.detail;
  if (pressed?.form === form && "again" in pressed.dataset) return another(form);
  const { closes } = form.dataset;
  const desk = closes && document.getElementById(closes);
  if (desk) clear(desk);
  const menu = event.detail.form.closest(".drop[open]");
  if (menu) shut(menu);
});

const shut = (details) => {
  details.open = false;
  details.querySelector("summary").focus();
};

// The sides of a narrow table close with the same key (panels.js), and dialogs by themselves: what is open inside goes first.
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (key !== "Escape" || target.closest("dialog, [popover]")) return;
  const inner = target.closest(`${DESK}, details[open]`);
  if (!inner || (inner.matches(DESK) && !inner.hasChildNodes())) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (inner.matches("details")) shut(inner);
  else clear(inner);
}, true);

const menus = (besides) => [...document.querySelectorAll(".drop[open]")].filter((menu) => !menu.contains(besides));
document.addEventListener("click", ({ target }) => {
  menus(target).forEach((menu) => { menu.open = false; });
  const pressed = target.closest(":is(.drop-list, .party-open > .actions) button:not([type=submit], .in-play *)")?.closest(".drop");
  if (pressed) shut(pressed);
});
document.addEventListener("focusin", ({ target }) => menus(target).forEach((menu) => { menu.open = false; }));
