// A Scale that changes is drawn anew; its bar starts from where the old one was and slides (scale.css, .scale-fill).

const scales = document.getElementById("scales");
const LONG = 850; // ms, as --move in tokens.css, and how long it waits for the dice that move it (scale.css)
const starts = new Map();
const fills = (nodes) => [...nodes].flatMap((node) => [...(node.querySelectorAll?.(".scale-fill") ?? [])]);

const follow = (changes) => {
  if (document.documentElement.hasAttribute("data-catching-up")) return;
  const gone = changes.flatMap((change) => fills(change.removedNodes));
  for (const fill of changes.flatMap((change) => fills(change.addedNodes))) {
    const old = gone.find((other) => other.id === fill.id);
    fill.closest(".scale").classList.toggle("follows", Boolean(document.querySelector("#feed > .arrives .dice")));
    if (old) slide(fill, old);
  }
};
if (scales) new MutationObserver(follow).observe(scales, { childList: true });

const place = (fill, x, width) => {
  fill.setAttribute("x", x);
  fill.setAttribute("width", width);
};

const where = (fill) => [fill.getAttribute("x"), fill.getAttribute("width")];

const slide = (fill, old) => {
  const now = where(fill);
  // One operation may draw it twice in a moment: then it still comes from where it was before the operation.
  const started = starts.get(fill.id);
  const start = started && performance.now() - started.at < LONG ? started : { from: where(old), at: performance.now() };
  starts.set(fill.id, start);
  place(fill, ...start.from);
  // Asking for its size makes the browser see the old place before the new one.
  fill.getBoundingClientRect();
  place(fill, ...now);
};
