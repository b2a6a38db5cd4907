// A page for the scripts of the site, in Node: a small DOM, and what stands in for the server. Scripts look at their page as they are
// imported, so that each file of tests opens one page, and then imports what it tests.
import { createRequire } from "node:module";
import "./words.js";

const modules = process.env.NODE_MODULES;
const { Window } = createRequire(modules ? `${modules}/` : import.meta.url)("happy-dom");

const NAMES = [
  "CSS", "CustomEvent", "Element", "Event", "HTMLElement", "MutationObserver", "Node", "Option", "document", "localStorage", "location", "navigator",
  "requestAnimationFrame", "sessionStorage", "window",
];

// Open a page with this body. What scripts hand to htmx stands in `processed`.
export const open = (body, url = "http://table.test/c/ashes/") => {
  const window = new Window({ url });
  for (const name of NAMES) Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
  const processed = [];
  globalThis.htmx = { process: (part) => processed.push(part) };
  document.documentElement.lang = "en-GB";
  // What base.html has on every page.
  document.body.innerHTML = `<div id="notice"></div><div id="refusals"></div><p id="announcer"></p>${body}`;
  return { processed };
};

// Keep what a page is told under this name: the details of the events, the first first.
export const heard = (name) => {
  const details = [];
  document.addEventListener(name, ({ detail, target }) => details.push(detail ?? target.id ?? null));
  return details;
};

// Let promises go on that have nothing left to wait for.
export const settled = async (rounds = 20) => {
  for (let round = 0; round < rounds; round += 1) await Promise.resolve();
};
