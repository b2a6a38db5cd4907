// The buttons, the timeline and the keys of a replay (replay.js), and its place in the address.
import { sentence } from "./announce.js";
import { settle } from "./page.js";
import { goTo, load, replay } from "./replay.js";

const player = document.getElementById("player");
const LONGEST = 4000; // ms between two steps at the speed of the evening, however long the table was silent
const REST = 250; // ms of rest before a place is written into the address and read aloud
const SVG = "http://www.w3.org/2000/svg";
const part = (name) => player.querySelector(`[data-part=${name}]`);
const slider = part("slider");
const list = document.getElementById("scenes");
const feed = document.getElementById("feed");
const announcer = document.getElementById("announcer");
for (const hidden of document.querySelectorAll("[data-needs-scripts]")) hidden.hidden = false;

// Playing

let playing = false;
let timer = null;

const schedule = () => {
  clearTimeout(timer);
  const { at, steps, done } = replay;
  if (!playing || (at === steps.length && !done)) return; // what is still being loaded goes on by itself
  if (at === steps.length) return play(false);
  const gap = at ? steps[at].at - steps[at - 1].at : 0;
  timer = setTimeout(() => goTo(at + 1), Math.min(gap, LONGEST) / Number(part("speed").value));
};

const play = (yes) => {
  playing = yes;
  player.toggleAttribute("data-playing", yes);
  part("play").setAttribute("aria-label", yes ? pgettext("a replay", "Pause") : pgettext("a replay", "Play"));
  if (yes && replay.done && replay.at === replay.steps.length) goTo(0);
  schedule();
};

const step = (by) => {
  play(false);
  goTo(replay.at + by);
};

// To just after the next step of a kind; where there is none, to the end.
const skip = (wanted) => {
  const next = replay.steps.findIndex((one, number) => number >= replay.at && wanted(one));
  goTo(next < 0 ? replay.steps.length : next + 1);
};

// Showing where it stands

const sceneAt = (at) => replay.steps.findLastIndex((one, number) => number < at && one.scene);

const show = () => {
  const { at, steps } = replay;
  const now = steps[at - 1];
  const scene = sceneAt(at);
  part("scene").textContent = scene < 0 ? "" : steps[scene].scene;
  const count = interpolate(gettext("%(number)s of %(count)s"), { number: at, count: steps.length }, true);
  part("count").textContent = replay.done ? count : `${count} …`;
  part("time").dateTime = now ? now.at.toISOString() : "";
  if (now) settle(part("time"));
  else part("time").textContent = "";
  slider.value = at;
  const words = [part("count"), part("time"), part("scene")].map((one) => one.textContent).filter(Boolean);
  slider.setAttribute("aria-valuetext", words.join(", "));
  part("back").disabled = at === 0;
  part("forward").disabled = replay.done && at === steps.length;
  for (const link of list.querySelectorAll("a")) {
    if (Number(link.dataset.step) === scene) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
};

const listScenes = () => {
  const scenes = [...replay.steps.entries()].filter(([, one]) => one.scene);
  list.replaceChildren(...scenes.map(row));
  part("marks").replaceChildren(...scenes.map(mark));
};

/** @param {[number, any]} step */
const row = ([number, { uid, scene }]) => {
  const link = document.createElement("a");
  link.href = `#event-${uid}`;
  link.dataset.step = String(number);
  link.textContent = scene;
  const item = document.createElement("li");
  item.className = "row";
  item.append(link);
  return item;
};

/** @param {[number, any]} step */
const mark = ([number]) => {
  const line = document.createElementNS(SVG, "rect");
  const place = { x: ((number + 1) / replay.steps.length) * 1000 - 2, width: 4, height: 10 };
  for (const [name, value] of Object.entries(place)) line.setAttribute(name, value);
  return line;
};

// The address

let resting = null;
const rest = (jumped) => {
  clearTimeout(resting);
  resting = setTimeout(() => {
    const now = replay.steps[replay.at - 1];
    history.replaceState(history.state, "", now ? `#event-${now.uid}` : location.pathname);
    const line = feed.lastElementChild;
    if (jumped && line) announcer.textContent = sentence(line);
  }, REST);
};

// It begins at the first thing that happened: titles of sessions and scenes come before that.
let begun = false;
const begin = () => {
  const first = replay.steps.findIndex(({ html }) => html.includes('class="line"') && !html.includes("scene-line"));
  if (first < 0) return;
  begun = true;
  goTo(first + 1);
};

let sought = location.hash;
const seek = () => {
  const found = replay.steps.findIndex(({ uid }) => sought === `#event-${uid}`);
  if (found < 0) return;
  sought = "";
  goTo(found + 1);
};

window.addEventListener("hashchange", () => {
  sought = location.hash;
  seek();
});

// On a phone the list of scenes lies over the table that one wants to see then.
list.addEventListener("click", ({ target }) => target.closest("a") && document.querySelector(".side.is-open .side-close")?.click());

// What one presses

part("play").addEventListener("click", () => play(!playing));
part("back").addEventListener("click", () => step(-1));
part("forward").addEventListener("click", () => step(1));
part("speed").addEventListener("change", schedule);
part("roll").addEventListener("click", () => skip((one) => one.roll));
part("next-scene").addEventListener("click", () => skip((one) => one.scene));
slider.addEventListener("input", () => {
  play(false);
  goTo(Number(slider.value));
});

const KEYS = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), " ": () => play(!playing) };
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (!KEYS[key] || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (target.closest("select, [popover]")) return;
  // Those know what to do with a space themselves.
  if (key === " " && target.closest("button, a, summary")) return;
  event.preventDefault();
  KEYS[key]();
});

document.addEventListener("afterburn:moved", ({ detail }) => {
  show();
  rest(detail.jumped);
  schedule();
});
document.addEventListener("afterburn:loaded", () => {
  slider.max = replay.steps.length;
  listScenes();
  if (sought) seek();
  else if (!begun) begin();
  show();
  schedule();
});
load().catch(() => {
  part("trouble").textContent = gettext("The session could not be loaded. Reload the page to try again.");
});
