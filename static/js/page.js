// What every page needs: keys that make each form happen once, things shown only to whom they concern, times as told here.

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

const within = (part, selector) => [...(part.matches?.(selector) ? [part] : []), ...part.querySelectorAll(selector)];

// Rendering is per role; what differs by person says whose it is, and is hidden until this page knows that it is theirs.
const showMine = (part) => {
  const me = root.dataset.me;
  for (const element of within(part, "[data-member]")) {
    element.hidden = !me || !element.dataset.member.split(" ").includes(me);
  }
  // What somebody has elsewhere already goes from their page altogether: it has the ids of what they have.
  for (const element of within(part, "[data-others]")) if (element.dataset.others === me) element.remove();
};

const zone = root.dataset.zone || undefined;
const clock = new Intl.DateTimeFormat(root.lang, { hour: "2-digit", minute: "2-digit", timeZone: zone });
const day = new Intl.DateTimeFormat(root.lang, { dateStyle: "medium", timeStyle: "short", timeZone: zone });
const tellTimes = (part) => {
  for (const element of within(part, "time[datetime]")) {
    const at = new Date(element.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    element.textContent = (element.matches("[data-show=clock], .line-time > *") ? clock : day).format(at);
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

// One press is one operation: what is sent once more before it was answered would go out by itself then, with another key. Where one
// types on and sends the next thing meanwhile, the form says so (hx-sync).
document.addEventListener("htmx:confirm", (event) => {
  const { elt, verb } = event.detail;
  if (verb === "post" && elt.matches("form.htmx-request:not([hx-sync], [hx-trigger])")) event.preventDefault();
});

document.addEventListener("htmx:beforeRequest", (event) => {
  const slot = document.getElementById(`${event.detail.elt.id}-errors`);
  if (slot) slot.replaceChildren();
  for (const input of event.detail.elt.querySelectorAll?.("[aria-invalid]") ?? []) input.removeAttribute("aria-invalid");
});

const answered = (event) => {
  const form = event.currentTarget.closest("form");
  if (!form || event.target !== event.currentTarget || event.detail.requestConfig.verb !== "post") return;
  const { status } = event.detail.xhr;
  if (status > 0 && status < 500) renewKey(form);
  if (event.detail.successful) {
    // Whoever has typed on meanwhile keeps what was typed.
    const sent = event.detail.requestConfig.formData;
    for (const input of form.querySelectorAll("[data-clear]")) {
      if (input.value === sent.get(input.name)) input.value = input.defaultValue;
    }
    const done = new CustomEvent("afterburn:done", { bubbles: true, detail: { form } });
    (form.isConnected ? form : document).dispatchEvent(done);
  }
};

// Heard at what asked, and not at the document: the socket may be quicker than the answer and have replaced it by then.
document.addEventListener("htmx:beforeRequest", (event) => {
  event.detail.elt.addEventListener("htmx:afterRequest", answered);
});

// The errors of a form name their fields; the fields then point at them.
const pointAtErrors = (event) => {
  settle(event.target);
  for (const error of event.target.querySelectorAll("[data-field]")) {
    const form = event.target.closest("form");
    const input = form?.elements.namedItem(error.dataset.field);
    if (!(input instanceof HTMLElement)) continue;
    error.id ||= `error-${newKey()}`;
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", error.id);
  }
};
document.addEventListener("htmx:afterSwap", pointAtErrors);
document.addEventListener("htmx:oobAfterSwap", pointAtErrors);

const tell = (event, words) => {
  const form = event.detail.elt.closest("form");
  const slot = document.getElementById(`${form?.id}-errors`) ?? document.getElementById("notice");
  if (slot) slot.textContent = words;
};

const BUSY = "There is too much to do here just now. This was not done, and what you wrote is still here: try again in a moment.";

// A refusal says where it goes. Any other error is a whole page, which has no place inside this one.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (xhr.status < 400 || xhr.getResponseHeader("HX-Retarget")) return;
  event.detail.shouldSwap = false;
  // Refused before anything was done (config/shedding.py); its key stays.
  if (xhr.status === 503) return tell(event, BUSY);
  tell(event, `The server answered with an error (${xhr.status}). What you wrote is still here: reload in another tab, and try again.`);
});

const notSent = (event) => tell(event, "That did not reach the server. What you wrote is still here: try again.");
document.addEventListener("htmx:sendError", notSent);
document.addEventListener("htmx:timeout", notSent);

document.addEventListener("DOMContentLoaded", () => settle(document));
