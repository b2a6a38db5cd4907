// A sheet: what hands do on it. How a field is saved is in sheet/entries.js, how rows come and go in sheet/rows.js.

import { onKeys } from "./keys.js";
import * as live from "./live.js";
import { send, tellIn, underWay } from "./sheet/operations.js";
import { all, announce, called, choose, dirty, leave, of, offerUndo, preview, put, read, save, take, unsaved } from "./sheet/entries.js";
import "./sheet/rows.js"; // its columns are entries before the other fields are taken

const sheet = document.querySelector(".sheet");

if ("writes" in sheet.dataset) {
  for (const element of document.querySelectorAll(".entry[data-field]")) {
    if (!all.has(element)) take(element, element.dataset.field);
  }
}

// One press, or one key

const press = (entry, button) => {
  if (button.dataset.step !== undefined) save(entry, button.dataset.step);
  else if (button.dataset.by) {
    const { minimum, maximum } = entry.input.dataset;
    const now = Math.max(minimum, Math.min(maximum, Number(read(entry)) + Number(button.dataset.by)));
    if (Number.isNaN(now)) return;
    put(entry, String(now));
    save(entry, String(now));
  } else if ("edit" in button.dataset) {
    entry.element.classList.add("editing");
    entry.input.focus();
  } else if (button.dataset.mine !== undefined) choose(entry, { mine: button.dataset.mine });
  else if (button.dataset.theirs !== undefined) choose(entry, { theirs: button.dataset.theirs });
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const entry = button && of(button);
  if (entry) press(entry, button);
});

document.addEventListener("change", (event) => {
  const entry = of(event.target);
  if (entry?.input === event.target && event.target.matches("select, [type=checkbox]")) save(entry, read(entry));
});

document.addEventListener("input", ({ target }) => {
  const entry = of(target);
  if (entry?.input === target) preview(entry);
});

// Along the dots with the arrow keys: they are one stop of the Tab key.
const walk = (event, entry) => {
  const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  if (!way || !event.target.matches(".steps button")) return;
  const steps = [...entry.element.querySelectorAll(".steps button:not([hidden])")];
  const next = steps[steps.indexOf(event.target) + way];
  event.preventDefault();
  if (next) next.focus();
};

document.addEventListener("keydown", (event) => {
  const entry = of(event.target);
  if (entry) walk(event, entry);
  if (entry?.input !== event.target || event.key !== "Enter" || event.isComposing) return;
  const long = event.target.matches("textarea");
  if (event.target.matches("select, [type=checkbox]") || (long && !event.ctrlKey && !event.metaKey)) return;
  event.preventDefault();
  entry.back = long;
  if (long) entry.input.blur();
  else if (dirty(entry)) save(entry, read(entry));
});

// Where one writes is told to those who may see that place.
const sightOf = (element) => (element.closest("[data-sight]") ?? sheet).dataset.sight;
const stand = (entry) => {
  const token = entry && sheet.getAttribute(`data-token-${sightOf(entry.element)}`);
  live.stand(token ? { token, field: entry.address } : null);
};
document.addEventListener("focusin", (event) => stand(of(event.target)));
document.addEventListener("focusout", (event) => {
  const entry = of(event.target);
  if (!entry) return;
  if (!entry.element.contains(event.relatedTarget)) stand(null);
  if (entry.input === event.target) setTimeout(() => leave(entry));
});

// Where the others write.
let heard = [];
document.addEventListener("afterburn:places", (event) => {
  const me = document.documentElement.dataset.me;
  const here = event.detail.filter((place) => place.subject === sheet.dataset.subject && String(place.member) !== me);
  for (const old of document.querySelectorAll(".who-writes")) old.remove();
  for (const place of here) {
    const element = document.querySelector(`:is(.entry, .sheet-cell)[data-field="${CSS.escape(place.field)}"]`);
    if (!element) continue;
    const words = document.createElement("span");
    words.className = "who-writes";
    words.textContent = interpolate(gettext("%(name)s is editing"), { name: place.name }, true);
    element.append(words);
    const key = `${place.member} ${place.field}`;
    if (!heard.includes(key)) announce(interpolate(gettext("%(name)s is editing %(field)s"), { name: place.name, field: called(element) }, true));
  }
  heard = here.map((place) => `${place.member} ${place.field}`);
});

// Undo, locking, marking as complete
const operation = async (button) => {
  const errors = document.getElementById("operations-errors");
  const { mark } = button.dataset;
  // A disabled button would lose the focus.
  if (button.ariaDisabled) return;
  errors.replaceChildren();
  button.ariaDisabled = "true";
  const answer = await send(button.dataset.operation, mark ? { mark } : {}, tellIn(errors));
  button.ariaDisabled = null;
  errors.innerHTML = answer.status < 300 ? "" : answer.html;
  if (answer.status >= 300) return;
  announce(mark ? gettext("Done.") : gettext("Undone."));
  if (!mark) offerUndo(JSON.parse(answer.html).more);
};
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-operation]");
  if (button) operation(button);
});
onKeys({ u: () => document.querySelector("[data-undo]:not([hidden])")?.click() });

// A locked sheet is read by its players, and written in by GMs alone; one's own notes stay one's own.
const standing = () => {
  const { locked, complete } = document.querySelector(".standing")?.dataset ?? {};
  for (const button of document.querySelectorAll("[data-mark]")) button.hidden = [locked, complete].includes(button.dataset.mark);
  const shut = locked === "locked" && !("gm" in sheet.dataset);
  sheet.classList.toggle("is-locked", shut);
  for (const entry of all.values()) {
    const mine = shut && sightOf(entry.element) !== "private";
    for (const part of entry.element.querySelectorAll("[data-input], [data-step], [data-by], [data-edit]")) {
      if (part.matches("input:not([type=checkbox]), textarea")) part.readOnly = mine;
      else part.disabled = mine;
    }
  }
};
document.addEventListener("afterburn:placed", (event) => {
  if (event.target.matches(".standing, .sheet-row")) standing();
});
standing();

// A track of changing length shows as many boxes as the field says that is its length.
const fitTracks = () => {
  for (const box of document.querySelectorAll("[data-track]")) {
    const length = document.querySelector(`.cell[data-field="${box.dataset.length}"]`);
    box.hidden = Number(box.dataset.track) > Number(length?.dataset.value);
  }
};
document.addEventListener("afterburn:placed", ({ target }) => document.querySelector(`[data-length="${target.dataset.field}"]`) && fitTracks());
fitTracks();

// History
const dialog = document.getElementById("history");
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-history]");
  if (event.target.closest("[data-close]")) dialog.close();
  if (!button) return;
  const url = `${sheet.dataset.historyUrl}?field=${encodeURIComponent(button.dataset.history ?? "")}`;
  await htmx.ajax("GET", url, { target: "#history-body", swap: "innerHTML" });
  const of = document.querySelector("#history-body .history")?.dataset.of;
  document.getElementById("history-head").textContent = of ? interpolate(gettext("History: %(field)s"), { field: of }, true) : gettext("History");
  if (!dialog.open) dialog.showModal();
});

document.querySelector("[data-print]")?.addEventListener("click", () => window.print());

// Who opens a list without rows begins its first one.
document.addEventListener("toggle", ({ target }) => {
  if (!target.matches?.(".sheet-fold[open]") || !target.contains(document.activeElement)) return;
  const begin = target.querySelector(".add-row");
  if (begin && !target.querySelector(".sheet-row")) begin.open = true;
  begin?.querySelector("form :is(input, select)")?.focus();
}, true);

// What others put into a part that was folded away is not hidden by that.
document.addEventListener("afterburn:placed", (event) => {
  const fold = event.target.matches(".sheet-row") && event.target.closest(".sheet-fold:not([open])");
  if (fold) fold.open = true;
});

const anythingUnsaved = () =>
  underWay() || [...all.values()].some(unsaved) || document.querySelector(".left-behind") ||
  [...document.querySelectorAll("[data-add] input:not([type=checkbox]), [data-add] textarea")].some((input) => input.value !== input.defaultValue);
window.addEventListener("beforeunload", (event) => {
  if (anythingUnsaved()) event.preventDefault();
});
