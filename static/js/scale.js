// A Scale that changes is drawn anew; its bar starts from where the old one was and slides (components.css, .scale-fill).
(() => {
  const scales = document.getElementById("scales");
  if (!scales) return;
  const fills = (nodes) => [...nodes].flatMap((node) => [...(node.querySelectorAll?.(".scale-fill") ?? [])]);

  new MutationObserver((changes) => {
    if (document.documentElement.hasAttribute("data-catching-up")) return;
    const gone = changes.flatMap((change) => fills(change.removedNodes));
    for (const fill of changes.flatMap((change) => fills(change.addedNodes))) {
      const old = gone.find((other) => other.id === fill.id);
      if (old) slide(fill, old);
    }
  }).observe(scales, { childList: true });

  const slide = (fill, old) => {
    for (const name of ["x", "width"]) {
      const now = fill.getAttribute(name);
      fill.setAttribute(name, old.getAttribute(name));
      // Asking for its size makes the browser see the old place before the new one.
      fill.getBoundingClientRect();
      fill.setAttribute(name, now);
    }
  };
})();
