// A row of a sheet, on the page of the sheet and at the table. It comes as a display, alike for everybody; what sets or marks it stands in
// a template beside its list, for those who may.
//
// The page of the sheet (sheet/rows.js, with entries.js) and the table (marks.js) are modules of their own, since they share no more than
// this: on the sheet rows are written in, cell by cell, and come and go; at the table they are marked and picked. As one module they would
// send the table 15 kB that nothing there uses, and the sheet 9 kB.

// The name of the last column: "dice" of "injuries/4f2a/dice".
export const columnOf = (cell) => cell.dataset.field.split("/").pop();
const cellsOf = (row) => [...row.querySelectorAll(".cell[data-field]")];
export const valueIn = (row, column) => cellsOf(row).find((cell) => columnOf(cell) === column)?.dataset.value ?? "";

// What says which row is meant when it is taken off.
export const taken = (rows, row) => ({
  rows,
  row: row.dataset.row,
  ...Object.fromEntries(cellsOf(row).map((cell) => [`column-${columnOf(cell)}`, cell.dataset.value])),
});

// What the template has for this row.
export const partsFor = (row, template) => {
  const parts = document.createElement("template");
  parts.innerHTML = template.innerHTML.replaceAll("~", row.dataset.row);
  return parts.content;
};

// Which row a control is in is said to those who do not see it.
export const label = (row, words) => {
  for (const control of row.querySelectorAll("[data-label]")) control.ariaLabel = words(control.dataset.label);
};
