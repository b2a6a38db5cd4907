// Three marks, one after the other, each beside what it is about. The server puts them into the first table that somebody opens
// (rolls/views/table.py). Escape, Skip or a press beside them ends it.
const primer = document.getElementById("primer");
const marks = [...(primer?.querySelectorAll(".mark") ?? [])];
const next = primer?.querySelector("[data-next]");
const GAP = 12; // px
let at = 0;

const within = (value, least, most) => Math.max(least, Math.min(value, most));

// Beside its part where there is room, else over it; where the part is not to be seen (a narrow page), in the middle.
const place = (part) => {
  const box = part?.checkVisibility() ? part.getBoundingClientRect() : null;
  const { offsetWidth: width, offsetHeight: height } = primer;
  let [left, top] = [(innerWidth - width) / 2, (innerHeight - height) / 2];
  if (box?.width && box.right > 0 && box.left < innerWidth) {
    const middle = box.width > innerWidth / 3;
    if (middle) [left, top] = [box.left + (box.width - width) / 2, box.top - height - GAP];
    else if (box.right + GAP + width <= innerWidth) [left, top] = [box.right + GAP, box.top + 6 * GAP];
    else [left, top] = [box.left - width - GAP, box.top + 6 * GAP];
  }
  primer.style.left = `${within(left, GAP, innerWidth - width - GAP)}px`;
  primer.style.top = `${within(top, GAP, innerHeight - height - GAP)}px`;
};

const show = () => {
  marks.forEach((mark, index) => { mark.hidden = index !== at; });
  primer.querySelector("[data-count]").textContent = interpolate(gettext("%(number)s of %(count)s"), { number: at + 1, count: marks.length }, true);
  if (at === marks.length - 1) {
    next.textContent = gettext("Start playing");
    next.nextElementSibling.hidden = true;
  }
  for (const { dataset } of marks) document.getElementById(dataset.beside)?.classList.remove("is-marked");
  const part = document.getElementById(marks[at].dataset.beside);
  part?.classList.add("is-marked");
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
    if (newState === "closed") document.querySelector(".is-marked")?.classList.remove("is-marked");
  });
  addEventListener("resize", () => primer.matches(":popover-open") && show());
  primer.showPopover();
  show();
}
