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
  const dialog = desk.closest("dialog");
  if (dialog) return dialog.close(); // dialog.js does the rest
  desk.replaceChildren();
  back();
};

// Beside what sends a form stands what leaves it.
const offerCancel = (desk) => {
  const submit = [...desk.querySelectorAll("form [type=submit]")].at(-1);
  if (!submit) return;
  const cancel = document.createElement("button");
  Object.assign(cancel, { type: "button", className: "bare", textContent: "Cancel" });
  cancel.addEventListener("click", () => clear(desk));
  if (submit.parentElement.matches(".actions")) return submit.parentElement.append(cancel);
  const actions = document.createElement("div");
  actions.className = "actions";
  submit.replaceWith(actions);
  actions.append(submit, cancel);
};

document.addEventListener("htmx:afterSwap", ({ target, detail }) => {
  if (!target.matches(DESK)) return;
  fetcher = detail.requestConfig?.elt;
  offerCancel(target);
  target.querySelector(FIRST)?.focus();
});
document.addEventListener("afterburn:done", (event) => {
  const { closes } = event.detail.form.dataset;
  const desk = closes && document.getElementById(closes);
  if (desk) clear(desk);
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
  const pressed = target.closest(".drop-list button")?.closest(".drop");
  if (pressed) shut(pressed);
});
document.addEventListener("focusin", ({ target }) => menus(target).forEach((menu) => { menu.open = false; }));
