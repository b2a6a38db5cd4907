// The odds of what stands in the roll form, for those who listen: said when the hands rest, and only if they have become others.

const REST = 1000; // ms; each key typed brings new odds
const text = (selector) => document.querySelector(selector)?.textContent.replace(/\s+/g, " ").trim() ?? "";
const words = () => {
  const dice = text("#odds .odds-pool") || text("#roll-dice");
  return [dice, text("#odds .sentence")].filter(Boolean).join(": ");
};
let said = words();
let timer = null;

const say = () => {
  const now = words();
  if (now === said) return;
  said = now;
  document.getElementById("odds-said").textContent = now;
};

document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id !== "odds") return;
  clearTimeout(timer);
  timer = setTimeout(say, REST);
});
