// A page of what is known: its names are marked where the log has them, and those who have it open see who writes on it.
import * as live from "./live.js";
import { patternOf, wrap } from "./names.js";

const lines = document.querySelector(".world-lines");
const pattern = lines && patternOf((lines.dataset.names ?? "").split("|"));
if (pattern) wrap(lines, pattern, (name) => Object.assign(document.createElement("mark"), { textContent: name }));

// Where one writes is told to those who may see that place.
const form = document.getElementById("page-form");
form?.addEventListener("focusin", ({ target }) => live.stand(target.dataset.token ? { token: target.dataset.token, field: target.name } : null));
form?.addEventListener("focusout", () => live.stand(null));

let writing = "";
const show = () => {
  const place = document.getElementById("page-writes");
  if (place) place.textContent = writing;
};
document.addEventListener("afterburn:places", ({ detail }) => {
  const { me } = document.documentElement.dataset;
  const subject = document.querySelector(".page [data-subject]")?.getAttribute("data-subject");
  const others = detail.filter((place) => place.subject === subject && String(place.member) !== me);
  const names = [...new Set(others.map(({ name }) => name))];
  writing = names.map((name) => interpolate(gettext("%(name)s is editing"), { name }, true)).join(", ");
  show();
});
document.addEventListener("htmx:afterSwap", show);
