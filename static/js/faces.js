// The portraits of characters beside their names in lines. Which there are for whoever sits here, the page has once (#faces).

const faces = document.getElementById("faces").content;
const BESIDE = ".roll-asked, .said, .noted"; // what begins with a name

const pictureOf = (character) => faces.querySelector(`[data-of="${CSS.escape(character)}"]`);

const draw = (line) => {
  const place = line.querySelector(BESIDE);
  const picture = pictureOf(line.dataset.of);
  line.querySelector(".face-of")?.remove();
  if (place && picture) place.prepend(picture.cloneNode());
};
const drawIn = (part) => {
  for (const line of part.querySelectorAll(".line[data-of]")) draw(line);
  for (const slot of part.querySelectorAll("[data-face]:empty")) {
    const picture = pictureOf(slot.dataset.face);
    if (picture) slot.append(picture.cloneNode());
  }
};
drawIn(document);
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

// One that is changed meanwhile is that of all lines to come.
document.addEventListener("afterburn:placed", ({ target }) => {
  if (target.matches(".scene-band")) drawIn(target);
  const character = target.matches(".portrait") && target.id.match(/^hand-(.+)-portrait$/)?.[1];
  if (!character) return;
  pictureOf(character)?.remove();
  const url = target.querySelector("img")?.getAttribute("src");
  if (!url) return;
  const picture = new Image();
  Object.assign(picture, { className: "face-of", src: url, alt: "" });
  picture.dataset.of = character;
  faces.append(picture);
});
