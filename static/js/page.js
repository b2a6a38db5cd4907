// What every page needs: keys that make each form happen once, things shown only to whom they concern, times as told here.
import { isSentAgain, sendsAgain } from "./again.js";
import { point, tell, untell } from "./refusals.js";

const root = document.documentElement;

const random = () => crypto.getRandomValues(new Uint8Array(16));
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// A UUID from the browser. `crypto.randomUUID` exists only on HTTPS and localhost; tables in a local network have neither.
export const newKey = () => {
  const bytes = random();
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};

// What the browser makes up for every operation: its key, and its own part in the dice.
export const newSeed = () => hex(random());
const MADE_UP = { key: newKey, client_seed: newSeed };
const madeUp = "input[name=key], input[name=client_seed]";

const presence = document.getElementById("presence");
const within = (part, selector) => [...(part.matches?.(selector) ? [part] : []), ...part.querySelectorAll(selector)];

// Rendering is per role; what differs by person says whose it is, and is hidden until this page knows that it is theirs. What a GM
// may do for them is theirs (data-absent) while none of them is among those at the table.
const showMine = (part) => {
  const me = root.dataset.me;
  for (const element of within(part, "[data-member]")) {
    const whose = element.dataset.member.split(" ");
    const isFree = "absent" in element.dataset && !whose.some((member) => presence?.querySelector(`[data-person="${member}"]`));
    element.hidden = !me || !(whose.includes(me) || isFree);
  }
  // What somebody has elsewhere already goes from their page altogether: it has the ids of what they have.
  for (const element of within(part, "[data-others]")) if (element.dataset.others === me) element.remove();
};

if (presence) new MutationObserver(() => showMine(document.body)).observe(presence, { childList: true });

const zone = root.dataset.zone || undefined;
const clock = new Intl.DateTimeFormat(root.lang, { hour: "2-digit", minute: "2-digit", timeZone: zone });
const day = new Intl.DateTimeFormat(root.lang, { dateStyle: "medium", timeStyle: "short", timeZone: zone });
const long = new Intl.DateTimeFormat(root.lang, {
  weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", timeZone: zone,
});
const written = (element) => {
  if (element.dataset.show === "day") return long;
  return element.matches("[data-show=clock], .line-time > *") ? clock : day;
};
const tellTimes = (part) => {
  for (const element of within(part, "time[datetime]")) {
    const at = new Date(element.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    element.textContent = written(element).format(at);
    element.title = day.format(at);
  }
};

// Call with every part that comes to the page after it was loaded. What the socket brings is the same for everybody, so its
// forms need keys of this browser's own.
export const settle = (part, { fromSocket = false } = {}) => {
  for (const input of within(part, madeUp)) if (fromSocket || !input.value) input.value = MADE_UP[input.name]();
  showMine(part);
  tellTimes(part);
};

// A key is used up by any answer, since the operation is then done or refused. Without an answer it stays: sent again, the form
// still happens only once.
const renewKey = (form) => {
  for (const input of form.querySelectorAll(madeUp)) input.value = MADE_UP[input.name]();
};

// A press on a card that is an operation of its own, whatever else the card's form sends.
document.addEventListener("htmx:configRequest", ({ detail: { elt, parameters } }) => {
  if (!("ownKey" in elt.dataset) || isSentAgain(elt)) return;
  for (const [name, makeUp] of Object.entries(MADE_UP)) parameters[name] = makeUp();
});

// One press is one operation: what is sent once more before it was answered would go out by itself then, with another key. Where one
// types on and sends the next thing meanwhile, the form says so (hx-sync).
document.addEventListener("htmx:confirm", (event) => {
  const { elt, verb } = event.detail;
  if (verb === "post" && elt.matches("form.htmx-request:not([hx-sync], [hx-trigger])")) event.preventDefault();
});

document.addEventListener("htmx:beforeRequest", (event) => {
  if (isSentAgain(event.detail.elt)) return; // what is said of that stays until it is answered
  const slot = document.getElementById(`${event.detail.elt.id}-errors`);
  if (slot) slot.replaceChildren();
  for (const input of event.detail.elt.querySelectorAll?.("[aria-invalid]") ?? []) input.removeAttribute("aria-invalid");
});

const answered = (event) => {
  if (event.target !== event.currentTarget || event.detail.requestConfig.verb !== "post") return;
  const { status } = event.detail.xhr;
  if (status > 0 && status < 500) untell(event.currentTarget, AGAIN);
  const form = event.currentTarget.closest("form");
  if (!form) return;
  if (status > 0 && status < 500) renewKey(form);
  // A question, put elsewhere, is answered first.
  if (event.detail.successful && !event.detail.xhr.getResponseHeader("HX-Retarget")) {
    // Whoever has typed on meanwhile keeps what was typed.
    const sent = event.detail.requestConfig.formData;
    for (const input of form.querySelectorAll("[data-clear]")) {
      if (input.value === sent.get(input.name)) input.value = input.defaultValue;
    }
    const done = new CustomEvent("afterburn:done", { bubbles: true, detail: { form } });
    (form.isConnected ? form : document).dispatchEvent(done);
  }
};

// htmx knows what it has brought 20 ms after it is there. Whoever is quicker would have a form go out as an address. What has asked is
// known: told of it again, htmx would forget what it has yet to ask.
const swapped = ({ target }) => {
  settle(target);
  if (!target.matches(".htmx-request")) htmx.process(target);
  point(target, target.closest("form"));
};
document.addEventListener("htmx:afterSwap", swapped);
document.addEventListener("htmx:oobAfterSwap", swapped);

const AGAIN = gettext("No answer from the server. Trying again…");
const BUSY = gettext("The server is busy. Nothing was changed, and what you wrote is still here. Try again in a moment.");

// A refusal says where it goes. Any other error is a whole page, which has no place inside this one.
const failed = (event) => {
  const { detail, target, currentTarget: asker } = event;
  const { status } = detail.xhr;
  if (target !== asker || status < 400 || detail.xhr.getResponseHeader("HX-Retarget")) return;
  event.preventDefault();
  if (sendsAgain(detail)) return status === 403 || tell(asker, AGAIN);
  // Refused before anything was done (config/middleware.py); its key stays.
  if (status === 503) return tell(asker, BUSY);
  tell(asker, interpolate(
    gettext("The server answered with an error (%(status)s). What you wrote is still here. Reload in another tab, then try again."), { status }, true,
  ));
};

const NOT_SENT = gettext("That didn’t reach the server. What you wrote is still here. Try again.");
const notSent = ({ detail, target, currentTarget: asker }) => {
  if (target === asker) tell(asker, sendsAgain(detail) ? AGAIN : NOT_SENT);
};

// Heard at what asked, and not at the document: the socket may be quicker than the answer and have replaced it by then.
const HEARD = { "htmx:beforeOnLoad": failed, "htmx:sendError": notSent, "htmx:timeout": notSent, "htmx:afterRequest": answered };
document.addEventListener("htmx:beforeRequest", ({ detail: { elt } }) => {
  for (const name in HEARD) elt.addEventListener(/** @type {keyof HtmxEvents} */ (name), HEARD[name]);
});

document.addEventListener("DOMContentLoaded", () => settle(document));
