// Keeps the last number and hash of each stream that this browser has seen, and warns when the server's log says otherwise.
// Where a backup was restored, what was written after it is gone: that is said plainly. Only what it held must still be there.

const { chain, campaign } = document.body.dataset;
const bar = document.getElementById("chain-alarm");
const PLACE = `afterburn chain ${campaign}`;

// A browser that keeps nothing (private windows may refuse) has nothing to compare.
const kept = () => {
  try {
    return JSON.parse(localStorage.getItem(PLACE)) ?? {};
  } catch {
    return {};
  }
};
const keep = (heads) => {
  try {
    localStorage.setItem(PLACE, JSON.stringify(heads));
  } catch {
    // As above.
  }
};

let alarmed = false;
const show = (about, words) => {
  alarmed = true;
  for (const part of bar.querySelectorAll("[data-about]")) part.hidden = part.dataset.about !== about;
  bar.querySelector(`[data-about=${about}] [data-words]`).textContent = words;
  bar.classList.toggle("ember", about === "restored");
  bar.hidden = false;
};
const alarm = (stream, seq) => show("changed", interpolate(gettext("Entry %(number)s of “%(stream)s” has changed or is gone."), { number: seq, stream }, true));
const tell = (seq, upto) => show("restored", interpolate(gettext("This browser has seen entries up to %(number)s. The backup has them up to %(last)s."), { number: seq, last: upto }, true));

// The restoration, after this head was kept, that did not reach up to it; nothing if there is none.
const cutOff = (head, restored = []) => {
  const known = restored.findIndex(({ mark }) => mark === head.since);
  return restored.slice(known + 1).find(({ seq }) => seq < head.seq);
};

let since; // the newest restoration

// Whether what is kept is in the log that the server has. Before that is known, and after an alarm, nothing is kept, so that the
// alarm stands until somebody goes on.
let sure = false;

// Other tabs keep too: what is further on stays. Only what follows that is kept: all else is held against the server's log.
const seen = (stream, seq, prev, hash) => {
  const heads = kept();
  const head = heads[stream];
  if (alarmed || !sure) return;
  if (head && head.seq === seq && head.hash !== hash) return alarm(stream, seq);
  if (head && head.seq >= seq) return;
  if (head && (head.seq < seq - 1 || head.hash !== prev)) return compare().catch(() => {});
  keep({ ...heads, [stream]: { seq, hash, since } });
};

const ask = async () => {
  const before = kept();
  const query = new URLSearchParams(Object.entries(before).map(([stream, head]) => [stream, head.seq]));
  const answer = await fetch(`${chain}?${query}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`${answer.status} for the heads of the log`);
  return [before, await answer.json()];
};

// What is kept, and where the server's log stands in streams in which that is further on.
const further = (heads, now) => {
  const there = Object.entries(now).filter(([stream, { seq, hash }]) => hash && seq > (heads[stream]?.seq ?? 0));
  return { ...heads, ...Object.fromEntries(there.map(([stream, { seq, hash }]) => [stream, { seq, hash, since }])) };
};

const compare = async () => {
  sure = false;
  const [before, now] = await ask();
  for (const [stream, state] of Object.entries(now)) {
    const head = before[stream];
    since = state.restored?.at(-1).mark;
    if (!head || state.kept === head.hash) continue;
    const cut = cutOff(head, state.restored);
    if (cut) tell(head.seq, cut.seq);
    else alarm(stream, head.seq);
  }
  if (!alarmed) keep(further(kept(), now));
  sure = true;
};

bar.querySelector("button").addEventListener("click", async () => {
  const [, now] = await ask();
  keep(further({}, now));
  alarmed = false;
  bar.hidden = true;
  // What is on the page may be from before the backup.
  if (bar.classList.contains("ember")) location.reload();
});
document.addEventListener("afterburn:recorded", ({ detail }) => seen(detail.stream, detail.seq, detail.prev, detail.hash));
document.addEventListener("afterburn:shorter", () => compare().catch(() => {}));
// Without the server there is nothing to compare; the page says by itself that it is not connected.
compare().catch(() => {});
