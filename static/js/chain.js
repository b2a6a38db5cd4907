// Keeps the last number and hash of each stream that this browser has seen, and warns when the server's log says otherwise.
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
  const alarm = (stream, seq) => {
    alarmed = true;
    bar.querySelector("[data-words]").textContent = `Entry ${seq} of “${stream}” is another one now, or is gone.`;
    bar.hidden = false;
  };

  // Other tabs keep too: what is further on stays. After an alarm nothing is kept, so that it stands until somebody goes on.
  const seen = (stream, seq, hash) => {
    const heads = kept();
    const head = heads[stream];
    if (head && head.seq === seq && head.hash !== hash) return alarm(stream, seq);
    if (alarmed || (head && head.seq >= seq)) return;
    keep({ ...heads, [stream]: { seq, hash } });
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
      if (before[stream] && state.kept !== before[stream].hash) alarm(stream, before[stream].seq);
    }
    for (const [stream, { seq, hash }] of Object.entries(now)) if (hash) seen(stream, seq, hash);
  };

  bar.querySelector("button").addEventListener("click", async () => {
    const [, now] = await ask();
    const there = Object.entries(now).filter(([, { hash }]) => hash);
    keep(Object.fromEntries(there.map(([stream, { seq, hash }]) => [stream, { seq, hash }])));
    alarmed = false;
    bar.hidden = true;
  });
  document.addEventListener("afterburn:recorded", ({ detail }) => seen(detail.stream, detail.seq, detail.hash));
  // Without the server there is nothing to compare; the page says by itself that it is not connected.
  compare().catch(() => {});
})();
