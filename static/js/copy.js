// Buttons that copy the text of an input ([data-copies="<id>"]); what was made by a press that says so is copied with it ([data-at-once]).
const copied = async (input) => {
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    return document.execCommand("copy"); // without HTTPS there is no clipboard but this
  }
};
const copy = async (button) => {
  if (!(await copied(document.getElementById(button.dataset.copies)))) return;
  button.textContent = gettext("Copied");
  document.getElementById("announcer").textContent = gettext("Link copied.");
};
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-copies]");
  if (button) copy(button);
});
document.addEventListener("htmx:load", ({ target }) => {
  const button = target.querySelector("[data-copies][data-at-once]");
  if (button) copy(button);
});
