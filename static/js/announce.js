// Screen readers hear of a new line in one sentence: its own (.sentence), else its text. What is only caught up with stays silent.
(() => {
  const feed = document.getElementById("feed");
  const announcer = document.getElementById("announcer");
  if (!feed || !announcer) return;
  new MutationObserver((changes) => {
    if (document.documentElement.hasAttribute("data-catching-up")) return;
    const added = new Set(changes.flatMap((change) => [...change.addedNodes]));
    const said = [];
    // Only what came at the end is news; older lines are loaded at the top.
    for (let line = feed.lastElementChild; line && added.has(line); line = line.previousElementSibling) {
      said.unshift((line.querySelector(".sentence") || line).textContent.replace(/\s+/g, " ").trim());
    }
    if (said.length) announcer.textContent = said.join(" ");
  }).observe(feed, { childList: true });
})();
