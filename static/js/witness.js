// Witnesses of a GM's rolls (docs/fairdice.md). A player's page answers by itself when it is asked for a seed; a GM's page asks
// before it sends a roll, and waits for three seconds at most.
import { asTyped } from "./fold.js";
import { newKey, newSeed } from "./page.js";
import { headers } from "./token.js";

const place = document.getElementById("witness");
const WAITS = 3000; // ms

const post = (url, body) => fetch(url, { method: "POST", body, headers: headers() });

// What was asked while this page was away has been settled without it.
/** @param {Data} data */
const answer = ({ asks }) => {
  if (!asks || document.documentElement.hasAttribute("data-catching-up")) return;
  // Somebody else may have been quicker; nobody here needs to know.
  post(asks, new URLSearchParams({ key: newKey(), seed: newSeed() })).catch(() => {});
};

let awaited = null; // { roll, done }, while a GM's roll waits for its witness
document.addEventListener("afterburn:placed", ({ target }) => {
  if (target.parentElement !== place) return;
  target.remove();
  answer(target.dataset);
  if (awaited && target.dataset.given === awaited.roll) awaited.done();
});

/** @param {URLSearchParams} body */
const witnessed = async (body) => {
  const timer = setTimeout(() => awaited.done(), WAITS);
  const given = new Promise((done) => {
    awaited = { roll: body.get("key"), done };
  });
  const asking = post(place.dataset.ask, body).then(({ status }) => status === 202 && given);
  // Without an answer, or with a refusal, the roll itself goes out and says what is wrong.
  await Promise.race([given, asking.catch(() => {})]);
  clearTimeout(timer);
  awaited = null;
};

const rolls = (form) => form.id === "roll" || (form.id === "say" && asTyped(form.elements.namedItem("text").value).startsWith("/"));

document.addEventListener("htmx:confirm", async (event) => {
  /** @type {any} */
  const form = event.detail.elt;
  if (!place.dataset.ask || !form.matches("form") || !rolls(form)) return;
  event.preventDefault();
  if (awaited) return;
  /** @type {any} */
  const fields = new FormData(form);
  await witnessed(new URLSearchParams(fields));
  event.detail.issueRequest(true);
});
