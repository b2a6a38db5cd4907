// Keeps the last number and hash of each stream that this browser has seen, and warns when the server's log says otherwise.
// Where a backup was restored, what was written after it is gone: that is said plainly. Only what it held must still be there.
"use strict";

(() => {
  const { chain, campaign } = document.body.dataset;
  const bar = document.getElementById("chain-alarm");
  if (!chain || !bar) return;
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
    bar.classList.toggle("is-told", about === "restored");
    bar.hidden = false;
  };
  const alarm = (stream, seq) => show("changed", `Entry ${seq} of “${stream}” is another one now, or is gone.`);
  const tell = (seq, upto) => show("restored", `This browser had seen entry ${seq}; of those, the backup held ${upto}.`);

  // The restoration, after this head was kept, that did not reach up to it; nothing if there is none.
  const cutOff = (head, restored = []) => {
    const known = restored.findIndex(({ mark }) => mark === head.since);
    return restored.slice(known + 1).find(({ seq }) => seq < head.seq);
  };

  let since; // the newest restoration

  // Other tabs keep too: what is further on stays. After an alarm nothing is kept, so that it stands until somebody goes on.
  const seen = (stream, seq, hash) => {
    const heads = kept();
    const head = heads[stream];
    if (alarmed) return;
    if (head && head.seq === seq && head.hash !== hash) return alarm(stream, seq);
    if (head && head.seq >= seq) return;
    keep({ ...heads, [stream]: { seq, hash, since } });
  };

  const ask = async () => {
    const before = kept();
    const query = new URLSearchParams(Object.entries(before).map(([stream, head]) => [stream, head.seq]));
    const answer = await fetch(`${chain}?${query}`, { cache: "no-store" });
    return answer.ok ? [before, await answer.json()] : [before, {}];
  };

  const compare = async () => {
    const [before, now] = await ask();
    for (const [stream, state] of Object.entries(now)) {
      const head = before[stream];
      since = state.restored?.at(-1).mark;
      if (!head || state.kept === head.hash) continue;
      const cut = cutOff(head, state.restored);
      if (cut) tell(head.seq, cut.seq);
      else alarm(stream, head.seq);
    }
    for (const [stream, { seq, hash }] of Object.entries(now)) if (hash) seen(stream, seq, hash);
  };

  bar.querySelector("button").addEventListener("click", async () => {
    const [, now] = await ask();
    const there = Object.entries(now).filter(([, { hash }]) => hash);
    keep(Object.fromEntries(there.map(([stream, { seq, hash }]) => [stream, { seq, hash, since }])));
    alarmed = false;
    bar.hidden = true;
    // What is on the page may be from before the backup.
    if (bar.classList.contains("is-told")) location.reload();
  });
  document.addEventListener("afterburn:recorded", ({ detail }) => seen(detail.stream, detail.seq, detail.hash));
  document.addEventListener("afterburn:shorter", () => compare().catch(() => {}));
  // Without the server there is nothing to compare; the page says by itself that it is not connected.
  compare().catch(() => {});
})();
