// The fields of a sheet. Each has a display, which others swap, and what sets it, which they never do: an input that nobody is
// writing in follows its display; one with the focus or with unsaved words stays as it is, and the display appears beside it.
// `base` is what the writer has seen: a save goes out with it, and is refused when the field has become another since.
import { send } from "./operations.js";

const sheet = document.querySelector(".sheet");
const all = new Map(); // element -> entry
const SAID = 2500; // ms for which "saved" stands there

const announce = (words) => {
  document.getElementById("announcer").textContent = words;
};

const part = (entry, name) => {
  let found = entry.element.querySelector(`:scope > .${name}`);
  if (!found) {
    found = document.createElement("div");
    found.className = name;
    entry.element.append(found);
  }
  return found;
};

const shown = (entry) => entry.element.querySelector(".cell").dataset.value;
// What a field is called: by what sets it, which says the row as well (rows.js); to readers, by what stands beside it.
const called = (element) => {
  const named = element.querySelector("[data-input], .steps")?.getAttribute("aria-label");
  return named ?? [element.closest(".sheet-row")?.dataset.called, element.dataset.called].filter(Boolean).join(": ");
};
const label = (entry) => called(entry.element);
const read = (entry) => {
  if (!entry.input) return entry.base;
  if (entry.input.type === "checkbox") return entry.input.checked ? "True" : "False";
  return entry.input.value;
};
// What is no choice any more stays what is chosen, until somebody chooses another.
const choice = (entry, value) => {
  if (![...entry.input.options].some((option) => option.value === value)) {
    entry.input.add(new Option(entry.element.querySelector(".cell").textContent.trim(), value));
  }
  entry.input.value = value;
};
const put = (entry, value) => {
  if (!entry.input) return;
  if (entry.input.type === "checkbox") entry.input.checked = value === "True";
  else if (entry.input.options) choice(entry, value);
  else entry.input.value = value;
};
const dirty = (entry) => read(entry) !== entry.base;
const writing = (entry) => entry.input !== null && entry.input === document.activeElement;
const busy = (entry) => entry.sending || dirty(entry) || writing(entry);

// Whether somebody else's value stands beside mine.
const compare = (entry) => {
  const now = shown(entry);
  const theirs = entry.input !== null && now !== read(entry) && now !== entry.base && now !== entry.sent;
  if (theirs && !entry.element.classList.contains("differs")) announce(interpolate(gettext("Someone else changed %(field)s."), { field: label(entry) }, true));
  entry.element.classList.toggle("differs", theirs);
};

const follow = (entry) => {
  const now = shown(entry);
  if (!busy(entry)) {
    entry.base = now;
    entry.news = false;
    put(entry, now);
  } else if (entry.input && now === read(entry) && !entry.sending) entry.base = now;
  compare(entry);
  fit(entry);
};

// Boxes are as many as another field allows: those beyond cannot be pressed; of dots there is room for one more than are drawn.
// One of them is the way in for the keyboard.
const fit = (entry) => {
  const steps = [...entry.element.querySelectorAll(".steps button")];
  if (!steps.length) return;
  const { value, of } = entry.element.querySelector(".cell").dataset;
  const most = { "is-boxes": Number(of), "is-dots": Number(of) + 1 };
  for (const kind in most) if (entry.element.classList.contains(kind)) for (const step of steps) step.hidden = step.dataset.step > most[kind];
  const inner = steps.find((step) => step.dataset.step === value) ?? steps[0];
  for (const step of steps) step.tabIndex = step === inner ? 0 : -1;
};

const say = (entry, state, words) => {
  const beside = part(entry, "beside");
  clearTimeout(entry.timer);
  beside.dataset.state = state;
  beside.textContent = words;
  if (state === "saved") entry.timer = setTimeout(() => say(entry, "", ""), SAID);
  if (state && state !== "saving") announce(`${label(entry)}: ${words}`);
  return beside;
};

// "+5" in a number that can't be negative changes it by so much (characters/sheets/fields.py), which is seen before it is saved.
const shift = ({ input }, typed) => input?.dataset.minimum >= 0 && /^\s*([+−–-])(\d{1,9})\s*$/.exec(typed);
const shifted = (entry, typed) => {
  const by = shift(entry, typed);
  return by ? String(Number(entry.base) + (by[1] === "+" ? 1 : -1) * Number(by[2])) : typed;
};
const preview = (entry) => {
  const typed = read(entry);
  const by = shift(entry, typed);
  if (by) say(entry, "shift", `${entry.base} ${by[1] === "+" ? "+" : "−"} ${by[2]} = ${shifted(entry, typed).replace("-", "−")}`);
  else if (part(entry, "beside").dataset.state === "shift") say(entry, "", "");
};

// What takes back one's own last change is there only while there is one.
const offerUndo = (has) => document.querySelector("[data-undo]")?.toggleAttribute("hidden", !has);

const why = () => {
  const input = document.getElementById("why");
  const words = input?.value.trim() ?? "";
  if (words) input.value = "";
  return words;
};

// What is wanted meanwhile goes out when this has been answered, based on what was saved then.
const save = async (entry, value) => {
  entry.wanted = value;
  if (entry.sending) return;
  entry.sending = true;
  part(entry, "errors").replaceChildren();
  while (entry.wanted !== null) {
    const typed = entry.wanted;
    const sent = shifted(entry, typed);
    Object.assign(entry, { sent, wanted: null, news: false });
    say(entry, "saving", gettext("saving …"));
    const fields = { field: entry.address, value: typed, expected: entry.base, why: why() };
    const answer = await send(sheet.dataset.fieldUrl, fields, (words) => say(entry, "waiting", words));
    if (answer.status < 300) {
      if (sent !== entry.base) offerUndo(true);
      Object.assign(entry, { base: sent, refused: null });
      entry.element.classList.remove("differs"); // until the display has come, it shows what this replaced
      if (read(entry) === typed) put(entry, sent);
      say(entry, "saved", gettext("saved"));
    } else refuse(entry, answer, fields);
  }
  Object.assign(entry, { sending: false, sent: null });
  if (entry.news) follow(entry);
  rest(entry);
};

// A long text that is saved and left is shown as it reads. Who left it by a key goes on from there.
const rest = (entry) => {
  if (busy(entry)) return;
  entry.element.classList.remove("editing");
  if (entry.back && document.activeElement === document.body) entry.element.querySelector("[data-edit]").focus();
  entry.back = false;
};

// Refused: what was typed stays. Who stands there is led to the choice, who has gone on is told and not fetched back.
const refuse = (entry, { status, html }, { value, why: reason }) => {
  const input = document.getElementById("why");
  if (reason && !input.value) input.value = reason;
  say(entry, "refused", gettext("not saved"));
  const errors = part(entry, "errors");
  errors.innerHTML = html;
  announce(errors.textContent.replace(/\s+/g, " ").trim());
  entry.refused = value;
  const inside = entry.element.contains(document.activeElement);
  if (status === 409 && inside) errors.querySelector("button")?.focus();
  if (entry.element.classList.contains("as-long")) entry.element.classList.add("editing");
};

const settled = (entry, words) => {
  entry.refused = null;
  part(entry, "errors").replaceChildren();
  entry.element.classList.remove("differs");
  say(entry, words ? "saved" : "", words);
  (entry.input ?? entry.element.querySelector(".steps [tabindex='0']"))?.focus();
};

// The choice between two values.
/** @param {any} entry @param {{ mine?: string, theirs?: string }} value */
const choose = (entry, { mine, theirs }) => {
  const { refused } = entry;
  entry.base = mine ?? theirs;
  if (theirs !== undefined) {
    put(entry, theirs);
    settled(entry, gettext("theirs kept"));
  } else {
    const value = entry.input ? read(entry) : refused;
    settled(entry, "");
    save(entry, value);
  }
  fit(entry);
};

const leave = (entry) => {
  // What was refused goes out again when it has become another, or when somebody says so.
  if (dirty(entry) && read(entry) !== entry.refused) save(entry, read(entry));
  else if (entry.news) follow(entry);
  rest(entry);
};

const take = (element, address) => {
  const entry = { element, address, input: element.querySelector("[data-input]"), sending: false, wanted: null, sent: null, refused: null, news: false, back: false };
  entry.base = shown(entry);
  put(entry, entry.base);
  all.set(element, entry);
  fit(entry);
  return entry;
};

const of = (node) => all.get(node.closest?.(".entry"));

document.addEventListener("afterburn:placed", (event) => {
  const entry = event.target.matches(".cell") && of(event.target);
  if (!entry) return;
  entry.news = true;
  follow(entry);
});

const unsaved = (entry) => entry.element.isConnected && (dirty(entry) || entry.sending);

export { all, announce, called, choose, dirty, leave, of, offerUndo, preview, put, read, save, take, unsaved, why };
