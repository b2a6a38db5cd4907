// A roll that the GM asks of me: a banner above the composer, a number in the title of the tab, and what alerts.js was told to do.
// All of it is read from the list of what is asked for, which the socket keeps on every page that is open: whatever is answered,
// changed or dropped there is so here.
import { notification, sound } from "./alerts.js";

const requests = document.getElementById("requests");
const banner = document.getElementById("asked");
const { title } = document;
const told = new Map(); // id -> its notification, or null

const mine = () => [...requests.querySelectorAll("button[data-request]:not([hidden])")];
// What stands in the roll form already says so there.
const waiting = () => {
  const answered = document.querySelector("#roll [name=request]")?.value;
  return mine().filter(({ dataset }) => dataset.request !== answered);
};

const draw = () => {
  const [first, ...others] = waiting();
  banner.hidden = !first;
  if (!first) return;
  banner.querySelector("[data-words]").textContent = first.dataset.words;
  const { dataset } = document.getElementById("asked-roll");
  for (const name of Object.keys(dataset)) delete dataset[name];
  Object.assign(dataset, first.dataset);
  banner.querySelector("[data-more]").textContent = others.length ? `and ${others.length} more` : "";
};

const alert = (asked) => {
  const body = asked.dataset.words; // what stands on this page, and no more
  told.set(asked.dataset.request, notification(`A roll for you: ${banner.dataset.campaign}`, { body, tag: asked.dataset.request }));
};

// What was there before this page, or came while it was away, is shown and not sounded.
const look = (quietly) => {
  const all = mine();
  const ids = new Set(all.map(({ dataset }) => dataset.request));
  for (const [id, notified] of told) {
    if (ids.has(id)) continue;
    notified?.close();
    told.delete(id);
  }
  const news = all.filter(({ dataset }) => !told.has(dataset.request));
  for (const asked of news) {
    if (quietly) told.set(asked.dataset.request, null);
    else alert(asked);
  }
  if (news.length && !quietly) sound();
  document.title = all.length ? `(${all.length}) ${title}` : title;
  draw();
};

new MutationObserver(() => look(document.documentElement.hasAttribute("data-catching-up"))).observe(requests, { childList: true });
// After page.js, which shows what is mine.
document.addEventListener("DOMContentLoaded", () => look(true));
// What is taken up, or let go again.
document.addEventListener("input", ({ target }) => target.closest("#roll") && draw());
document.addEventListener("htmx:afterSettle", draw);
