// A finished session on the table's own components: its events are applied as the socket brought them, forwards one by one,
// backwards from the beginning. player.js has the buttons.
import { apply, quietly } from "./apply.js";

const player = document.getElementById("player");
const frame = document.querySelector(".feed-frame");
const boxes = [...document.querySelectorAll("#now, [data-replayed]")]; // what events change
const copies = (nodes) => [...nodes].map((node) => node.cloneNode(true));
const beginning = boxes.map((box) => copies(box.childNodes));
const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

// What can be pressed or filled in belongs to the evening, not to its replay.
const PRESSED = ".actions, .roll-more, .errors, button, input, select, textarea, label, [hx-get], [hx-post]";
const bare = (html) => {
  const parcel = document.createElement("template");
  parcel.innerHTML = html;
  for (const form of parcel.content.querySelectorAll("form")) form.replaceWith(...form.childNodes);
  for (const part of parcel.content.querySelectorAll(PRESSED)) part.remove();
  return parcel.innerHTML;
};

export const replay = {
  /** @type {{ uid: string, at: any, html: string, roll: any, scene: string }[]} */
  steps: [], // `at` is a date
  done: false, // whether all of them have been loaded
  at: 0, // how many of them have been applied
};

export const load = async () => {
  for (let url = player.dataset.events; url; ) {
    const answer = await fetch(url, { headers: { accept: "application/json" } });
    if (!answer.ok) throw new Error(`${answer.status} for the moments of the session`);
    const { moments, further } = await answer.json();
    replay.steps.push(...moments.map((moment) => ({ ...moment, at: new Date(moment.at), html: bare(moment.html) })));
    url = further;
    replay.done = !further;
    tell("afterburn:loaded");
  }
};

const rewind = () => {
  boxes.forEach((box, number) => box.replaceChildren(...copies(beginning[number])));
  replay.at = 0;
};

// Nobody sees what lies between: it is neither laid out, nor moved, nor read aloud. Observers hear of it a moment later.
let loud = null;
const far = (work) => {
  const focused = document.activeElement;
  quietly(true);
  frame.hidden = true;
  work();
  frame.hidden = false;
  if (focused && focused !== document.activeElement) focused.focus();
  clearTimeout(loud);
  loud = setTimeout(() => quietly(false));
};

// Show the table as it was after so many steps.
export const goTo = (wanted) => {
  const target = Math.max(0, Math.min(wanted, replay.steps.length));
  const jumped = target !== replay.at + 1;
  const forward = () => {
    while (replay.at < target) apply(replay.steps[replay.at++].html);
  };
  if (target === replay.at) return;
  if (!jumped) forward();
  else {
    far(() => {
      if (target < replay.at) rewind();
      forward();
    });
  }
  tell("afterburn:moved", { jumped });
};
