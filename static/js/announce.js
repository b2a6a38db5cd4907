// Screen readers hear of a new line in one sentence: its own (.sentence) with the note of a roll, else its text. What is only caught up
// with stays silent.

const feed = document.getElementById("feed");
const announcer = document.getElementById("announcer");
const GATHER = 150; // ms: what one operation sets off comes in several lines, and is said in one breath
let said = [];
let timer = null;

const textOf = (part) => {
  const copy = part.cloneNode(true);
  // Its own time of day, and no date that it speaks of.
  copy.querySelectorAll(".line-time, details, button").forEach((part) => part.remove());
  return copy.textContent.replace(/\s+/g, " ").trim();
};
const words = (line) => {
  const told = line.querySelector(".sentence") ? [...line.querySelectorAll(".sentence, .roll-note")] : [line];
  return told.map(textOf).join(" ");
};

// A line that takes its own place again is news only if it says something else: a whisper comes once as to a GM and once as
// to the one who is told, and a pin changes no word.
const isNews = ({ addedNodes: [now], removedNodes: [before] }) => !now || !before || words(now) !== words(before);

// For those who arrive at a line by another way than its coming.
export { words as sentence };

// What people typed may end without a full stop; what is said next would go on from it.
const ended = (line) => (/[.!?…:;,”"’)]$/.test(line) ? line : `${line}.`);
const say = () => {
  announcer.textContent = said.map(ended).join(" ");
  said = [];
};

// Of a card that has grown, what it did not have before.
const isCard = (change) => change.addedNodes[0]?.matches?.(".story-card") && change.removedNodes.length;
const grown = ({ addedNodes: [now], removedNodes: [before] }) =>
  [...now.querySelectorAll(".line[id]")].filter(({ id }) => !before.querySelector(`[id="${id}"]`)).map(words);

const hear = (changes) => {
  if (document.documentElement.hasAttribute("data-catching-up")) return;
  const lines = changes.filter(isCard).flatMap(grown);
  const added = new Set(changes.filter((change) => !isCard(change) && isNews(change)).flatMap((change) => [...change.addedNodes]));
  // Only what came at the end is news; older lines are loaded at the top.
  const ends = [];
  for (let line = feed.lastElementChild; line && added.has(line); line = line.previousElementSibling) ends.unshift(words(line));
  lines.push(...ends);
  if (!lines.length) return;
  said.push(...lines);
  clearTimeout(timer);
  timer = setTimeout(say, GATHER);
};
if (feed) new MutationObserver(hear).observe(feed, { childList: true });
