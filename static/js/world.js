// A page of what is known: its names are marked where the log has them, and other pages' names open their cards.
import { patternOf, wrap } from "./names.js";

const lines = document.querySelector(".world-lines");
const pattern = lines && patternOf((lines.dataset.names ?? "").split("|"));
if (pattern) wrap(lines, pattern, (name) => Object.assign(document.createElement("mark"), { textContent: name }));
