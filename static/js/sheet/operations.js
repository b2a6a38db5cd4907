// What is sent from a sheet goes out until it is answered: without an answer the same form with the same key is sent again, so
// that it happens once and is never lost while the page is open.
import { newKey } from "../page.js";

const PATIENCE = 15_000; // ms to wait for an answer
const LONGEST_PAUSE = 5000; // ms between two attempts
const AWAY = "Not saved: no connection. It is kept here, and sent when the connection is back.";
const SIGNED_OUT = "Not saved: you are signed out. Sign in in another tab; it is kept here, and sent then.";

const headers = () => ({
  ...JSON.parse(document.body.getAttribute("hx-headers")),
  "HX-Request": "true",
});

const sleepers = new Set();
const pause = (ms) => new Promise((wake) => {
  const done = () => {
    clearTimeout(timer);
    sleepers.delete(done);
    wake();
  };
  const timer = setTimeout(done, ms);
  sleepers.add(done);
});
// Back from a tunnel: do not wait for the next attempt.
window.addEventListener("online", () => [...sleepers].forEach((wake) => wake()));

// {status, html}, or the words for why there is no answer yet. What no refusal is made of is somebody else's page.
const attempt = async (url, body) => {
  try {
    const answer = await fetch(url, { method: "POST", body, headers: headers(), redirect: "manual", signal: AbortSignal.timeout(PATIENCE) });
    if (answer.type === "opaqueredirect") return SIGNED_OUT;
    if (answer.status >= 500 || answer.status === 429) return `Not saved yet: the server is busy (${answer.status}). It is sent again.`;
    const known = answer.ok || answer.status === 409 || answer.headers.has("HX-Retarget");
    return { status: answer.status, html: known ? await answer.text() : `The server answered with an error (${answer.status}).` };
  } catch {
    return AWAY;
  }
};

let under_way = 0;

// Do it, however long it takes; `waiting` hears why it has not gone through so far.
export const send = async (url, fields, waiting) => {
  const body = new URLSearchParams({ ...fields, key: newKey() });
  under_way += 1;
  for (let ms = 500; ; ms = Math.min(ms * 2, LONGEST_PAUSE)) {
    const answer = await attempt(url, body);
    if (typeof answer === "object") {
      under_way -= 1;
      return answer;
    }
    waiting(answer);
    await pause(ms);
  }
};

export const underWay = () => under_way > 0;
