// What begins with a slash is completed while it is typed: the command, then the name that some of them take. The list stays closed
// unless there is something to choose; arrow keys choose, Enter or Tab takes, Escape closes, and the focus stays in the text.

import { asTyped, fold } from "./fold.js";

const text = document.getElementById("say-text");
const list = document.getElementById("say-commands");
const said = document.getElementById("say-commands-said");
const { commands, names } = JSON.parse(list.dataset.completions);
const named = Object.fromEntries(Object.entries(names).map(([word, found]) => [fold(word), found]));
let options = []; // {words, about, line (the text with it)}
let at = 0;

// Voices by their values: those that can still be chosen (party.js).
const still = (all) =>
  Array.isArray(all) ? all : Object.keys(all).filter((value) => document.querySelector(`#say-voice [value="${value}"]`)).map((value) => all[value]);
const begins = (words, typed) => fold(words).startsWith(fold(typed));
// A name in which the one who reads it could end too soon goes in quotes.
const quoted = (name, all) => (/\s/.test(name) || all.some((other) => other !== name && begins(other, name)) ? `"${name}"` : name);

const offered = () => {
  const typed = asTyped(text.value);
  if (!typed.startsWith("/") || typed.startsWith("//") || text.selectionEnd !== text.value.length) return [];
  const [command, ...rest] = typed.split(" ");
  if (!rest.length) {
    const found = commands.filter(([word]) => begins(word, typed));
    return found.map(([word, about]) => ({ words: word, about, line: `${word} ` }));
  }
  const all = still(named[fold(command)] ?? []);
  const name = rest.join(" ").replace(/^["“]/, "");
  const found = all.filter((one) => begins(one, name) && !/["”]/.test(name));
  return found.map((one) => ({ words: one, about: "", line: `${command} ${quoted(one, all)} ` }));
};

const close = () => {
  list.hidden = true;
  list.replaceChildren();
  text.removeAttribute("aria-activedescendant");
  options = [];
};
const mark = () => {
  [...list.children].forEach((option, number) => option.setAttribute("aria-selected", number === at));
  text.setAttribute("aria-activedescendant", list.children[at].id);
  list.children[at].scrollIntoView({ block: "nearest" });
};
const drawn = ({ words, about }, number) => {
  const option = document.createElement("li");
  option.id = `say-command-${number}`;
  option.role = "option";
  option.append(Object.assign(document.createElement("b"), { textContent: words }));
  if (about) option.append(" ", Object.assign(document.createElement("span"), { textContent: about, className: "quiet" }));
  return option;
};
const open = () => {
  const before = options.length;
  options = offered();
  if (!options.length) return close();
  at = 0;
  list.replaceChildren(...options.map(drawn));
  list.hidden = false;
  if (options.length !== before) {
    said.textContent = interpolate(ngettext("%(count)s choice", "%(count)s choices", options.length), { count: options.length }, true);
  }
  mark();
};
const take = (number) => {
  const { line } = options[number];
  close();
  text.setRangeText(line, 0, text.value.length, "end");
  text.dispatchEvent(new Event("input", { bubbles: true })); // which offers the names that come next
};

const KEYS = {
  ArrowDown: () => { at = (at + 1) % options.length; mark(); },
  ArrowUp: () => { at = (at + options.length - 1) % options.length; mark(); },
  Enter: () => take(at),
  Tab: () => take(at),
  Escape: close,
};
// Before composer.js, which sends with Enter.
text.addEventListener("keydown", (event) => {
  if (!options.length || !KEYS[event.key] || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  KEYS[event.key]();
}, { capture: true });
text.addEventListener("input", open);
text.addEventListener("blur", close);
list.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus stays where one types
list.addEventListener("click", ({ target }) => {
  const option = target.closest("[role=option]");
  if (option) take([...list.children].indexOf(option));
});
