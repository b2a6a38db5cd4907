// A Major Burn stops the room: the dialog opens for one that is new here, and stays closed for those minimised in this tab; one that is
// put off closes it everywhere, except over what somebody reads or writes. One that falls now is told in acts, each by itself after a while
// or at a press; what the GM writes of it is shown as it is written; told, it stays as a page until one goes on.
import { whenClosed } from "../js/closed.js";
import { isStill } from "../js/motion.js";

const root = document.documentElement;
const dialog = document.getElementById("major-burn");
const burns = document.getElementById("major-burns");
const draft = document.getElementById("major-draft");
const told = document.getElementById("major-told");
const desk = document.getElementById("narrate-desk");
const said = document.getElementById("major-said");
const teller = document.getElementById("major-teller");
const written = document.getElementById("major-written");
const presence = document.getElementById("presence");
const aside = new Set(JSON.parse(sessionStorage.getItem("put-aside") || "[]"));
/** @param {Iterable<any>} nodes @returns {Part[]} */
const elements = (nodes) => [...nodes];
const ids = () => [...burns.children].map((burn) => burn.id);
const notDeferred = () => [...burns.children].filter(({ dataset }) => dataset.deferred === undefined).map((burn) => burn.id);
let stopping = []; // those that stopped the room when this page last looked

// Acts

const TITLE = 1000; // ms that the title stands alone
const ACT = 1300; // ms of each thing after it
const acts = new Map(); // how many parts of a Burn are shown, of those that are told in acts here
let timer = null;

const parts = (burn) => [...burn.querySelectorAll("[data-act]")].sort((one, other) => Number(one.dataset.act) - Number(other.dataset.act));
const stage = (burn) => {
  const shown = acts.get(burn.id) ?? Infinity;
  parts(burn).forEach((part, number) => part.classList.toggle("is-later", number >= shown));
  burn.classList.toggle("is-told-in-acts", shown < parts(burn).length);
};

// What is read out of a part: neither faces nor buttons.
const wordsOf = (part) => {
  const paragraphs = part.matches("span") ? [part] : [...part.querySelectorAll("p")];
  return paragraphs.map((one) => one.textContent.replace(/\s+/g, " ").trim()).filter(Boolean).join(" ");
};

const goOn = () => {
  clearTimeout(timer);
  const burn = [...burns.children].find((one) => (acts.get(one.id) ?? Infinity) < parts(one).length);
  if (!burn) return false;
  const part = parts(burn)[acts.get(burn.id)];
  acts.set(burn.id, acts.get(burn.id) + 1);
  stage(burn);
  part.classList.add("enters");
  said.textContent = wordsOf(part);
  if (part.matches(".oracle")) document.dispatchEvent(new CustomEvent("afterburn:sound", { detail: "dice" }));
  timer = setTimeout(goOn, ACT);
  return true;
};

// A press goes on at once, and does nothing else.
const press = (event) => {
  if (event.target.closest?.(".major-aside") || event.key === "Escape" || event.key === "Tab") return;
  if (event.type === "keydown" && ![" ", "Enter"].includes(event.key)) return;
  if (!burns.querySelector(".is-told-in-acts")) return;
  event.preventDefault();
  event.stopPropagation();
  goOn();
};
for (const way of ["click", "keydown"]) dialog.addEventListener(way, press, { capture: true });

const begin = (burn) => {
  if (root.hasAttribute("data-catching-up") || isStill() || aside.has(burn.id)) return;
  acts.set(burn.id, 0);
  clearTimeout(timer);
  timer = setTimeout(goOn, TITLE);
};

// Who is at the table and has not seen it yet stands there unlit; players with the face of a character of theirs, where it has one.

const isMe = ({ dataset }) => dataset.person === root.dataset.me;
const listed = new Intl.ListFormat(root.lang, { type: "conjunction" });
const portraits = document.getElementById("faces"); // templates/table.html
const avatar = (person) => presence?.querySelector(`[data-person="${person}"]`);
const dress = (one) => {
  const portrait = portraits?.querySelector(`[data-owner="${one.dataset.person}"] img`);
  if (portrait) one.replaceChildren(portrait.cloneNode());
  return one;
};
const light = (burn) => {
  const seen = burn.dataset.seen.split(" ").filter(Boolean);
  const list = burn.querySelector(".major-faces");
  const names = elements(list.children).filter((one) => seen.includes(one.dataset.person) && !isMe(one)).map(({ title }) => title);
  // Those who were appended when it was last lit.
  [...list.children].filter(({ dataset }) => !seen.includes(dataset.person)).forEach((one) => one.remove());
  for (const one of list.children) {
    const own = avatar(one.dataset.person);
    if (own) one.className = own.className;
    if (own) one.replaceChildren(...own.cloneNode(true).childNodes);
    dress(one).classList.add("is-lit");
  }
  const others = elements(presence?.querySelectorAll("[data-role=player]") ?? []).filter(({ dataset }) => !seen.includes(dataset.person));
  others.sort((one, other) => Number(isMe(other)) - Number(isMe(one)));
  list.append(...others.map((one) => dress(one.cloneNode(true))));
  const awaited = others.map((one) => (isMe(one) ? pgettext("waited for", "you") : one.title));
  const words = [
    names.length && interpolate(ngettext("%(names)s has seen it.", "%(names)s have seen it.", names.length), { names: listed.format(names) }, true),
    awaited.length ? interpolate(gettext("Waiting for %(names)s."), { names: listed.format(awaited) }, true) : gettext("Waiting for the GM’s narration."),
  ];
  const line = burn.querySelector(".major-seen");
  line.textContent = line.title = words.filter(Boolean).join(" ");
  const form = burn.querySelector(".see");
  if (form) form.hidden = seen.includes(root.dataset.me);
};

// From its title on: with the focus on a button below, a phone would begin at the end.
const show = () => {
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("h2")?.focus();
};

const hideDraft = () => {
  written.textContent = "";
  draft.hidden = true;
};

const look = () => {
  for (const burn of burns.children) {
    stage(burn);
    light(burn);
  }
  // A Burn that was told while this page was away leaves what was seen of it behind.
  if (!ids().includes(draft.dataset.of ?? "")) hideDraft();
  const now = notDeferred();
  const putOff = stopping.some((id) => ids().includes(id) && !now.includes(id));
  const leaves = putOff ? !now.length && !desk.querySelector("form") : !burns.children.length;
  stopping = now;
  if (leaves && !told.children.length) dialog.close();
  else if (!dialog.open && now.some((id) => !aside.has(id))) show();
};

const remember = () => {
  ids().forEach((id) => aside.add(id));
  sessionStorage.setItem("put-aside", JSON.stringify([...aside]));
  told.replaceChildren();
  acts.clear();
};
whenClosed(dialog, remember);

// Told, it stays as a page.

const page = (burn, narration) => {
  const kept = burn.cloneNode(true);
  kept.removeAttribute("id");
  kept.querySelectorAll("[id]").forEach((one) => one.removeAttribute("id"));
  kept.querySelectorAll("[data-act]").forEach((one) => one.classList.remove("is-later"));
  const leave = Object.assign(document.createElement("button"), { type: "button", className: "primary", textContent: gettext("Continue") });
  leave.addEventListener("click", () => dialog.close());
  narration.tabIndex = 0; // a long one is scrolled
  kept.querySelector(".major-foot").replaceChildren(leave);
  kept.querySelector(".major-foot").before(narration);
  kept.classList.add("is-told");
  told.replaceChildren(kept);
  hideDraft();
  said.textContent = narration.textContent.replace(/\s+/g, " ").trim();
  show();
};
burns.addEventListener("afterburn:removed", ({ target, detail }) => {
  const narration = detail.querySelector(".narration");
  if (narration && !document.getElementById("player")) page(target, narration.cloneNode(true));
});

// What its GM is writing: told to the table by the page of the GM, shown to all others until the GM leaves the form, one way or another.

let writing = null; // the token of what is written here (campaigns/live/drafts.py)
const write = (text) => document.dispatchEvent(new CustomEvent("afterburn:draft", { detail: { token: writing, field: "text", text } }));
desk.addEventListener("input", ({ target }) => {
  if (!target.dataset.draft) return;
  writing = target.dataset.draft;
  write(target.value);
});
new MutationObserver(() => {
  if (!writing || desk.querySelector("textarea")) return;
  write("");
  writing = null;
}).observe(desk, { childList: true });
document.addEventListener("afterburn:drafted", ({ detail: { subject, name, text } }) => {
  const burn = document.getElementById(subject.replace(":", "-"));
  if (!burn || desk.querySelector("textarea")) return;
  if (!text) return hideDraft();
  teller.textContent = interpolate(gettext("%(name)s is narrating"), { name }, true);
  written.textContent = text;
  draft.dataset.of = burn.id;
  draft.hidden = false;
});

new MutationObserver((changes) => {
  const before = new Set(changes.flatMap(({ removedNodes }) => elements(removedNodes).map(({ id }) => id)));
  for (const burn of changes.flatMap(({ addedNodes }) => elements(addedNodes))) if (!before.has(burn.id)) begin(burn);
  look();
}).observe(burns, { childList: true });
if (presence) new MutationObserver(look).observe(presence, { childList: true });
document.getElementById("major-show").addEventListener("click", show);
look();
