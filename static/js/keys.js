// Single keys as shortcuts. Who speaks to their computer or presses keys unawares can switch them off in the profile (WCAG 2.1.4).

// `operations` says what each key does. Not while somebody types or chooses, in a dialog, or together with keys the browser has a use for.
export const onKeys = (operations) => {
  if (document.documentElement.dataset.keys === "off") return;
  document.addEventListener("keydown", (event) => {
    const operation = operations[event.key];
    if (!operation || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    // A dialog that has just closed may hold the focus for one frame more.
    if (event.target.closest("input, textarea, select, dialog[open]")) return;
    event.preventDefault();
    operation();
  });
};
