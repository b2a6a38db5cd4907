// What is marked of characters at the table: in the party, with the character at hand, in the dialog. A button says by how much
// (data-mark: "more", "less", "other" for a box that is crossed or not) and of what (data-of); its part of the page says where
// that is sent (data-marks), and where rows are taken off (data-takes).
import { send } from "./sheet/operations.js";

// The name of the last column: "dice" of "injuries/4f2a/dice".
const columnOf = (cell) => cell.dataset.field.split("/").pop();
const columns = (row) => Object.fromEntries([...row.querySelectorAll(".cell[data-field]")].map((cell) => [`column-${columnOf(cell)}`, cell.dataset.value]));

const marked = ({ mark, of }, button) => {
  const way = mark === "other" ? (button.querySelector(".cell").dataset.value === "True" ? "less" : "more") : mark;
  return { [way]: of };
};
const taken = (row) => ({ rows: row.closest("[data-hand-rows]").dataset.handRows, row: row.dataset.row, ...columns(row) });

// Each press is sent for itself until it is answered, however fast they come: none is lost, and none counts twice.
const press = async (button) => {
  const part = button.closest("[data-marks]");
  const errors = part.querySelector(":scope > .errors");
  errors.replaceChildren();
  const takes = "take" in button.dataset;
  const url = takes ? part.dataset.takes : part.dataset.marks;
  const fields = takes ? taken(button.closest(".sheet-row")) : marked(button.dataset, button);
  const { status, html } = await send(url, fields, (words) => { errors.textContent = words; });
  if (status >= 300) errors.innerHTML = html;
  else if (!errors.querySelector("li")) errors.replaceChildren();
};

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-marks] :is([data-mark], [data-take])");
  if (button) press(button);
});

// Rows come as displays alone, alike for all (characters/_row.html): what they are called and give is shown, and made a button where it
// can be picked for a roll; what marks them stands in a template beside.
const pickable = (row, cells, slot) => {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "trait", ariaPressed: "false" });
  button.dataset.slot = slot;
  button.append(...cells);
  row.prepend(button);
};

const name = (row) => {
  const { title } = row.closest("[data-hand-rows]").dataset;
  const called = [...row.querySelectorAll(".cell[data-field]")].find((cell) => columnOf(cell) === title)?.dataset.value ?? "";
  const trait = row.querySelector(":scope > .trait");
  if (trait) trait.dataset.trait = called;
  for (const tool of row.querySelectorAll("[data-label]")) tool.ariaLabel = `${tool.dataset.label}: ${called}`;
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
  if (tools) row.insertAdjacentHTML("beforeend", tools.innerHTML.replaceAll("~", row.dataset.row));
  name(row);
};

const equipAll = (part) => {
  part.querySelectorAll("[data-hand-rows] > .sheet-row").forEach(equip);
  document.dispatchEvent(new CustomEvent("afterburn:traits"));
};

// A track of changing length shows as many boxes as it has.
const fit = (cell) => {
  const item = cell.closest("[data-length]")?.parentElement;
  for (const box of item?.querySelectorAll("[data-box]") ?? []) box.hidden = Number(box.dataset.box) > Number(cell.dataset.value);
};

document.addEventListener("afterburn:placed", ({ target }) => {
  fit(target);
  const row = target.closest("[data-hand-rows] > .sheet-row");
  if (!row) return;
  if (target === row) equip(row);
  else name(row);
  document.dispatchEvent(new CustomEvent("afterburn:traits"));
});
document.addEventListener("htmx:afterSwap", ({ target }) => equipAll(target));

// Who is at hand already is marked there; a page has no two of them.
document.addEventListener("htmx:beforeRequest", (event) => {
  const { opensInPlay } = event.detail.elt.dataset;
  const there = opensInPlay && document.getElementById(opensInPlay);
  if (!there) return;
  event.preventDefault();
  there.scrollIntoView({ block: "nearest" });
  there.focus();
});

equipAll(document);
