// What waits for whoever sits here: a list at the top of the table (on a phone above the composer), a number in the title of the tab, a
// sentence for screen readers, and what alerts.js was told to do. GMs see for whom else it waits. All of it is read from #waiting, which
// the socket keeps on every page that is open: whatever is done, changed or dropped there is so here.
import { notification, sound } from "./alerts.js";
import { onKeys } from "./keys.js";
import { bring, waitFor } from "./stage.js";

const root = document.documentElement;
const here = document.getElementById("waiting-here");
const list = document.getElementById("waiting");
const head = document.getElementById("waiting-head");
const more = document.getElementById("waiting-more");
const said = document.getElementById("waiting-said");
const skip = document.getElementById("skip-to-waiting");
const { title } = document;
const mineWords = head.textContent;
const told = new Map(); // what it is -> its notification, or null

// A player's page shows what is theirs (page.js); a GM's shows all, of which is theirs what waits for the GM, or for them by name.
const waits = () => [...list.querySelectorAll("[data-wait]:not([hidden])")];
const isMine = ({ dataset }) => !dataset.for || dataset.for.split(" ").includes(root.dataset.me);
const wordsOf = (wait) => wait.querySelector("[data-words]").textContent.replace(/\s+/g, " ").trim();
const nameOf = (wait) => `${wait.closest("li").id} ${wait.dataset.wait} ${wordsOf(wait)}`;

// What belongs to a procedure and is rolled, is rolled by a request for the same character, or for dice of nobody's sheet.
const isPart = (asked, { leads, character = "" }) => asked.dataset.partOf === leads && (asked.dataset.character ?? "") === character;

const CONTROLS = "button:not(:disabled), summary, a[href], input:not([type=hidden], :disabled), select, textarea";
const usable = (control) => control.matches(CONTROLS) && !control.closest("[hidden]");
const within = (part, selector = CONTROLS) => [...part.querySelectorAll(selector)].filter(usable);

const asking = (wait) => {
  const parts = [...document.querySelectorAll("[data-part-of]")].filter((part) => isPart(part, wait));
  return parts.flatMap((part) => within(part, "[data-press]"))[0];
};

// A request that stands in the roll form, of a procedure or by itself, already says so there; so does an offer in the band above.
const answered = ({ dataset }) => {
  if (document.getElementById(dataset.leads)?.matches(".offer")) return true;
  const request = document.querySelector("#roll [name=request]")?.value;
  const asked = request && document.getElementById(`request-${request}`);
  return Boolean(asked) && (asked.id === dataset.leads || isPart(asked, dataset));
};

// What the stage shows needs no line of its own: a roll that is asked for has its card there, too, until it is in the roll form.
const stage = document.getElementById("stage");
const staged = ({ dataset }) => stage.contains(asking(dataset) ?? document.getElementById(dataset.leads));
const requests = document.getElementById("requests");
const drawAsked = () => {
  const request = document.querySelector("#roll [name=request]")?.value;
  for (const card of requests.children) card.classList.toggle("is-answered", card.id === `request-${request}`);
};

const draw = () => {
  drawAsked();
  const all = waits();
  for (const wait of all) {
    wait.classList.toggle("is-mine", isMine(wait));
    // At the right of a GM's table stands all that others are waited for.
    const stays = here.closest(".side") && !isMine(wait);
    wait.classList.toggle("is-answered", !stays && (answered(wait) || staged(wait)));
  }
  const shown = all.filter((wait) => !wait.matches(".is-answered"));
  const mine = shown.filter(isMine);
  const cards = new Set(all.filter(isMine).map(({ dataset }) => dataset.leads));
  waitFor(cards);
  here.hidden = !shown.length;
  skip.hidden = !all.length;
  skip.setAttribute("href", shown.length ? "#waiting-here" : "#stage");
  head.textContent = mine.length ? mineWords : head.dataset.others ?? "";
  const first = mine[0] ?? shown[0];
  for (const wait of all) wait.classList.toggle("is-first", wait === first);
  const open = more.getAttribute("aria-expanded") === "true";
  more.hidden = shown.length < 2;
  more.textContent = open ? gettext("Less") : interpolate(gettext("%(count)s more"), { count: shown.length - 1 }, true);
};

// A GM is told for how long somebody has been waited for: "40 s", "2 min".
const lasting = (ms) => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
};
const tellSince = () => {
  for (const part of list.querySelectorAll("[data-since]")) {
    part.textContent = ` \u00b7 ${lasting(Date.now() - Number(part.closest("li").dataset.order))}`;
  }
};

// What waits stands with a GM at the right, where that is in sight, and else in the middle.
const narrow = matchMedia("(max-width: 60rem)");
const settleIn = () => {
  if (!here.dataset.aside) return;
  if (narrow.matches) document.querySelector(".feed-frame").before(here);
  else document.querySelector("#panels > .side-close").after(here);
};
narrow.addEventListener("change", () => {
  settleIn();
  draw();
});
settleIn();
setInterval(tellSince, 10_000);

// What was there before this page, or came while it was away, is shown and neither sounded nor said.
const look = (quietly) => {
  const mine = waits().filter(isMine);
  const names = new Set(mine.map(nameOf));
  for (const [name, notified] of told) {
    if (names.has(name)) continue;
    notified?.close();
    told.delete(name);
  }
  const news = mine.filter((wait) => !told.has(nameOf(wait)));
  for (const wait of news) {
    const body = wordsOf(wait); // what stands on this page, and no more
    const heading = `${mineWords}: ${here.dataset.campaign}`;
    told.set(nameOf(wait), quietly ? null : notification(heading, { body, tag: nameOf(wait) }));
  }
  if (news.length && !quietly) {
    sound();
    said.textContent = `${mineWords}: ${news.map(wordsOf).join("; ")}.`;
  }
  document.title = mine.length ? `(${mine.length}) ${title}` : title;
  tellSince();
  draw();
};

const control = (card, { wait }) => {
  if (usable(card)) return card;
  const controls = within(card.querySelector("[data-acts]") ?? card);
  return controls.find(({ id, value }) => wait && (id.endsWith(`-${wait}`) || value?.endsWith(`:${wait}`))) ?? controls[0] ?? card;
};

// It may be folded on the stage, or on a narrow page lie in a side that is closed, and as a token in what opens from that.
const uncover = (card) => {
  bring(card);
  const side = card.closest(".side");
  if (side && getComputedStyle(side).visibility === "hidden") document.querySelector(`[data-opens="${side.id}"]`)?.click();
  card.querySelector("details:has([data-acts])")?.setAttribute("open", "");
};

const lead = (card, dataset) => {
  uncover(card);
  const to = control(card, dataset);
  if (to === card) card.tabIndex = -1;
  card.classList.add("is-led");
  to.addEventListener("blur", () => card.classList.remove("is-led"), { once: true });
  to.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
};

const deal = ({ dataset }) => {
  const asked = asking(dataset);
  if (asked) return asked.click();
  const card = document.getElementById(dataset.leads);
  if (!card) return;
  const first = control(card, dataset);
  if (first.matches("[data-press]") || first === card && card.matches("button")) return first.click();
  lead(card, dataset);
};

// A notice that was sent leads to the card that it is about (notices/sources.py). It presses nothing: anyone can write such a link.
const follow = () => {
  const name = location.hash.slice(1);
  const card = document.getElementById(name);
  const wait = waits().find(({ dataset }) => dataset.leads === name);
  if (card && wait) lead(card, wait.dataset);
};
window.addEventListener("hashchange", follow);

list.addEventListener("click", ({ target }) => {
  const wait = target.closest("[data-leads]");
  if (wait) deal(wait);
});
more.addEventListener("click", () => {
  const open = more.getAttribute("aria-expanded") !== "true";
  more.setAttribute("aria-expanded", open);
  here.classList.toggle("is-open", open);
  draw();
});
const toFirst = () => {
  const all = waits();
  const first = all.find((wait) => wait.matches(".is-mine:not(.is-answered)")) ?? all.find(isMine) ?? all[0];
  if (!first) return;
  if (staged(first)) return deal(first);
  (usable(first) ? first : within(first)[0])?.focus();
};
onKeys({ w: toFirst });

new MutationObserver(() => look(root.hasAttribute("data-catching-up"))).observe(list, { childList: true });
// After page.js, which shows what is mine.
document.addEventListener("DOMContentLoaded", () => {
  look(true);
  follow();
});
// What is taken up, or let go again.
document.addEventListener("input", ({ target }) => target.closest("#roll") && draw());
document.addEventListener("htmx:afterSettle", draw);
// A roll that is asked for may come after what it belongs to.
document.addEventListener("afterburn:placed", ({ target }) => target.matches("[data-part-of]") && draw());
