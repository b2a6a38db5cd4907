// A form that nobody answered, since the server was started again or had no time, is sent again by itself: as it was, with the same key,
// so that it happens once whether an attempt before came through or not. Whoever sends it anew meanwhile takes that over. So is one whose
// token was stale, with the new one.
import { patience } from "./patience.js";
import { NEW_TOKEN, renewToken } from "./token.js";

const UNANSWERED = [0, 502, 503, 504];
const isDone = (xhr) => !UNANSWERED.includes(xhr.status) && !xhr.getResponseHeader(NEW_TOKEN);
const waiting = new Map(); // what asked -> { elt, request, attempts, sending }

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
  waiting.get(elt)?.attempts.stop();
  waiting.delete(elt);
  if (elt.matches(".stand-in")) elt.remove();
};

const send = (one) => {
  const { elt } = one;
  const sender = senderOf(elt);
  if (sender !== elt) forget(elt);
  if (!sender) return;
  Object.assign(one, { elt: sender, sending: true });
  waiting.set(sender, one);
  htmx.ajax("POST", one.request.path, { source: sender, swap: sender === elt ? undefined : "none" }).catch(() => {});
};

// A server that has too much to do says in how many seconds.
const least = (xhr) => 1000 * (Number(xhr.getResponseHeader("Retry-After")) || 0) * (0.75 + Math.random() / 2);

// Whether what htmx says of an attempt that failed (`detail`) will be followed by another.
export const sendsAgain = ({ elt, requestConfig: request, xhr }) => {
  if (request.verb !== "post" || !request.formData.has("key") || isDone(xhr)) return false;
  const token = xhr.getResponseHeader(NEW_TOKEN);
  if (renewToken(token) && request.formData.has("csrfmiddlewaretoken")) request.formData.set("csrfmiddlewaretoken", token);
  const one = waiting.get(elt) ?? { elt, request, attempts: patience(() => send(one)), sending: false };
  waiting.set(elt, one);
  if (one.attempts.later({ least: least(xhr) })) return true;
  forget(elt);
  return false;
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
