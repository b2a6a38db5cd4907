// A picture for the table: chosen by the button, pasted into the words, or dropped on the page. It goes with the next line.

const say = document.getElementById("say");
const input = say.elements.namedItem("picture");
const alt = say.elements.namedItem("alt");
const row = document.getElementById("say-chosen");
const name = row.querySelector("[data-name]");
const middle = document.querySelector(".middle");
const TYPES = input.accept.split(",");

const show = () => {
  const [file] = input.files;
  row.hidden = !file;
  name.textContent = file ? `${file.name || "A picture"}, ${Math.max(1, Math.round(file.size / 1000))} kB` : "";
  if (!file) alt.value = "";
};

const clear = () => {
  input.value = "";
  show();
};

const take = (files) => {
  const file = [...files].find(({ type }) => TYPES.includes(type));
  if (!file) return false;
  const one = new DataTransfer();
  one.items.add(file);
  input.files = one.files;
  show();
  document.getElementById("mode-say")?.click();
  alt.focus();
  return true;
};

input.addEventListener("change", show);
row.querySelector("button").addEventListener("click", () => {
  clear();
  say.elements.namedItem("text").focus();
});
say.addEventListener("paste", (event) => take(event.clipboardData?.files ?? []) && event.preventDefault());

const brings = ({ dataTransfer }) => [...(dataTransfer?.types ?? [])].includes("Files");
const mark = (yes) => middle.classList.toggle("is-dropping", yes);
middle.addEventListener("dragover", (event) => {
  if (!brings(event)) return;
  event.preventDefault();
  mark(true);
});
middle.addEventListener("dragleave", ({ relatedTarget }) => middle.contains(relatedTarget) || mark(false));
middle.addEventListener("drop", (event) => {
  if (!brings(event)) return;
  event.preventDefault();
  mark(false);
  take(event.dataTransfer?.files ?? []);
});

// What was chosen meanwhile stays for the next line.
let sent = null;
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.elt === say) [sent] = input.files;
});
document.addEventListener("afterburn:done", ({ detail }) => detail.form === say && sent === input.files[0] && clear());
// A line that is answered by keys: Enter sends what stands here, too.
alt.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  say.requestSubmit();
});
show();
