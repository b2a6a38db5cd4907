// What is sent from a sheet goes out until it is answered: without an answer the same form with the same key is sent again, so
// that it happens once and is never lost while the page is open. A server that only ever refuses is left alone after a while, until
// somebody asks for another attempt.
import { newKey } from "../page.js";
import { patience, wake } from "../patience.js";
import { headers, NEW_TOKEN, renewToken } from "../token.js";

const PATIENCE = 15_000; // ms to wait for an answer
const AWAY = gettext("Not saved: no connection. Your change is kept here and sent when you’re back online.");
const SIGNED_OUT = gettext("Not saved: you’re signed out. Your change is kept here. Sign in in another tab to send it.");
const GIVEN_UP = gettext("Not saved. Your change is kept here.");

const offerAgain = (part) => {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "bare", textContent: gettext("Try again") });
  button.addEventListener("click", wake);
  part.append(" ", button);
};

// {status, html}, or the words for why there is no answer yet. What no refusal is made of is somebody else's page.
const attempt = async (url, body, isRenewed = false) => {
  try {
    const told = { ...headers(), "HX-Request": "true" };
    const answer = await fetch(url, { method: "POST", body, headers: told, redirect: "manual", signal: AbortSignal.timeout(PATIENCE) });
    if (!isRenewed && renewToken(answer.headers.get(NEW_TOKEN))) return attempt(url, body, true);
    if (answer.type === "opaqueredirect") return SIGNED_OUT;
    if (answer.status >= 500 || answer.status === 429) {
      return interpolate(gettext("Not saved yet: the server is busy (%(status)s). Trying again…"), { status: answer.status }, true);
    }
    const known = answer.ok || answer.status === 409 || answer.headers.has("HX-Retarget");
    const { status } = answer;
    return { status, html: known ? await answer.text() : interpolate(gettext("The server answered with an error (%(status)s)."), { status }, true) };
  } catch {
    return AWAY;
  }
};

let under_way = 0;

// Do it, however long it takes; `waiting` is told why it has not gone through so far, and gives the element in which it says so. A line
// that is down costs the server nothing, and is tried for as long as it takes. One answer says that the server is back, for all that waits.
export const send = (url, fields, waiting) => new Promise((answered) => {
  const body = new URLSearchParams({ ...fields, key: newKey() });
  const attempts = patience(async () => {
    const answer = await attempt(url, body);
    if (typeof answer === "object") {
      under_way -= 1;
      wake();
      answered(answer);
    } else if (attempts.later({ isRefusal: answer !== AWAY })) waiting(answer);
    else offerAgain(waiting(answer === SIGNED_OUT ? SIGNED_OUT : GIVEN_UP));
  });
  under_way += 1;
  attempts.now();
});

// `send` says in this element what it is waiting for.
export const tellIn = (part) => (words) => {
  part.textContent = words;
  return part;
};

export const underWay = () => under_way > 0;
