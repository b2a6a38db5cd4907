// Names in the feed and the log that have a page: each is a link, once a line, that opens a small card where a pointer rests on it, where the
// focus comes to it, or where it is pressed; pressed once more, it leads to the page. Who sits here has the names of what they may know.

/** @type {any} */
const card = Object.assign(document.createElement("div"), { id: "page-card", className: "page-card", popover: "manual" });
const SKIPPED = "a, button, summary, input, textarea, select, label, svg, time, mark, .line-time, [data-open-page]";
const LINES = ".line, .world-lines > *";
const [REST, LEAVE] = [300, 250]; // milliseconds
/** @type {Map<string, string>} */
let pages = new Map(); // address by name, in small letters
let pattern = null;
let shown = null; // the link whose card is open
let timer = 0;

const escaped = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
const key = (name) => name.toLowerCase().replace(/\s+/g, " ");
export const patternOf = (names) => {
  const longest = [...names].sort((one, other) => other.length - one.length).map(escaped);
  return longest.length ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${longest.join("|")})(?![\\p{L}\\p{N}])`, "giu") : null;
};

// Put what `make` makes of a found name in its place; where it makes nothing, the name stays as it is.
export const wrap = (part, found, make) => {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  /** @type {any[]} */
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    if (text.parentElement.closest(SKIPPED)) continue;
    const pieces = [];
    let end = 0;
    for (const match of text.data.matchAll(found)) {
      const made = make(match[0]);
      if (!made) continue;
      pieces.push(text.data.slice(end, match.index), made);
      end = match.index + match[0].length;
    }
    if (end) text.replaceWith(...pieces, text.data.slice(end));
  }
};

const link = (line) => {
  const there = new Set([...line.querySelectorAll(".page-name")].map(({ href }) => href));
  wrap(line, pattern, (name) => {
    const address = pages.get(key(name));
    const made = Object.assign(document.createElement("a"), { className: "page-name", href: address, textContent: name });
    if (!address || there.has(made.href)) return null;
    there.add(made.href);
    return made;
  });
};
export const linkIn = (part) => {
  if (!pattern) return;
  for (const line of part.matches?.(LINES) ? [part] : part.querySelectorAll(LINES)) link(line);
};

const read = async () => {
  const answer = await fetch(`${document.body.dataset.pages}names/`);
  if (!answer.ok) return;
  const { names } = await answer.json();
  pages = new Map(names.filter(({ told }) => told).map(({ name, url }) => [key(name), url]));
  pattern = patternOf(pages.keys());
  linkIn(document);
};

const close = () => {
  clearTimeout(timer);
  shown?.removeAttribute("aria-describedby");
  shown = null;
  if (card.isConnected) card.hidePopover();
};
const open = async (name) => {
  clearTimeout(timer);
  if (shown === name) return;
  close();
  shown = name;
  if (!card.isConnected) document.body.append(card);
  await htmx.ajax("GET", `${name.getAttribute("href")}card/`, { target: card, swap: "innerHTML" });
  if (shown !== name || !name.isConnected) return;
  name.setAttribute("aria-describedby", card.id);
  card.showPopover();
  const { left, top, bottom } = name.getBoundingClientRect();
  const fits = bottom + card.offsetHeight + 12 < innerHeight;
  card.style.left = `${Math.max(8, Math.min(left, innerWidth - card.offsetWidth - 8))}px`;
  card.style.top = `${fits ? bottom + 6 : Math.max(8, top - card.offsetHeight - 6)}px`;
};
const later = (act, wait) => {
  clearTimeout(timer);
  timer = setTimeout(act, wait);
};

/** @returns {any} */
const named = (target) => target.closest?.(".page-name");
document.addEventListener("pointerover", ({ target, pointerType }) => {
  if (pointerType === "touch") return;
  const name = named(target);
  if (name) later(() => open(name), REST);
  else if (target.closest?.("#page-card")) clearTimeout(timer);
  else if (shown && document.activeElement !== shown) later(close, LEAVE);
});
document.addEventListener("focusin", ({ target }) => {
  const name = named(target);
  if (name) open(name);
  else if (shown && !target.closest("#page-card")) close();
});
document.addEventListener("click", (press) => {
  const name = named(press.target);
  if (name && !(shown === name && card.matches(":popover-open"))) {
    press.preventDefault();
    open(name);
  } else if (!name && !press.target.closest("#page-card")) close();
});
document.addEventListener("keydown", ({ key: pressed }) => pressed === "Escape" && shown && close());
document.addEventListener("scroll", () => shown && document.activeElement !== shown && close(), { capture: true, passive: true });

document.addEventListener("afterburn:placed", ({ target }) => linkIn(target));
document.addEventListener("htmx:afterSwap", ({ target }) => linkIn(target));
document.addEventListener("afterburn:world", read);
document.addEventListener("afterburn:party", read);
if (document.body.dataset.pages) read();
