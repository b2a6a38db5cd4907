// A picture that is shown to all opens over the page, and is closed by each. Who closes it has seen it, and says so. What was shown
// lately and has not been closed, here or on another device, opens again when a page is loaded.
import { whenClosed } from "./closed.js";
import { settle } from "./page.js";

const LATELY = 60 * 60 * 1000; // ms
const KEPT = 50;
const dialog = document.getElementById("on-show-dialog");
const place = document.getElementById("on-show");
const closed = () => JSON.parse(localStorage.getItem("showings-closed") || "[]");
const isSeen = ({ dataset: { showing } }) => closed().includes(showing) || (place.dataset.seen ?? "").split(" ").includes(showing);
const waits = (figure) => !isSeen(figure) && Date.now() - Date.parse(figure.dataset.at) < LATELY;

const look = () => {
  for (const figure of [...place.children]) if (!waits(figure)) figure.remove();
  const newest = place.lastElementChild;
  for (const figure of place.children) figure.hidden = figure !== newest;
  if (newest && !dialog.open) dialog.showModal();
  else if (!newest && dialog.open) dialog.close();
};

// Who only looks on has nothing to say.
const speaks = () => document.documentElement.dataset.me && !document.querySelector(".see-as");

const close = () => {
  const figures = [...place.children];
  const now = [...closed(), ...figures.map((figure) => figure.dataset.showing)].slice(-KEPT);
  localStorage.setItem("showings-closed", JSON.stringify(now));
  // Its form has to be on the page until it is answered.
  for (const figure of figures) {
    if (speaks()) figure.querySelector("form").requestSubmit();
    else figure.remove();
  }
};
document.addEventListener("htmx:afterRequest", ({ detail }) => detail.elt.closest?.(".showing")?.remove());

whenClosed(dialog, close);
dialog.addEventListener("click", ({ target }) => target.matches("img, dialog, .showing, #on-show") && dialog.close());
document.addEventListener("afterburn:placed", ({ target }) => target.matches(".showing") && look());
// In another tab of this browser.
window.addEventListener("storage", ({ key }) => key === "showings-closed" && look());

const again = [...document.querySelectorAll("#feed .showing-again")].at(-1);
if (again) {
  place.append(again.content.cloneNode(true));
  for (const figure of place.children) {
    htmx.process(figure);
    settle(figure, { fromSocket: true });
  }
  look();
}
