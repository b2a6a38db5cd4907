// A new scene is announced to everyone: its number and title stand before the table for two seconds. Who listens hears its line (announce.js).

const LONG = 2000; // ms, as in feed.css

const part = (name, words) => Object.assign(document.createElement("p"), { className: name, textContent: words });

document.addEventListener("afterburn:arrived", ({ target }) => {
  const line = target.querySelector("[data-scene]");
  if (!line) return;
  document.querySelector(".scene-card")?.remove();
  const card = Object.assign(document.createElement("div"), { className: "scene-card", ariaHidden: "true" });
  const { scene, title } = line.dataset;
  const number = interpolate(gettext("Scene %(number)s"), { number: scene ?? "" }, true);
  card.append(part("scene-card-number", number), part("scene-card-title", title || number));
  if (!title) card.firstElementChild?.remove();
  const picture = target.querySelector(".scene-picture");
  if (picture) card.prepend(Object.assign(new Image(), { className: "scene-card-picture", src: picture.src, alt: "" }));
  document.body.append(card);
  setTimeout(() => card.remove(), LONG);
});
