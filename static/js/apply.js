// Puts what the server has drawn where it belongs on the page, whether the socket brings it (live.js) or a replay (replay.js).
import { settle } from "./page.js";

const feed = document.getElementById("feed");
const frame = feed?.closest(".feed-frame"); // only the table has a feed

// Each element replaces the one with its id or, if there is none, goes into the container it names. Doing it twice is
// doing it once. What is marked data-odds says that odds may be others now (rolls/_roll_form.html), whether it is shown here or not;
// data-party, that somebody else is played, or is known by more or by less (characters/_party.html); data-closing, that other things
// end with the scene than did before (campaigns/_closing.html); data-panels, that panels which go by rows of sheets, claims or the scene
// may show something else.
const NEWS = ["odds", "party", "closing", "panels"];
export const apply = (html) => {
  const parcel = document.createElement("template");
  parcel.innerHTML = html;
  for (const part of [...parcel.content.children]) {
    const gone = part.dataset.remove && document.getElementById(part.dataset.remove);
    if (gone) steadily(gone, () => gone.remove());
    else if (part.dataset.removeUntil) document.querySelectorAll(`[data-until="${part.dataset.removeUntil}"]`).forEach((old) => old.remove());
    else if (!part.dataset.remove) place(part);
  }
  for (const news of NEWS) {
    if (parcel.content.querySelector(`[data-${news}]`)) document.dispatchEvent(new CustomEvent(`afterburn:${news}`));
  }
};

// The frame is a reversed column: 0 is its end, where it stays by itself. Higher up, what one reads must not move, whatever comes,
// goes or grows below it; what lies above it moves nothing.
const steadily = (where, change) => {
  const reads = frame && !frame.hidden && feed.contains(where) && frame.scrollTop < -80;
  const below = reads && (where === feed || where.getBoundingClientRect().bottom > frame.getBoundingClientRect().top);
  const height = below ? frame.scrollHeight : 0;
  change();
  if (below) frame.scrollTop -= frame.scrollHeight - height;
};

const place = (part) => {
  const there = document.getElementById(part.id);
  const into = part.dataset.into ? document.querySelector(part.dataset.into) : null;
  if (!there && !into) return;
  steadily(there ?? into, () => {
    if (there) replace(there, part);
    else into.insertBefore(part, follower(into, part));
    htmx.process(part);
    settle(part, { fromSocket: true });
  });
  part.dispatchEvent(new CustomEvent("afterburn:placed", { bubbles: true }));
};

// What was refused because of what is drawn now stays said, once: its answer may be quicker than the socket.
const replace = (there, part) => {
  for (const slot of there.querySelectorAll(".errors[id]:not([data-kept], :empty)")) {
    const now = part.querySelector(`#${CSS.escape(slot.id)}`);
    if (!now) continue;
    now.append(...slot.childNodes);
    now.dataset.kept = "";
  }
  there.replaceWith(part);
};

const follower = (container, part) => {
  if (part.dataset.order === undefined) return null;
  const order = Number(part.dataset.order);
  return [...container.children].find((child) => Number(child.dataset.order) > order) ?? null;
};

// While old events arrive nothing moves, sounds or is read aloud.
export const quietly = (yes) => document.documentElement.toggleAttribute("data-catching-up", yes);
