// What is marked of characters at the table. A row of boxes is a slider: a press on a box sets it, arrow keys move it. A button says by how
// much (data-mark: "more", "less", "other" for a box that is crossed or not) and of what (data-of), or what it takes and gives (data-less,
// data-more, data-by); its part of the page says where that is sent (data-marks), and where rows are taken off (data-takes).
import { send, tellIn } from "./sheet/operations.js";
import { columnOf, label, partsFor, taken, valueIn } from "./sheet/row.js";

const marked = ({ mark, of }, button) => {
  const way = mark === "other" ? (button.querySelector(".cell").dataset.value === "True" ? "less" : "more") : mark;
  return { [way]: of };
};
/** @param {{ less?: string, more?: string, by?: string | number }} mark */
const moved = ({ less, more, by = 1 }) => ({ ...(less && { less }), ...(more && { more }), by });

// Each press is sent for itself until it is answered, however fast they come: none is lost, and none counts twice.
const tell = async (part, fields, url = part.dataset.marks) => {
  const errors = part.querySelector(":scope > .errors");
  errors.replaceChildren();
  const { status, html } = await send(url, fields, tellIn(errors));
  if (status >= 300) errors.innerHTML = html;
  else if (!errors.querySelector("li")) errors.replaceChildren();
  return status < 300;
};
const press = (button) => {
  const part = button.closest("[data-marks]");
  if ("take" in button.dataset) {
    const row = button.closest(".sheet-row");
    return tell(part, taken(row.closest("[data-hand-rows]").dataset.handRows, row), part.dataset.takes);
  }
  return tell(part, "mark" in button.dataset ? marked(button.dataset, button) : moved(button.dataset));
};

// What somebody has set counts for the next press before the socket says so, and what comes of earlier presses does not set it back: a
// track shows what is stored and, on top, by how much the presses move it of which the page has not heard yet. What is refused is as it was.
const tracks = new WeakMap(); // slider -> {stored, coming: [by, …], unanswered}
const storedIn = (boxes) => Number(boxes.querySelector(".cell").dataset.value);
const trackOf = (boxes) => {
  if (!tracks.has(boxes)) tracks.set(boxes, { stored: storedIn(boxes), coming: [], unanswered: 0 });
  return tracks.get(boxes);
};
const within = (boxes, value) => Math.max(0, Math.min(Number(boxes.ariaValueMax), value));
const after = (stored, moves) => moves.reduce((value, by) => value + by, stored);
const show = (boxes) => {
  const { stored, coming } = trackOf(boxes);
  const to = within(boxes, after(stored, coming));
  boxes.ariaValueNow = to;
  boxes.querySelectorAll(".dot").forEach((dot, at) => dot.classList.toggle("on", at < to));
};
const setTo = async (boxes, wanted) => {
  const by = within(boxes, wanted) - Number(boxes.ariaValueNow);
  if (!by) return;
  const track = trackOf(boxes);
  track.coming.push(by);
  track.unanswered += 1;
  show(boxes);
  const done = await tell(boxes.closest("[data-marks]"), moved({ [by > 0 ? "more" : "less"]: boxes.dataset.of, by: Math.abs(by) }));
  track.unanswered -= 1;
  if (done) return;
  track.coming.splice(track.coming.indexOf(by), 1);
  show(boxes);
};
// What is stored now has some of the presses in it, the earliest first, or was set by somebody else.
const follow = (boxes) => {
  const track = trackOf(boxes);
  const now = storedIn(boxes);
  if (now === track.stored) return show(boxes);
  const heard = track.coming.findIndex((_, at) => after(track.stored, track.coming.slice(0, at + 1)) === now);
  track.coming = heard >= 0 || track.unanswered ? track.coming.slice(heard + 1) : [];
  track.stored = now;
  show(boxes);
};
const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -99, End: 99 };

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-marks] :is([data-mark], [data-take], [data-less], [data-more])");
  if (button) return press(button);
  const boxes = target.closest("[role=slider][data-of]");
  if (!boxes) return;
  const dots = [...boxes.querySelectorAll(".dot")];
  const place = dots.indexOf(target.closest(".dot")) + 1;
  // The last one that is filled is emptied by a press.
  if (place) setTo(boxes, place === Number(boxes.ariaValueNow) ? place - 1 : place);
});

// Of boxes beside each other one is reached by Tab, and the others by arrow keys.
const ROVING = "[data-marks] :is(.health, .play-flags)";
const BOX = "button, [role=button]";
const rove = (list) => {
  const boxes = [...list.querySelectorAll(BOX)];
  const at = boxes.find((box) => box === document.activeElement) ?? boxes[0];
  for (const box of boxes) box.tabIndex = box === at ? 0 : -1;
};
document.addEventListener("focusin", ({ target }) => {
  const list = target.closest(ROVING);
  if (list) rove(list);
});
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  const by = STEPS[key];
  if (by && target.matches("[role=slider][data-of]")) setTo(target, Number(target.ariaValueNow) + by);
  else if (target.matches("[data-marks] span[role=button]") && (key === "Enter" || key === " ")) target.click();
  else if (by && target.closest(ROVING)) {
    const boxes = [...target.closest(ROVING).querySelectorAll(BOX)].filter((box) => !box.closest("[hidden]"));
    boxes[Math.max(0, Math.min(boxes.length - 1, boxes.indexOf(target) + by))].focus();
  } else return;
  event.preventDefault();
});

// Health comes as a display, alike for all: where it is marked, its levels are buttons.
const pressable = (part) => {
  for (const level of part.querySelectorAll("[data-marks] .health-level:is([data-less], [data-more])")) {
    level.removeAttribute("aria-hidden");
    Object.assign(level, { role: "button", ariaLabel: level.title });
  }
  part.querySelectorAll(ROVING).forEach(rove);
};

// Of a row (characters/_row.html) what it is called and what it gives is shown, and made a button where it can be picked for a roll.
const pickable = (row, cells, slot) => {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "trait", ariaPressed: "false" });
  button.dataset.slot = slot;
  button.append(...cells);
  row.prepend(button);
};

const name = (row) => {
  const called = valueIn(row, row.closest("[data-hand-rows]").dataset.title);
  const trait = row.querySelector(":scope > .trait");
  if (trait) trait.dataset.trait = called;
  label(row, (words) => `${words}: ${called}`);
};

const equip = (row) => {
  const list = row.closest("[data-hand-rows]");
  if (!list || "equipped" in row.dataset) return;
  row.dataset.equipped = "";
  const { title, gives, slot, handRows } = list.dataset;
  const cells = [...row.querySelectorAll(":scope > .sheet-cell")];
  const shown = cells.filter((cell) => [title, gives].includes(columnOf(cell)));
  for (const cell of cells) cell.hidden = !shown.includes(cell);
  if (slot) pickable(row, shown, slot);
  const tools = list.parentElement.querySelector(`:scope > template[data-tools-of="${handRows}"]`);
  if (tools) row.append(partsFor(row, tools));
  name(row);
};

const equipAll = (part) => {
  pressable(part);
  part.querySelectorAll("[data-hand-rows] > .sheet-row").forEach(equip);
  document.dispatchEvent(new CustomEvent("afterburn:traits"));
};

// Whoever works by keys stays where they were when it is drawn anew.
let level = -1;
document.addEventListener("focusin", ({ target }) => {
  level = target.matches(".health-level") ? [...target.parentElement.children].indexOf(target) : -1;
});
const keepPlace = (figure) => {
  const at = level;
  pressable(figure.parentElement);
  if (at >= 0 && document.activeElement === document.body) figure.querySelectorAll(".health-level")[at]?.focus();
};

// A track of changing length shows as many boxes as it has.
const fit = (cell) => {
  const item = cell.closest("[data-length]")?.parentElement;
  for (const box of item?.querySelectorAll("[data-box]") ?? []) box.hidden = Number(box.dataset.box) > Number(cell.dataset.value);
};

document.addEventListener("afterburn:placed", ({ target }) => {
  fit(target);
  const boxes = target.closest("[role=slider][data-of]");
  if (boxes) {
    boxes.ariaValueMax = target.dataset.of ?? null;
    follow(boxes);
  }
  const figure = target.closest(".figure");
  if (figure) keepPlace(figure);
  const row = target.closest("[data-hand-rows] > .sheet-row");
  if (!row) return;
  if (target === row) equip(row);
  else name(row);
  document.dispatchEvent(new CustomEvent("afterburn:traits"));
});
document.addEventListener("htmx:afterSwap", ({ target }) => equipAll(target));

// The boxes of one of the party are fetched when it is opened, unless that one is at hand and marked there: a page has no two of them.
const panelOf = (id) => document.querySelector(`[data-opens-in-play="${id}"]`);
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt } = event.detail;
  const { opensInPlay } = elt.dataset;
  if (opensInPlay && (!elt.closest("details").open || document.getElementById(opensInPlay))) event.preventDefault();
});
document.addEventListener("htmx:beforeSwap", ({ target, detail }) => {
  if (target.id !== "hand" || detail.xhr.status >= 300) return;
  const coming = /id="(in-play-[^"]+)"/.exec(detail.serverResponse);
  if (coming) panelOf(coming[1])?.replaceChildren();
});

equipAll(document);
