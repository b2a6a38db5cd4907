// The odds of what stands in the roll form. They are asked for anew whenever they may have become others (rolls/_roll_form.html);
// what is shown meanwhile says that it is old, and a question that was not answered is asked again for a while. For those who listen
// they are said when the hands rest, and only if they have become others.
import { patience } from "./patience.js";

const REST = 1000; // ms; each key typed brings new odds
const plain = (part) => part.textContent.replace(/\s+/g, " ").trim();
const text = (selector) => {
  const part = document.querySelector(selector);
  return part ? plain(part) : "";
};
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

// A card whose odds a press here has changed, such as a push, says the new ones when the socket brings it.
let pressed = null; // {id, said}
const oddsOf = (card) => [...card.querySelectorAll(".sentence")].map(plain).join(" ");
document.addEventListener("click", ({ target }) => {
  const card = target.closest?.(".procedure");
  pressed = card && { id: card.id, said: oddsOf(card) };
});
document.addEventListener("afterburn:placed", ({ target }) => {
  if (!pressed || target.id !== pressed.id) return;
  const now = oddsOf(target);
  if (now && now !== pressed.said) document.getElementById("odds-said").textContent = now;
  pressed.said = now;
});

const asking = patience(() => document.dispatchEvent(new CustomEvent("afterburn:odds")));
const old = (yes) => document.getElementById("odds").setAttribute("aria-busy", yes);
const isOdds = ({ target }) => target.id === "odds";

document.addEventListener("htmx:beforeRequest", (event) => isOdds(event) && asking.stop());
const isAnswer = ({ detail: { xhr } }) => xhr.status >= 200 && xhr.status < 400;
/** @type {(keyof HtmxEvents)[]} */
const ENDS = ["htmx:sendError", "htmx:timeout", "htmx:afterOnLoad"];
for (const end of ENDS) {
  document.addEventListener(end, (event) => {
    if (!isOdds(event) || isAnswer(event)) return;
    old(true);
    document.getElementById("roll-dice").textContent = "";
    asking.later();
  });
}
document.addEventListener("htmx:afterSwap", (event) => {
  if (!isOdds(event)) return;
  // An act that is prepared on a card (rolls/_prepared.html) is asked for with the traits that stand here, and has their odds.
  document.querySelectorAll(".on-card:has(> .prepared)").forEach((card) => card.dispatchEvent(new CustomEvent("afterburn:counted")));
  old(false);
  asking.renew();
});
// Another question has another patience.
document.addEventListener("input", ({ target }) => {
  if (target.closest("#roll")) asking.renew();
});
