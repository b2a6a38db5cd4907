// Puts what the server has drawn where it belongs on the page, whether the socket brings it (live.js) or a replay (replay.js).
import { settle } from "./page.js";
import { steadily } from "./steady.js";

// Each element replaces the one with its id or, if there is none, goes into the container it names. Doing it twice is
// doing it once. What is marked data-odds says that odds may be others now (rolls/_roll_form.html), whether it is shown here or not;
// data-party, that somebody else is played, or is known by more or by less (characters/_party.html); data-closing, that
// a GM is about to close the scene, or has done so (campaigns/_closing.html); data-endings, that something else may be open then;
// data-panels, that panels which go by rows of sheets, claims or the scene may show something else; data-dates, that dates of sessions
// are proposed, answered or set; data-world, that a page of what is known was written on.
const NEWS = ["odds", "party", "closing", "endings", "panels", "dates", "world"];
export const apply = (html) => {
  const parcel = document.createElement("template");
  parcel.innerHTML = html;
  /** @type {any[]} */
  const parts = [...parcel.content.children];
  for (const part of parts) {
    for (const since of fetching.values()) since.push(part.cloneNode(true));
    put(part);
  }
  for (const news of NEWS) {
    if (parcel.content.querySelector(`[data-${news}]`)) document.dispatchEvent(new CustomEvent(`afterburn:${news}`));
  }
};

const put = (part) => {
  const gone = part.dataset.remove && document.getElementById(part.dataset.remove);
  if (gone) steadily(gone, () => remove(gone, part));
  else if (part.dataset.removeUntil) document.querySelectorAll(`[data-until="${part.dataset.removeUntil}"]`).forEach((old) => old.remove());
  else if (!part.dataset.remove) place(part);
};

// A part of the page that is fetched may be older than what came while it was on its way: that is put into it once more.
const fetching = new Map(); // request -> what has come since it was sent
document.addEventListener("htmx:beforeSend", ({ detail: { requestConfig, target, xhr } }) => {
  if (requestConfig.verb === "get") fetching.set(xhr, []);
  target.addEventListener("htmx:beforeSwap", findAgain); // what is off the page tells the document nothing
});
document.addEventListener("htmx:afterRequest", ({ detail: { xhr, target } }) => {
  const since = fetching.get(xhr) ?? [];
  fetching.delete(xhr);
  const fetched = target.isConnected ? target : document.getElementById(target.id);
  for (const part of since) {
    const { id, dataset } = part;
    const there = document.getElementById(dataset.remove ?? id) ?? (dataset.into && document.querySelector(dataset.into));
    if (there && fetched?.contains(there)) put(part);
  }
});

// What asked, or what the answer goes into, may have been drawn again since. The answer goes where that stands now, unless that fetches
// for itself; what else the answer has (hx-swap-oob) is looked for on the page, and not below what asked.
const findAgain = ({ detail }) => {
  const { requestConfig: { elt }, target, shouldSwap } = detail;
  if (!shouldSwap || (target.isConnected && elt.isConnected)) return;
  if (!target.isConnected && !target.matches(".on-card")) detail.target = document.getElementById(target.id) ?? target;
  elt.getRootNode = () => {
    delete elt.getRootNode; // htmx asks it for that first, and then whether it is on the page
    return document;
  };
};

// What goes may leave words behind, which its page may show for as long as it likes.
const remove = (gone, { content }) => {
  if (isNews()) gone.dispatchEvent(new CustomEvent("afterburn:removed", { bubbles: true, detail: content }));
  gone.remove();
};

const place = (part) => {
  const there = document.getElementById(part.id);
  const into = part.dataset.into ? document.querySelector(part.dataset.into) : null;
  if (!there && !into) return;
  steadily(there ?? into, () => {
    const focused = document.activeElement;
    if (there) {
      keepOwn(there, part);
      keepOpen(there, part);
      there.replaceWith(part);
    } else into.insertBefore(part, follower(into, part));
    htmx.process(part);
    settle(part, { fromSocket: true });
    // What was moved into the new part lost the focus by that, although nobody left it.
    if (focused && part.contains(focused)) focused.focus({ preventScroll: true });
  });
  if (isNews()) for (const one of there ? newLines(there, part) : [part]) arrive(one);
  part.dispatchEvent(new CustomEvent("afterburn:placed", { bubbles: true }));
};

// What readers fetched into a card for themselves stays until the card has fetched it anew.
const keepOwn = (old, part) => {
  for (const slot of part.querySelectorAll("[data-own]")) {
    const before = [...old.querySelectorAll("[data-own]")].find(({ id }) => id === slot.id);
    if (before) slot.replaceChildren(...before.childNodes);
  }
};

// What was unfolded on a card of the feed stays so.
const keepOpen = (old, part) => {
  for (const fold of old.querySelectorAll("details[id][open]")) part.querySelector(`[id="${fold.id}"]`)?.setAttribute("open", "");
  for (const roll of old.querySelectorAll(".line[id] > [data-open]")) {
    part.querySelector(`[id="${roll.parentElement.id}"] > .roll`)?.setAttribute("data-open", "");
  }
};
const newLines = (old, part) => [...part.querySelectorAll(".line[id]")].filter(({ id }) => !old.querySelector(`[id="${id}"]`));

// What is new here and now may move and sound; what is past never does (dice.css, sound.js).
const isNews = () =>
  !document.documentElement.hasAttribute("data-catching-up") && !document.querySelector("#player:not([data-playing])");
const arrive = (part) => {
  part.classList.add("arrives");
  part.dispatchEvent(new CustomEvent("afterburn:arrived", { bubbles: true }));
  // Asked for with the next frame: at once, it would have the browser work out all styles for each part that comes.
  requestAnimationFrame(() => {
    const moving = part.getAnimations({ subtree: true }).map((motion) => motion.finished);
    Promise.allSettled(moving).then(() => part.classList.remove("arrives"));
  });
};

const follower = (container, part) => {
  if (part.dataset.order === undefined) return null;
  const order = Number(part.dataset.order);
  return [...container.children].find((child) => Number(child.dataset.order) > order) ?? null;
};

// While old events arrive nothing moves, sounds or is read aloud.
export const quietly = (yes) => document.documentElement.toggleAttribute("data-catching-up", yes);
