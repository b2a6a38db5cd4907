// Lines that come while somebody reads further up are counted on a button that leads to them; the feed itself does not move under
// a reader (apply.js).
import { isStill } from "./motion.js";

const feed = document.getElementById("feed");
const frame = feed.closest(".feed-frame");
const button = document.getElementById("feed-new");
const AT_END = 80; // px; nearer to the end than this, it stays at the end
let unread = 0;

const above = () => frame.scrollTop < -AT_END;
const show = () => {
  button.hidden = !unread;
  button.querySelector("[data-count]").textContent = String(unread);
};
const toEnd = () => {
  const still = isStill();
  frame.scrollTo({ top: 0, behavior: still ? "instant" : "smooth" });
};

// A line that takes its own place again is not new; older ones are loaded at the top.
new MutationObserver((changes) => {
  if (!above()) return;
  const added = new Set(changes.flatMap(({ addedNodes, removedNodes }) => (removedNodes.length ? [] : [...addedNodes])));
  for (let line = feed.lastElementChild; line && added.has(line); line = line.previousElementSibling) unread += 1;
  show();
}).observe(feed, { childList: true });

// Who reads further up has the scene's band as a strip, until back at the very end: the feed is longer by what the band gives up.
const middle = frame.parentElement;
frame.addEventListener("scroll", () => {
  if (above() || frame.scrollTop > -1) middle.classList.toggle("is-reading", above());
  if (above() || !unread) return;
  unread = 0;
  show();
}, { passive: true });

button.addEventListener("click", () => {
  frame.focus({ preventScroll: true });
  toEnd();
});
// Who rolls or says something looks for what comes of it.
document.addEventListener("afterburn:done", ({ detail: { form } }) => form.closest(".composer") && toEnd());
