// One search over the campaign, in a dialog on each of its pages: Ctrl K, the button in the head, or /search in the composer. The focus
// stays in the field; arrow keys choose from what the server has found, Enter opens it, Tab goes to the next kind of things.

const dialog = document.getElementById("search-dialog");
const words = document.getElementById("search-words");
const found = document.getElementById("search-found");
const say = document.getElementById("say-text");
const options = () => [...found.querySelectorAll("[role=option]")];
let at = 0;

const ask = () => words.dispatchEvent(new Event("input", { bubbles: true }));
const open = () => {
  if (!dialog.open) dialog.showModal();
  words.select();
  ask();
};
const mark = () => {
  const all = options();
  all.forEach((option, number) => option.setAttribute("aria-selected", String(number === at)));
  if (!all.length) return words.removeAttribute("aria-activedescendant");
  words.setAttribute("aria-activedescendant", all[at].id);
  all[at].scrollIntoView({ block: "nearest" });
};
const move = (by) => {
  const many = options().length;
  if (!many) return;
  at = (at + by + many) % many;
  mark();
};
const turn = (by) => {
  const kinds = [...found.querySelectorAll(".found-kinds a")];
  const now = kinds.findIndex((kind) => kind.hasAttribute("aria-current"));
  kinds[(now + by + kinds.length) % kinds.length]?.click();
  return kinds.length > 0;
};
const compose = (line) => {
  say.value = line;
  say.focus();
  say.dispatchEvent(new Event("input", { bubbles: true })); // which offers the names that come next
};

if (dialog) {
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  document.getElementById("search-button").addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener("afterburn:search", ({ detail }) => {
    words.value = detail.words;
    open();
  });
  words.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Escape") dialog.close(); // some browsers would only empty the field
    else if (event.key === "Enter" && options().length) options()[at].click();
    else if (event.key !== "Tab" || !turn(event.shiftKey ? -1 : 1)) return;
    event.preventDefault();
  });
  found.addEventListener("htmx:afterSwap", () => {
    at = 0;
    mark();
  });
  // The focus stays where one types.
  found.addEventListener("pointerdown", (event) => event.target.closest(".found-kinds") && event.preventDefault());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) return dialog.close();
    const hit = event.target.closest(".hit");
    if (!hit || event.ctrlKey || event.metaKey || event.shiftKey) return;
    dialog.close();
    if (!hit.dataset.command || !say) return;
    event.preventDefault();
    compose(hit.dataset.command);
  });
}

// A command that was chosen on another page.
const chosen = new URLSearchParams(location.hash.slice(1)).get("say");
if (say && chosen) {
  history.replaceState(history.state, "", location.pathname + location.search);
  const { commands } = JSON.parse(document.getElementById("say-commands").dataset.completions);
  if (commands.some(([command]) => command === chosen)) compose(`${chosen} `);
}
