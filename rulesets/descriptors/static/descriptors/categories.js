// Descriptors stand by category, the usual ones first. A row moves when its category changes, but never from under a hand.

const list = document.querySelector(".sheet-list.is-descriptors .sheet-rows");
const USUAL = ["Abilities", "Relationships", "Connections", "Values", "Equipment"];
const OTHER = gettext("No category");

const categoryOf = (row) => row.querySelector('.cell[data-field$="/category"]')?.dataset.value || OTHER;
const rank = (category) => {
  if (category === OTHER) return USUAL.length + 1;
  return USUAL.includes(category) ? USUAL.indexOf(category) : USUAL.length;
};

const headingOf = (category) => {
  const found = [...list.querySelectorAll(".category")].find((heading) => heading.dataset.category === category);
  if (found) return found;
  const heading = document.createElement("li");
  heading.className = "category";
  heading.dataset.category = category;
  heading.append(Object.assign(document.createElement("h3"), { textContent: category }));
  return heading;
};

const arranged = () => {
  const rows = [...list.querySelectorAll(".sheet-row")].sort((one, other) => Number(one.dataset.order) - Number(other.dataset.order));
  const categories = [...new Set(rows.map(categoryOf))].sort((one, other) => rank(one) - rank(other) || one.localeCompare(other));
  return categories.flatMap((category) => [headingOf(category), ...rows.filter((row) => categoryOf(row) === category)]);
};

const arrange = () => {
  if (list.contains(document.activeElement)) return;
  const wanted = arranged();
  for (const heading of list.querySelectorAll(".category")) if (!wanted.includes(heading)) heading.remove();
  wanted.forEach((part, place) => {
    if (list.children[place] !== part) list.insertBefore(part, list.children[place] ?? null);
  });
};

// Rows also leave: their headings go with the last of them.
new MutationObserver(() => arrange()).observe(list, { childList: true });
document.addEventListener("afterburn:placed", (event) => list.contains(event.target) && arrange());
list.addEventListener("focusout", () => setTimeout(arrange));
arrange();
