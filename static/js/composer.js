// The composer: what is pressed on the sheet goes into the roll form, requests fill it in, keys reach it.
import { folded } from "./fold.js";
import { onKeys } from "./keys.js";

const say = document.getElementById("say");
// The roll form is fetched anew when another system is chosen.
const roll = () => document.getElementById("roll");
const field = (name) => roll().elements.namedItem(name);

// A trait goes into the field that its button names, "pool" if none. Fields that join take several, with plus signs between them.
const slotOf = (button) => field(button.dataset.slot || "pool");
const words = (slot) => slot.value.split("+").map((name) => name.trim()).filter((name) => name && !/^\d+$/.test(name));
const picked = (button) => {
  const slot = slotOf(button);
  return Boolean(slot) && words(slot).some((name) => folded(name) === folded(button.dataset.trait));
};

// What is pressed and what stands in the form say the same, whichever of the two was touched.
const showPressed = () => {
  for (const button of document.querySelectorAll("[data-trait]")) button.setAttribute("aria-pressed", picked(button));
};

// Some fields belong to some kinds of roll only, or to what else a form chooses first; the others are neither shown nor sent. A form of
// several games has a part for each.
const showKinds = (form) => {
  const games = form.querySelectorAll("[data-game]");
  for (const part of games.length ? games : [form]) showKind(part);
};
const showKind = (form) => {
  const kind = (form.querySelector("[data-chooses]") ?? form.querySelector("[name=kind], [name$='-kind']"))?.value;
  for (const part of form.querySelectorAll("[data-for]")) {
    part.hidden = !part.dataset.for.split(" ").includes(kind);
    const inputs = part.matches("input, select") ? [part] : part.querySelectorAll("input, select");
    for (const input of inputs) if (!input.dataset.off) input.disabled = part.hidden;
  }
};

// What is countered is named until it has been. Forms of rules by which one roll counters another have a part for that, with the
// field that says which; its data-for is the kind of roll that does.
const counters = () => roll().querySelector("[data-counters]");
const countered = () => counters()?.querySelector("input");
const showCountered = () => {
  const named = counters();
  if (named) named.hidden = named.hidden || !countered().value || Boolean(field("request").value);
};

// What a GM has to set is announced first, until it is asked for: while what leaves it to the GM is shown, chosen or ticked.
const leaves = (part) => (part.matches("option") ? part.selected : part.matches("input") ? part.checked && !part.disabled : !part.hidden);
const showAnnounced = () => {
  const announce = field("announce");
  if (!announce) return;
  const parts = [...roll().querySelectorAll("[data-announces]")];
  const open = !field("request").value;
  for (const part of parts) if (part.matches("p")) part.hidden ||= !open;
  announce.disabled = !(open && parts.some(leaves));
  roll().classList.toggle("is-announcing", !announce.disabled);
};

// What is spent by ticking the box beside it can be, as long as there is some left and nothing stands against it now, such as a point that
// was spent in the same turn; that is said beside it. A GM may let it be all the same.
const showLeft = () => {
  const left = roll().querySelector("[data-left]");
  if (!left) return;
  const label = left.closest("label");
  const box = label.querySelector("input");
  const spent = roll().querySelector(`#odds [data-spent="${box.name}"]`);
  const why = label.querySelector("[data-why]");
  if (why) why.textContent = spent ? spent.textContent : "";
  box.disabled = left.dataset.left === "0" || Boolean(spent && !("lets" in spent.dataset));
  if (spent && box.disabled) box.checked = false;
};
document.addEventListener("afterburn:placed", ({ target }) => {
  if (target.matches("[data-left]")) showLeft();
  if (target.querySelector("[data-trait]")) showPressed();
});
document.addEventListener("afterburn:traits", () => showPressed());

// What others will not see is seen to be so before it is thrown, and what stands under More though it is not as usual.
const showUnusual = () => {
  const seen = field("audience");
  roll().classList.toggle("is-hidden", Boolean(seen) && seen.value !== usual(seen));
  const inputs = [...roll().querySelectorAll(".more :is(input, select):not(:disabled)")];
  const other = (input) => (input.type === "checkbox" ? input.checked !== input.defaultChecked : input.value !== usual(input));
  roll().querySelector(".more").classList.toggle("is-set", inputs.some(other));
};

// On a phone the sheet lies over the form: its last button rolls what has been pressed there.
const sideRoll = document.getElementById("side-roll");
const showSideRoll = () => {
  const button = roll().querySelector("[type=submit]");
  const [rolling, announcing, hidden] = ["rolling", "announcing", "hidden"].map((when) => button.querySelector(`.when-${when}`).textContent.trim());
  const what = roll().classList.contains("is-announcing") ? announcing : rolling;
  sideRoll.textContent = roll().classList.contains("is-hidden") ? `${what} ${hidden}` : what;
  sideRoll.hidden = !meant || button.disabled;
};
sideRoll.addEventListener("click", () => {
  showForm();
  roll().requestSubmit();
});

const show = () => {
  for (const form of document.querySelectorAll("#roll, .request-form")) showKinds(form);
  showCountered();
  showAnnounced();
  showLeft();
  showAnswer();
  showPressed();
  showUnusual();
  showSideRoll();
};

// Whether one says or rolls: on a phone the one is shown or the other, and beside a card that is answered the roll form only to roll.
const turnMode = (mode) => document.getElementById(`mode-${mode}`)?.click();

// Whether what stands in the form was put there by who sits here, and since the last roll: a browser may fill in what stood there
// yesterday.
let meant = false;
const mean = (yes) => {
  meant = yes;
  if (yes && !prepares()) turnMode("roll");
};

// The roll form gives way to a card that is answered, unless a roll is being made, and comes back after it. What is pressed on the
// sheet while an act is prepared on the card of a turn goes there.
const stage = document.getElementById("stage");
let gave = false;
const prepares = () => stage.matches(".is-answering:has(.procedure:not(.is-folded) .turns)");
const giveWay = () => {
  const gives = stage.classList.contains("is-answering");
  if (gives && (!meant || prepares())) turnMode("say");
  else if (!gives && gave && !text.value) turnMode("roll");
  gave = gives;
};
document.addEventListener("afterburn:stage", giveWay);
// As if it had been typed: the odds listen to the form.
const changed = () => roll().dispatchEvent(new Event("input", { bubbles: true }));

const pick = (button) => {
  const slot = slotOf(button);
  if (!slot) return;
  const name = button.dataset.trait.replace(/_/g, " ");
  const others = words(slot).filter((other) => folded(other) !== folded(name));
  if (!("joins" in slot.dataset)) slot.value = picked(button) ? "" : button.dataset.trait;
  else slot.value = (picked(button) ? others : [...others, name]).join(" + ");
  mean(true);
  changed();
};

document.addEventListener("click", (event) => {
  const trait = event.target.closest("[data-trait]");
  if (trait) pick(trait);
  const asked = event.target.closest("[data-request]");
  if (asked) answer(asked.dataset);
  const looked = event.target.closest("[data-look]");
  if (looked) look(looked.dataset.look);
  const counter = event.target.closest("[data-counter]");
  if (counter) answerCheck(counter.dataset);
  const next = event.target.closest("[data-rolls]");
  if (next) begin(next.dataset);
  if (event.target.closest("[data-unanswer]")) unanswer();
});

// The form of these rules, fetched if another's stands here. It is settled at once: htmx would take it over a moment later, and what is
// sent before that leaves the page.
const turnTo = async (system) => {
  if (field("system").value === system) return;
  const button = document.querySelector(`.systems button[hx-get*="system=${system}&"]`);
  if (!button) return;
  await htmx.ajax("GET", button.getAttribute("hx-get") ?? "", { target: "#roll-slot", swap: "innerHTML settle:0s" });
};

const showForm = () => {
  document.querySelector(".side.is-open .side-close")?.click();
  mean(true);
  turnMode("roll");
  changed();
};

// Without a roll to counter it stands for itself again.
/** @param {Data} check */
const answerCheck = async ({ counter, system, words }) => {
  await turnTo(system ?? field("system").value);
  if (!counters()) return;
  unanswer();
  countered().value = counter;
  field("kind").value = counters().dataset.for;
  counters().querySelector("[data-words]").textContent = words ?? "";
  showForm();
  toFirst();
};

// The first of the fields that belong to this kind of roll.
const toFirst = () => roll().querySelector("[data-for]:not([hidden]) :is(input:not([type=hidden]), select)")?.focus();

// A card can begin the roll that follows from it.
/** @param {Data} roll */
const begin = async ({ rolls, kind }) => {
  await turnTo(rolls);
  field("kind").value = kind;
  showForm();
  toFirst();
};

// A roll that was saved or made before: what it says nothing of is as usual, and a request is not answered by it.
export const putRoll = async (system, fields) => {
  await turnTo(system);
  unanswer();
  for (const input of roll().querySelectorAll("input:not([type=hidden]), select")) {
    const value = fields[input.name];
    if (input.type === "checkbox") input.checked = Boolean(value);
    else if (value === undefined || (input.options && ![...input.options].some((option) => option.value === String(value)))) input.value = usual(input);
    else input.value = value;
  }
  showForm();
};

const usual = (input) => {
  if (input.type === "hidden") return ""; // its default is whatever was put into it last
  if (!input.options) return input.defaultValue;
  return ([...input.options].find((option) => option.defaultSelected) ?? input.options[0]).value;
};

// What the GM has set; a box stays the player's to tick, but the GM may let it be there.
const fill = (name, value) => {
  const input = field(name);
  if (!input) return;
  const box = input.closest("[data-asked]");
  if (box) input.disabled = box.hidden = !value;
  if (input.type !== "checkbox") input.value = value ?? "";
  const more = input.closest("details");
  if (more && value && value !== usual(input)) more.open = true;
};

// Above the roll stands what the GM asks for, as it is now.
const STATES = { asked: gettext("Your GM asks for"), changed: gettext("Your GM changed it:"), gone: gettext("Your GM no longer asks for") };
const answers = () => document.getElementById("answers");
const tellAnswer = (state, words) => {
  answers().className = `answers is-${state}`;
  answers().querySelector("[data-state]").textContent = STATES[state];
  if (words) answers().querySelector("[data-words]").textContent = words;
};
const showAnswer = () => { answers().hidden = !field("request").value; };

// The fields that the GM leaves open are the player's, and hold what stood there.
/** @param {Data} asked */
const put = async ({ request, system, terms, words }, state) => {
  await turnTo(system);
  if (countered()) countered().value = "";
  for (const [name, value] of Object.entries({ ...JSON.parse(terms), request })) fill(name, value);
  roll().dataset.terms = terms;
  tellAnswer(state, words);
};

const answer = async (asked) => {
  await put(asked, "asked");
  showForm();
  // What leaves nothing to say is said by its button: the press that takes it up rolls it.
  if ("whole" in asked && !roll().querySelector("[type=submit]").disabled) return roll().requestSubmit();
  const open = [...roll().querySelectorAll("input:not([type])")];
  (open.find((input) => !input.value && !input.disabled && !input.closest("details")) ?? roll().querySelector("[type=submit]")).focus();
};

// Into the form and no further.
const look = (request) => {
  const { whole, ...asked } = requests.querySelector(`[data-request="${request}"]`).dataset;
  return answer(asked);
};

// A GM may change a request or drop it while it stands in the form, which follows. A roll on its way answers it by itself.
const requests = document.getElementById("requests");
const follow = async () => {
  const request = field("request").value;
  if (!request || roll().classList.contains("htmx-request")) return;
  const asked = requests.querySelector(`[data-request="${request}"]:not([hidden])`)?.dataset;
  if (!asked) tellAnswer("gone");
  else if (asked.system !== field("system").value || asked.terms !== roll().dataset.terms) {
    await put(asked, "changed");
    mean(false); // it is another roll now than the one that was taken up
    changed();
  }
};
new MutationObserver(follow).observe(requests, { childList: true });
document.addEventListener("htmx:afterRequest", (event) => event.detail.elt === roll() && follow());

document.addEventListener("input", ({ target, isTrusted }) => {
  if (!target.closest("#roll, .request-form")) return;
  if (isTrusted && target.closest("#roll")) mean(true);
  show();
});

// What was rolled or announced is let go: its words, and what counts for one roll. A box that may be asked for stays there without a
// request.
const forget = (input) => {
  const box = input.closest("[data-asked]");
  if (box) input.disabled = box.hidden = box.dataset.asked !== "open";
  if (input.type === "checkbox") input.checked = input.defaultChecked;
  else input.value = usual(input);
};
const unanswer = () => {
  roll().querySelectorAll("[name=request], [data-asked] input").forEach(forget);
  changed();
};
document.addEventListener("afterburn:done", (event) => {
  if (event.detail.form.id !== "roll") return;
  mean(false);
  giveWay();
  roll().querySelectorAll("[data-once], .slots input:not([type])").forEach(forget);
  // On a phone what is rarely asked for would cover what has just been rolled.
  if (matchMedia("(max-width: 40rem)").matches) roll().querySelector(".more").open = false;
  changed();
});

// Whispering asks who hears it. The voices are others with another character at hand.
const to = document.getElementById("say-to");
const showTo = () => { to.hidden = say.elements.namedItem("voice").value !== "whisper"; };
say.addEventListener("change", showTo);
document.addEventListener("htmx:oobAfterSwap", showTo);
showTo();

// Enter sends, Shift+Enter makes a new line, as people know it.
const text = say.elements.namedItem("text");
text.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  say.requestSubmit();
});

// A field that is typed into is wide, and narrow again without the focus. It keeps that until the press is over: else the button would
// move away from under the pointer, and nothing would be pressed.
const rollButton = ({ target }) => target.closest?.("#roll [type=submit]");
document.addEventListener("mousedown", (event) => rollButton(event) && event.preventDefault());
document.addEventListener("click", (event) => event.detail && rollButton(event)?.focus());

const help = document.getElementById("keys");
const npc = document.getElementById("npc-open"); // GMs alone have it
const toSay = () => {
  turnMode("say");
  text.focus();
};
// Dice cannot be taken back unseen: what nobody has put there now, or what is being rolled, is shown first, and rolls with the next press.
const toRoll = () => {
  if (meant && !roll().matches(".htmx-request")) return roll().requestSubmit();
  turnMode("roll");
  roll().querySelector("[type=submit]").focus();
};
onKeys({ "/": toSay, r: toRoll, "?": () => help.showModal(), ...(npc && { n: () => npc.click() }) });

document.addEventListener("htmx:afterSettle", show);
show();
