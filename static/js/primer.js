// Three marks, one after the other, each beside what it is about. The server puts them into the first table that somebody opens
// (rolls/views/table.py). Escape, Skip or a press beside them ends it.
const primer = document.getElementById("primer");
const marks = [...(primer?.querySelectorAll(".mark") ?? [])];
const next = primer?.querySelector("[data-next]");
const GAP = 12; // px
let at = 0;

const within = (value, least, most) => Math.max(least, Math.min(value, most));

// On a narrow page the sides lie beyond its edge until the button under the thumb opens them: then it is what the mark is about.
const partOf = (id) => {
  const part = document.getElementById(id);
  const box = part.getBoundingClientRect();
  return box.right > 0 && box.left < innerWidth ? part : document.querySelector(`.thumb [data-opens="${id}"]`);
};

// Above what is low or wide, else beside it where there is room. The tip points to its middle.
const place = (part) => {
  const box = part.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = primer;
  const middle = box.left + box.width / 2;
  let [side, left, top] = ["left", box.left - width - GAP, box.top + (box.height - height) / 2];
  if (box.width > innerWidth / 3 || box.height < height) [side, left, top] = ["above", middle - width / 2, box.top - height - GAP];
  else if (box.right + GAP + width <= innerWidth) [side, left] = ["right", box.right + GAP];
  left = within(left, GAP, innerWidth - width - GAP);
  primer.dataset.side = side;
  primer.style.left = `${left}px`;
  primer.style.top = `${within(top, GAP, innerHeight - height - GAP)}px`;
  primer.style.setProperty("--tip", side === "above" ? `${within(middle - left, 2 * GAP, width - 2 * GAP)}px` : "");
};

const unmark = () => document.querySelector(".is-marked")?.classList.remove("is-marked");

const show = () => {
  marks.forEach((mark, index) => { mark.hidden = index !== at; });
  primer.querySelector("[data-count]").textContent = interpolate(gettext("%(number)s of %(count)s"), { number: at + 1, count: marks.length }, true);
  if (at === marks.length - 1) {
    next.textContent = gettext("Start playing");
    next.nextElementSibling.hidden = true;
  }
  const part = partOf(marks[at].dataset.beside);
  unmark();
  part.classList.add("is-marked");
  place(part);
};

const goOn = () => {
  at += 1;
  if (at === marks.length) return primer.hidePopover();
  show();
};

if (primer) {
  next.addEventListener("click", goOn);
  primer.addEventListener("toggle", ({ newState }) => {
    if (newState === "closed") unmark();
  });
  addEventListener("resize", () => primer.matches(":popover-open") && show());
  primer.showPopover();
  show();
}
