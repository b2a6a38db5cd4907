// The faces of characters beside their names in lines, and in slots of cards. Those whoever sits here may see the page has once (#faces),
// where the socket keeps them.

const faces = document.getElementById("faces");
const BESIDE = ".roll-asked, .said"; // what begins with a name

const faceOf = (character) => {
  /** @type {any} */
  const face = faces.querySelector(`[data-of="${CSS.escape(character)}"]`)?.cloneNode(true);
  if (!face) return null;
  face.className = "face-of";
  for (const one of [face, ...face.children]) one.removeAttribute("id");
  return face;
};

const draw = (line) => {
  const place = line.querySelector(BESIDE);
  const face = place && faceOf(line.dataset.of);
  line.querySelector(".face-of")?.remove();
  if (face) place.prepend(face);
};
export const fill = (slot) => {
  const face = faceOf(slot.dataset.face);
  if (face) slot.replaceChildren(face);
};
const drawIn = (part) => {
  part.querySelectorAll(".line[data-of]").forEach(draw);
  part.querySelectorAll("[data-face]:empty").forEach(fill);
};
drawIn(document);
document.addEventListener("htmx:afterSwap", ({ target }) => drawIn(target)); // forms that are fetched
const feed = document.getElementById("feed");
const observer = new MutationObserver((changes) => {
  /** @type {any[]} */
  const lines = changes.flatMap((change) => [...change.addedNodes]);
  for (const line of lines) {
    if (line.dataset?.of) draw(line);
    if (line.matches?.(".story-card")) drawIn(line);
  }
});
if (feed) observer.observe(feed, { childList: true });

document.addEventListener("afterburn:placed", ({ target }) => {
  if (target.matches(".scene-band")) drawIn(target);
  const character = target.closest("#faces > *")?.dataset.of;
  if (!character) return;
  document.querySelectorAll(`.line[data-of="${character}"]`).forEach(draw);
  document.querySelectorAll(`[data-face="${character}"]`).forEach(fill);
});
