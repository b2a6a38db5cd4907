// What was typed into a form and not sent yet outlasts a reload, another page and a crash of the tab: it is kept for this tab, by
// the page's address, the form and the field, and put back when that form is there again. It goes when the form has been taken,
// and with the one who typed it. Passwords, files and hidden fields are never kept, nor what is marked data-draft="off".

const PREFIX = "afterburn-draft:";
const OWNER = "afterburn-draft-owner";
const REST = 150; // ms; a crash loses no more than the last of it
const TEXT = "textarea, input:is(:not([type]), [type=text], [type=number], [type=search], [type=email], [type=url], [type=tel], [type=date])";
const CHOSEN = "select, input:is([type=checkbox], [type=radio])";
const LEFT_OUT = "[data-draft=off], [data-draft=off] *, [autocomplete=one-time-code]";

// A browser may forbid it, and what is kept may be too much for it.
const store = (work) => {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
};
const kept = () => store((storage) => Object.keys(storage).filter((key) => key.startsWith(PREFIX))) ?? [];
const drop = (key) => store((storage) => storage.removeItem(key));
const write = (key, draft) => store((storage) => storage.setItem(key, JSON.stringify(draft)));
const read = (key) => JSON.parse(store((storage) => storage.getItem(key)) ?? "null");

// Searches are no drafts, and where a password is typed, or nobody is signed in, nothing is kept.
const { user } = document.documentElement.dataset;
const keeps = (form) =>
  Boolean(user) && (form.hasAttribute("hx-post") || form.method === "post") && !form.matches(LEFT_OUT) && !form.querySelector("[type=password]");

// The roll form is another one for each character and for other rules.
const keyOf = (form) => {
  const told = ["system", "character"].map((name) => form.querySelector(`:scope > input[type=hidden][name="${name}"]`)?.value ?? "");
  const called = form.id || form.getAttribute("hx-post") || form.getAttribute("action") || "";
  return PREFIX + [location.pathname, called, ...told].join(":");
};
const controls = (form) =>
  [...form.elements].filter((input) => input.name && !input.disabled && input.matches(`${TEXT}, ${CHOSEN}`) && !input.matches(LEFT_OUT));
const isText = (input) => input.matches(TEXT);
const isBox = (input) => input.matches("[type=checkbox], [type=radio]");
const currentValue = (input) => (isBox(input) ? input.checked : input.value);
// Boxes that have a name together are told apart by their values, other fields by their order.
const signs = (inputs) => {
  const seen = {};
  return inputs.map((input) => {
    const name = isBox(input) ? `${input.name}=${input.value}` : input.name;
    seen[name] = (seen[name] ?? 0) + 1;
    return `${name}#${seen[name]}`;
  });
};

// Choices are kept beside what is typed: a whisper that came back as something said aloud would be worse than none.
const keep = (form) => {
  if (!form.isConnected || !keeps(form)) return;
  const inputs = controls(form);
  if (!inputs.some((input) => isText(input) && input.value !== input.defaultValue)) return drop(keyOf(form));
  const names = signs(inputs);
  const fields = inputs.map((input, at) => [names[at], currentValue(input), isText(input) ? input.defaultValue : ""]);
  write(keyOf(form), { fields });
};

// A field whose own value has become another meanwhile, one that something was put into already (a trait that was picked on a
// sheet), and a choice that is gone stay as the page has them.
const put = (input, value, before) => {
  if (isText(input) && (input.defaultValue !== before || input.value !== before)) return false;
  if (input.options && ![...input.options].some((option) => option.value === value)) return false;
  if (currentValue(input) === value) return false;
  if (isBox(input)) input.checked = value;
  else input.value = value;
  return true;
};

const bringBack = (form) => {
  const draft = keeps(form) ? read(keyOf(form)) : null;
  if (!draft) return;
  const inputs = controls(form);
  const names = signs(inputs);
  const fields = new Map(draft.fields.map(([name, ...rest]) => [name, rest]));
  const changed = inputs.filter((input, at) => fields.has(names[at]) && put(input, ...fields.get(names[at])));
  // As if it had been typed: what else stands on the page follows.
  for (const input of changed) {
    for (const type of isText(input) ? ["input"] : ["input", "change"]) input.dispatchEvent(new Event(type, { bubbles: true }));
  }
};
const bringBackIn = (part) => {
  for (const form of [...(part.matches?.("form") ? [part] : []), ...part.querySelectorAll("form")]) bringBack(form);
};

const timers = new Map();
const done = new Set(); // forms that have just been taken: what scripts then do to them is nobody's typing
const now = (form) => {
  clearTimeout(timers.get(form));
  timers.delete(form);
  keep(form);
};
const later = ({ target }) => {
  const { form } = target;
  if (!form || done.has(form) || !target.matches(`${TEXT}, ${CHOSEN}`)) return;
  clearTimeout(timers.get(form));
  timers.set(form, setTimeout(now, REST, form));
};
const flush = () => [...timers.keys()].forEach(now);

// What is sent while it is typed, to be reckoned with, is not sent off by that.
const sentByHtmx = (form) => form.hasAttribute("hx-post") && !form.hasAttribute("hx-trigger");

// A form that htmx has sent is done when it was taken. Whoever has typed on meanwhile keeps that.
document.addEventListener("afterburn:done", ({ detail: { form } }) => {
  if (!sentByHtmx(form)) return;
  clearTimeout(timers.get(form));
  timers.delete(form);
  done.add(form);
  setTimeout(() => done.delete(form));
  drop(keyOf(form));
  if ([...form.querySelectorAll("[data-clear]")].some((input) => input.value !== input.defaultValue)) keep(form);
});

// Of another form only the next page knows whether it was taken.
document.addEventListener("submit", ({ target: form, defaultPrevented }) => {
  if (form.getAttribute("action")?.endsWith("/logout/")) return kept().forEach(drop);
  if (defaultPrevented || sentByHtmx(form) || !keeps(form)) return;
  now(form);
  const draft = read(keyOf(form));
  if (draft) write(keyOf(form), { ...draft, sent: true });
});
const settleSent = () => {
  // Where a browser does not say how the page was come to, nothing is taken for sent.
  /** @type {any[]} */
  const [{ type, responseStatus = 200 } = {}] = performance.getEntriesByType("navigation");
  const refused = [...document.querySelectorAll(".errors, .errorlist")].some((part) => part.textContent.trim());
  for (const key of kept()) {
    const { sent, ...draft } = read(key);
    if (!sent) continue;
    if (type === "navigate" && responseStatus < 400 && !refused) drop(key);
    else write(key, draft);
  }
};

// What somebody else has typed in this tab is not shown to the next.
const begin = () => {
  if (!user) return;
  if (store((storage) => storage.getItem(OWNER)) !== user) kept().forEach(drop);
  store((storage) => storage.setItem(OWNER, user));
  settleSent();
  bringBackIn(document);
};

document.addEventListener("input", later);
document.addEventListener("change", later);
window.addEventListener("pagehide", flush);
document.addEventListener("visibilitychange", flush);
document.addEventListener("DOMContentLoaded", begin);
document.addEventListener("htmx:load", ({ target }) => bringBackIn(target));
document.addEventListener("afterburn:placed", ({ target }) => bringBackIn(target));
