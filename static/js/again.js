// A form that nobody answered, since the server was started again or had no time, is sent again by itself: as it was, with the same key,
// so that it happens once whether an attempt before came through or not. Whoever sends it anew meanwhile takes that over. So is one whose
// token was stale, with the new one.
import { pauseAfter, TRIES } from "./patience.js";
import { NEW_TOKEN, renewToken } from "./token.js";

const UNANSWERED = [0, 502, 503, 504];
const isDone = (xhr) => !UNANSWERED.includes(xhr.status) && !xhr.getResponseHeader(NEW_TOKEN);
const waiting = new Map(); // what asked -> { request, tries, timer, sending }

// What was taken off the page by the socket was meant all the same; what its own reader has left was not.
const senderOf = (elt) => {
  if (elt.isConnected) return elt;
  if (elt.dataset.closes) return null;
  const standIn = document.createElement("div");
  Object.assign(standIn, { hidden: true, className: "stand-in" });
  standIn.dataset.of = elt.closest("form")?.id ?? "";
  document.body.append(standIn);
  return standIn;
};

const forget = (elt) => {
  clearTimeout(waiting.get(elt)?.timer);
  waiting.delete(elt);
  if (elt.matches(".stand-in")) elt.remove();
};

const send = (elt) => {
  const one = waiting.get(elt);
  const sender = senderOf(elt);
  if (sender !== elt) forget(elt);
  if (!sender) return;
  Object.assign(one, { sending: true, timer: null });
  waiting.set(sender, one);
  htmx.ajax("POST", one.request.path, { source: sender, swap: sender === elt ? undefined : "none" }).catch(() => {});
};

// In how many milliseconds: a server that has too much to do says when.
const waitFor = (one, xhr) => {
  const asked = 1000 * (Number(xhr.getResponseHeader("Retry-After")) || 0) * (0.75 + Math.random() / 2);
  return Math.max(pauseAfter(one.tries), asked);
};

// Whether what htmx says of an attempt that failed (`detail`) will be followed by another.
export const sendsAgain = ({ elt, requestConfig: request, xhr }) => {
  if (request.verb !== "post" || !request.formData.has("key") || isDone(xhr)) return false;
  const token = xhr.getResponseHeader(NEW_TOKEN);
  if (renewToken(token) && request.formData.has("csrfmiddlewaretoken")) request.formData.set("csrfmiddlewaretoken", token);
  const one = waiting.get(elt) ?? { request, tries: 0 };
  if (one.tries === TRIES) {
    forget(elt);
    return false;
  }
  one.timer = setTimeout(send, waitFor(one, xhr), elt);
  one.tries += 1;
  waiting.set(elt, one);
  return true;
};
export const isSentAgain = (elt) => waiting.has(elt);

// It was confirmed when it was pressed.
document.addEventListener("htmx:confirm", (event) => {
  if (!waiting.get(event.detail.elt)?.sending) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  event.detail.issueRequest(true).catch(() => {});
}, true);
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const one = waiting.get(detail.elt);
  if (!one?.sending) return;
  const { formData, path } = one.request;
  Object.assign(detail, { formData, path, parameters: formData, errors: [] });
});
document.addEventListener("htmx:beforeRequest", ({ detail: { elt } }) => {
  const one = waiting.get(elt);
  if (one?.sending) one.sending = false;
  else forget(elt);
}, true);
document.addEventListener("htmx:afterRequest", ({ detail: { elt, xhr } }) => {
  if (waiting.has(elt) && isDone(xhr)) forget(elt);
});

// The line is back, or the server.
const hurry = () => {
  for (const [elt, one] of waiting) {
    if (!one.timer) continue; // it is on its way
    clearTimeout(one.timer);
    one.timer = setTimeout(send, pauseAfter(0), elt);
  }
};
window.addEventListener("online", hurry);
document.addEventListener("afterburn:live", hurry);
