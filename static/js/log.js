// Beside the log there is room for its filters; above it, on a narrow page, they wait to be asked for.

if (matchMedia("(min-width: 60rem)").matches) document.getElementById("log-filters").open = true;

// The button that brings more comes to be pressed by being reached, and is gone then: the keyboard goes on with what it brought.
let before = null;
document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
  before = target.contains(document.activeElement) ? target.previousElementSibling : null;
});
document.addEventListener("htmx:afterSwap", () => {
  const first = before?.nextElementSibling;
  before = null;
  if (!first) return;
  first.tabIndex = -1;
  first.focus({ preventScroll: true });
});
