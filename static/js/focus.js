// Where the focus goes when what had it is gone: taken away or drawn anew by the socket or by htmx, hidden, or disabled. The browser
// would let it fall to the body, and whoever works by keys or listens would have lost their place. It goes to what took the place of
// what had it, or else to the heading or the name of the nearest part of the page that is left.

const CONTROLS = "a[href], button, input, select, textarea, summary";
const PARTS = "article, dialog, main, section, [aria-label], [aria-labelledby]";
let last = null; // what had the focus last, unless it was left by hand: {element, id, path (its ancestors, nearest first), shown}

const usable = (element) =>
  Boolean(element?.isConnected) && !element.disabled && !element.closest("[inert]") && element.checkVisibility({ visibilityProperty: true });

const remember = ({ target }) => {
  const path = [];
  for (let part = target.parentElement; part && part !== document.body; part = part.parentElement) path.push({ part, id: part.id });
  last = { element: target, id: target.id, path, shown: target.matches(":focus-visible") };
};

// What a control is called and does: by that it is found in a part that has been drawn anew.
const sign = (control) => {
  const words = control.getAttribute("aria-label") ?? control.textContent.replace(/\s+/g, " ").trim();
  return JSON.stringify([control.tagName, control.name, control.matches("button") && control.value, words]);
};
const twin = (part) => [...part.querySelectorAll(CONTROLS)].find((control) => usable(control) && sign(control) === sign(last.element));

const heading = (part) => {
  if (part.hasAttribute("aria-label")) return part;
  const title = document.getElementById(part.getAttribute("aria-labelledby")) ?? part.querySelector("h1, h2, h3, h4");
  return usable(title) ? title : part;
};

// The control that had the focus as it is drawn now, if any, or else (`orPart`) the heading of what is left around it.
const successor = (orPart) => {
  const same = last.id && document.getElementById(last.id);
  if (usable(same)) return same;
  for (const { part, id } of last.path) {
    const now = part.isConnected ? part : id && document.getElementById(id);
    if (!usable(now)) continue;
    // In a list that stands, the same button would be that of another row.
    const found = now !== part && twin(now);
    if (found) return found;
    if (now.matches(PARTS)) return orPart && heading(now);
  }
  return orPart && heading(document.getElementById("main"));
};

const isElsewhere = () => {
  const now = document.activeElement;
  return !last || (now && now !== document.body && now !== last.element);
};

const look = () => {
  if (isElsewhere()) return;
  if (usable(last.element)) {
    if (document.activeElement !== last.element) last = null; // left for nowhere, by hand
    return;
  }
  goTo(successor(true));
};

// A control that is drawn again has the focus at once: a key that is pressed in the same moment counts.
const follow = () => {
  if (isElsewhere() || last.element.isConnected) return lookLater();
  const drawn = successor(false);
  if (drawn) goTo(drawn);
  else lookLater();
};

const goTo = (next) => {
  const preventScroll = !last.shown; // who sees no ring around the focus need not be led to it
  last = null;
  if (next.tabIndex < 0 && !next.hasAttribute("tabindex")) next.tabIndex = -1;
  next.focus({ preventScroll });
};

// A moment later: what takes the place of something comes after it has gone, and a script may know better where to go on.
let timer = null;
const lookLater = () => {
  if (!last) return;
  clearTimeout(timer);
  timer = setTimeout(look);
};

document.addEventListener("focusin", remember);
document.addEventListener("focusout", ({ relatedTarget }) => relatedTarget || lookLater());
document.addEventListener("pointerdown", ({ target }) => {
  if (!last?.element.contains(target)) last = null;
}, true);
const attributeFilter = ["class", "disabled", "hidden", "inert", "open"];
new MutationObserver(follow).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter });

// The link with which a list goes on comes to be pressed by being reached, and is gone then: the keyboard goes on with what it brought.
let before = null;
document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
  before = target.matches(".further") && target.contains(document.activeElement) ? target.previousElementSibling : null;
});
document.addEventListener("htmx:afterSwap", () => {
  const first = before?.nextElementSibling;
  before = null;
  if (!first) return;
  first.tabIndex = -1;
  first.focus({ preventScroll: true });
});
