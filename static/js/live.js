// The live side of a table page. Every stream numbers its events 1, 2, 3 …: what was seen is dropped, what comes next is
// applied, a gap asks again from where we stand. First connection, reconnection and ordinary delivery are the same.
import { apply, quietly } from "./apply.js";

const table = document.querySelector("[data-live]");

const SILENCE = 20_000; // ms without a word from the server: the page may be behind, and says so
const GONE = 4404;
const RESEATED = 4409;
const FRAMES_AN_ACKNOWLEDGEMENT = 16;

const last = JSON.parse(table.dataset.heads);
const hashes = JSON.parse(table.dataset.hashes); // of those: where the server has others, this page has to be loaded anew
const status = document.getElementById("connection");
const url = `${location.protocol.replace("http", "ws")}//${location.host}${table.dataset.live}`;
let socket = null;
let received = 0;
let heardAt = Date.now();
let pause = 0;
let retry = null;

const say = (state) => {
  // That a page is behind stays true while it tries again and again: who listens would hear both by turns.
  if (status.dataset.state === state || (status.dataset.state === "behind" && state === "reconnecting")) return;
  status.dataset.state = state;
  status.querySelector("[data-words]").textContent = status.dataset[state];
  // What was asked of the server meanwhile may not have been answered.
  if (state === "live") document.dispatchEvent(new CustomEvent("afterburn:live"));
};

const connect = () => {
  received = 0;
  held &&= []; // it comes again
  quietly(true);
  socket = new WebSocket(url);
  const mine = socket;
  socket.onopen = () => {
    // It may have to wait for its turn among many: what counts as silence begins now.
    heardAt = Date.now();
    mine.send(JSON.stringify({ since: last, hashes, language: document.documentElement.lang }));
    if (standsAt) standLater();
  };
  socket.onmessage = ({ data }) => mine === socket && receive(JSON.parse(data));
  socket.onclose = ({ code }) => mine === socket && closed(code);
};

// A log in which an entry was changed by hand is another one again as soon as the page is loaded: chain.js says so, and the page goes on
// without asking for what it cannot get.
const LATELY = 10_000; // ms
const LOADED_ANEW = "afterburn loaded anew";
const wasLoadedAnew = () => {
  try {
    const at = Number(sessionStorage.getItem(LOADED_ANEW));
    sessionStorage.setItem(LOADED_ANEW, String(Date.now()));
    return Date.now() - at < LATELY;
  } catch {
    return true; // a browser that keeps nothing could go on for ever
  }
};

// Without a network the browser would put its own page in place of this one.
const loadAnew = () => {
  if (navigator.onLine) location.reload();
  else window.addEventListener("online", () => location.reload(), { once: true });
};

const closed = (code) => {
  socket = null;
  if (code === GONE) {
    document.dispatchEvent(new CustomEvent("afterburn:gone"));
    return say("gone");
  }
  if (code === RESEATED) {
    if (!wasLoadedAnew()) return loadAnew();
    for (const stream of Object.keys(hashes)) delete hashes[stream];
  }
  say("reconnecting");
  clearTimeout(retry);
  pause = Math.min(Math.max(pause * 2, 250), 5000);
  // Anywhere around it, so that those whose server was started again do not all come back in the same moment.
  retry = setTimeout(connect, pause * (0.5 + Math.random()));
};

// Forget this connection and ask again from where we stand.
const again = () => {
  const old = socket;
  closed(0);
  old?.close();
};

// Where somebody is writing on this page: others who may see it are told. A moment later, since a hand that moves on through
// the fields stands nowhere.
const REST = 300; // ms
let standsAt = null;
let standing = null;
const standLater = () => {
  clearTimeout(standing);
  standing = setTimeout(() => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify({ at: standsAt })), REST);
};
export const stand = (at) => {
  if (at?.token === standsAt?.token && at?.field === standsAt?.field) return;
  standsAt = at;
  standLater();
};

// What a GM writes for the table is shown to it as it is written, a few times a second (campaigns/live/drafts.py).
const DRAFT_EVERY = 400; // ms
let draft = null;
let drafting = null;
const sendDraft = () => {
  drafting = draft && setTimeout(sendDraft, DRAFT_EVERY);
  if (draft && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ draft }));
  draft = null;
};
document.addEventListener("afterburn:draft", ({ detail }) => {
  draft = detail;
  if (!drafting) sendDraft();
});

const acknowledge = () => socket.send(JSON.stringify({ got: received }));

// A click counts for what the finger went down on. What the server sends in between, which may draw that again, waits for the click.
const LONGEST_PRESS = 1000; // ms
const CLICK_AFTER_TOUCH = 50; // ms
let held = null; // what has come since the finger went down, or null
let letGo = null;
const release = () => {
  const [news, mine] = [held ?? [], socket];
  held = null;
  for (const message of news) if (mine && mine === socket) hear(message);
};
const releaseIn = (delay) => {
  clearTimeout(letGo);
  letGo = setTimeout(release, delay);
};
document.addEventListener("pointerdown", () => {
  held ??= [];
  releaseIn(LONGEST_PRESS);
}, true);
const ENDS = { click: 0, pointerup: CLICK_AFTER_TOUCH, pointercancel: 0 };
for (const [end, delay] of Object.entries(ENDS)) document.addEventListener(end, () => held && releaseIn(delay), true);

const receive = (news) => (held ? held.push(news) : hear(news));

const hear = (news) => {
  received += 1;
  heardAt = Date.now();
  if (news.t === "event") take(news);
  else if (news.t === "presence") document.getElementById("presence").innerHTML = news.html;
  else if (news.t === "places") document.dispatchEvent(new CustomEvent("afterburn:places", { detail: news.places }));
  else if (news.t === "draft") document.dispatchEvent(new CustomEvent("afterburn:drafted", { detail: news }));
  else if (news.t === "beat") {
    document.dispatchEvent(new CustomEvent("afterburn:paused", { detail: news.paused ?? "" }));
    beat(news.heads);
  }
  if (socket && (news.t === "beat" || received % FRAMES_AN_ACKNOWLEDGEMENT === 0)) acknowledge();
};

const beat = (heads) => {
  if (Object.entries(heads).some(([stream, seq]) => seq > (last[stream] ?? 0))) return again();
  // A server that was read a moment too early says less than there is; one that was put back to a backup has less.
  if (Object.entries(last).some(([stream, seq]) => stream in heads && heads[stream] < seq)) {
    document.dispatchEvent(new CustomEvent("afterburn:shorter"));
  }
  pause = 0;
  quietly(false);
  say("live");
};

const take = ({ stream, seq, prev, hash, html }) => {
  const have = last[stream] ?? 0;
  if (seq <= have) return;
  if (seq > have + 1) return again();
  apply(html);
  last[stream] = seq;
  hashes[stream] = hash;
  table.dataset.heads = JSON.stringify(last);
  document.dispatchEvent(new CustomEvent("afterburn:recorded", { detail: { stream, seq, prev, hash } }));
};

setInterval(() => {
  if (status.dataset.state === "gone" || Date.now() - heardAt < SILENCE) return;
  say("behind");
  if (socket?.readyState === WebSocket.OPEN) again();
}, 1000);
// Back from sleep, another tab or a tunnel: do not wait for the next attempt.
const hurry = () => {
  if (socket || document.hidden || status.dataset.state === "gone") return;
  clearTimeout(retry);
  connect();
};
window.addEventListener("online", hurry);
window.addEventListener("pageshow", hurry);
document.addEventListener("visibilitychange", hurry);
// What its socket would still bring would come as if it happened now.
window.addEventListener("offline", () => socket && again());

connect();
