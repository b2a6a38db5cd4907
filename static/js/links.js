// Links to pages are completed while they are typed: [[ and the beginning of a name. Arrow keys choose, Enter or Tab takes, Escape
// closes, and the focus stays in the text.

import { fold } from "./fold.js";

const MOST = 6;
/** @type {any[]} */
const texts = [...document.querySelectorAll("textarea[data-links]")];
const read = async () => {
  const answer = await fetch(`${document.body.dataset.pages}names/`);
  return answer.ok ? (await answer.json()).names.map(({ name }) => name) : [];
};
const names = texts.length ? read() : Promise.resolve([]);

const complete = (text, number) => {
  const list = Object.assign(document.createElement("ul"), { id: `link-names-${number}`, className: "link-names", hidden: true });
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", gettext("Pages"));
  text.after(list);
  text.setAttribute("aria-autocomplete", "list");
  text.setAttribute("aria-controls", list.id);
  let at = 0;

  // What is typed of the link in which the cursor stands, or null.
  const typed = () => /\[\[([^[\]|\n]{0,80})$/.exec(text.value.slice(0, text.selectionEnd))?.[1] ?? null;
  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    text.removeAttribute("aria-activedescendant");
  };
  const mark = () => {
    [...list.children].forEach((option, place) => option.setAttribute("aria-selected", String(place === at)));
    text.setAttribute("aria-activedescendant", list.children[at].id);
  };
  const offer = async () => {
    const begun = typed();
    if (begun === null) return close();
    const wanted = fold(begun);
    const all = await names;
    const begins = all.filter((name) => fold(name).startsWith(wanted));
    const found = [...begins, ...all.filter((name) => !begins.includes(name) && fold(name).includes(wanted))].slice(0, MOST);
    if (!found.length || typed() !== begun) return close();
    at = 0;
    const options = found.map((name, place) => {
      const option = Object.assign(document.createElement("li"), { id: `${list.id}-${place}`, textContent: name });
      option.setAttribute("role", "option");
      option.addEventListener("click", () => take(name));
      return option;
    });
    list.replaceChildren(...options);
    list.hidden = false;
    mark();
  };
  const take = (name) => {
    const from = text.selectionEnd - (typed() ?? "").length;
    const closed = text.value.slice(text.selectionEnd).startsWith("]]");
    text.setRangeText(closed ? name : `${name}]]`, from, text.selectionEnd, "end");
    if (closed) text.setSelectionRange(text.selectionEnd + 2, text.selectionEnd + 2);
    close();
    text.dispatchEvent(new Event("input", { bubbles: true }));
  };

  text.addEventListener("input", offer);
  text.addEventListener("click", offer);
  text.addEventListener("blur", close);
  list.addEventListener("pointerdown", (press) => press.preventDefault()); // the focus stays in the text
  text.addEventListener("keydown", (press) => {
    if (list.hidden) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[press.key];
    if (step) {
      at = (at + step + list.children.length) % list.children.length;
      mark();
    } else if (press.key === "Enter" || press.key === "Tab") take(list.children[at].textContent);
    else if (press.key === "Escape") close();
    else return;
    press.preventDefault();
    press.stopPropagation();
  });
};
texts.forEach(complete);
