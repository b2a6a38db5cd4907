// The lists of a sheet. Rows come and go as displays, alike for everybody; for who may write, what sets their columns is put in here.
import { send } from "./operations.js";
import { all, announce, dirty, offerUndo, read, save, take, why } from "./entries.js";
import { columnOf, label, partsFor, taken, valueIn } from "./row.js";

const sheet = document.querySelector(".sheet");

const titleOf = (list, row) => valueIn(row, list.dataset.title) || list.dataset.singular;

const name = (list, row) => {
  const title = titleOf(list, row);
  row.dataset.called = title;
  label(row, (words) => `${title}: ${words}`);
  for (const step of row.querySelectorAll("[data-step]")) {
    const field = step.closest(".sheet-cell").querySelector("[data-label]").dataset.label;
    step.setAttribute("aria-label", interpolate(gettext("Set %(row)s: %(field)s to %(value)s"), { row: title, field, value: step.dataset.step }, true));
  }
};

const equip = (row) => {
  const list = row.closest(".sheet-list");
  if (row.querySelector(".row-tools")) return;
  const parts = partsFor(row, list.querySelector(":scope > template"));
  for (const cell of row.querySelectorAll(".sheet-cell")) {
    const control = parts.querySelector(`[data-column="${columnOf(cell)}"]`);
    if (!control) continue;
    cell.dataset.as = control.dataset.as;
    cell.classList.add("entry", `as-${control.dataset.as}`);
    cell.append(...control.childNodes);
    take(cell, cell.dataset.field);
  }
  row.append(parts.querySelector(".row-tools"));
  name(list, row);
  htmx.process(row);
};

// Where the focus goes when the row it was in is gone.
const nextTo = (list, row) =>
  (row.nextElementSibling ?? row.previousElementSibling)?.querySelector("input, select, button:not([tabindex='-1'])") ?? list.querySelector("summary");

const note = (row, words) => {
  let errors = row.querySelector(":scope > .errors");
  if (!errors) {
    errors = document.createElement("div");
    errors.className = "errors";
    row.append(errors);
  }
  errors.innerHTML = words;
  announce(errors.textContent.replace(/\s+/g, " ").trim());
  return errors;
};

const remove = async (row) => {
  const list = row.closest(".sheet-list");
  const fields = { why: why(), ...taken(list.dataset.rows, row) };
  row.classList.add("is-going");
  const answer = await send(sheet.dataset.removeUrl, fields, (words) => note(row, words));
  row.classList.remove("is-going");
  if (answer.status < 300) {
    offerUndo(true);
    announce(interpolate(gettext("%(name)s removed."), { name: titleOf(list, row) }, true));
    if (row.contains(document.activeElement)) nextTo(list, row)?.focus();
    row.dataset.mine = "gone"; // its unsaved words go with it
  } else if (row.isConnected) note(row, answer.html);
};

// What somebody took off while words were unsaved in it leaves those words behind.
const leaveBehind = (list, row) => {
  const kept = [...row.querySelectorAll(".entry")].map((cell) => all.get(cell)).filter((entry) => entry && (dirty(entry) || entry.sending));
  for (const cell of row.querySelectorAll(".entry")) all.delete(cell);
  if (!kept.length || row.dataset.mine) return;
  const box = document.createElement("div");
  box.className = "left-behind notice trouble stack";
  box.setAttribute("role", "alert");
  const words = document.createElement("p");
  words.textContent = interpolate(gettext("Someone removed “%(name)s” while you were writing. Your text:"), { name: titleOf(list, row) }, true);
  const text = document.createElement("textarea");
  text.readOnly = true;
  text.setAttribute("aria-label", gettext("Your text"));
  text.value = kept.map(read).join("\n");
  const close = document.createElement("button");
  close.type = "button";
  close.className = "bare";
  close.textContent = gettext("Dismiss");
  close.addEventListener("click", () => box.remove());
  box.append(words, text, close);
  list.querySelector(".sheet-rows").after(box);
};

// A row that the socket draws anew goes on being written in.
const carryOver = (row, anew) => {
  for (const cell of row.querySelectorAll(".entry")) {
    const entry = all.get(cell);
    const into = all.get(anew.querySelector(`.sheet-cell[data-field="${cell.dataset.field}"]`));
    if (!entry || !into?.input || !dirty(entry)) continue;
    into.base = entry.base;
    if (into.input.type === "checkbox") into.input.checked = entry.input.checked;
    else into.input.value = entry.input.value;
    if (entry.sending) save(into, read(into));
  }
};

const rowsOf = (changes, which) => changes.flatMap((change) => [...change[which]]).filter((node) => node.matches?.(".sheet-row"));
const watch = (list) => {
  const rows = list.querySelector(".sheet-rows");
  rows.querySelectorAll(".sheet-row").forEach(equip);
  new MutationObserver((changes) => {
    for (const row of rowsOf(changes, "addedNodes")) equip(row);
    for (const row of rowsOf(changes, "removedNodes")) {
      if (row.isConnected) continue;
      const anew = document.getElementById(row.id);
      if (anew) carryOver(row, anew);
      else leaveBehind(list, row);
    }
  }).observe(rows, { childList: true });
};

const add = async (form) => {
  const beside = form.querySelector(".beside");
  const errors = form.querySelector(".errors");
  if (form.dataset.sending) return;
  form.dataset.sending = "yes";
  errors.replaceChildren();
  beside.textContent = gettext("saving …");
  const given = Object.fromEntries(new FormData(form));
  const answer = await send(sheet.dataset.addUrl, { rows: form.dataset.add, why: why(), ...given }, (words) => {
    beside.textContent = words;
    announce(words);
    return beside;
  });
  delete form.dataset.sending;
  beside.textContent = "";
  if (answer.status < 300) {
    offerUndo(true);
    // Whoever has typed on meanwhile keeps what was typed.
    for (const input of form.elements) {
      if (!input.name || input.value !== (given[input.name] ?? input.value)) continue;
      if (input.type === "checkbox") input.checked = false;
      else if (input.options) input.selectedIndex = Math.max(0, [...input.options].findIndex((option) => option.defaultSelected));
      else input.value = input.defaultValue;
    }
    announce(gettext("Added."));
    form.querySelector("input, select").focus();
  } else {
    errors.innerHTML = answer.html;
    announce(errors.textContent.replace(/\s+/g, " ").trim());
  }
};

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-add]")) return;
  event.preventDefault();
  add(event.target);
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-remove-row]");
  if (button) remove(button.closest(".sheet-row"));
});
document.addEventListener("toggle", (event) => {
  if (event.target.matches?.(".add-row[open]") && event.target.contains(document.activeElement)) event.target.querySelector("form input, form select")?.focus();
}, true);
document.addEventListener("afterburn:placed", (event) => {
  const row = event.target.closest(".sheet-row");
  if (row && event.target.matches(".cell")) name(row.closest(".sheet-list"), row);
});

document.querySelectorAll(".sheet-list").forEach(watch);
