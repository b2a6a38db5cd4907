// The overlay of a stream (rolls/overlay.html): of what happens only the last roll stands there, as large and for as long as its address
// says (overlay.css). That nothing else stays is what keeps an evening's page small.

const root = document.documentElement;
const feed = document.getElementById("feed");

root.style.fontSize = `${100 * Number(root.dataset.size)}%`;
root.style.setProperty("--stay", `${root.dataset.stay}s`);

feed?.addEventListener("animationend", ({ animationName }) => animationName === "leaves" && feed.replaceChildren());

document.addEventListener("afterburn:placed", ({ target }) => {
  if (target.parentElement !== feed) return;
  if (target.querySelector(".roll")) feed.replaceChildren(target);
  else target.remove();
});
