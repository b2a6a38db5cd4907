// Buttons that copy the text of an input ([data-copies="<id>"]).
const copied = async (input) => {
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
  } catch {
    document.execCommand("copy"); // without HTTPS there is no clipboard but this
  }
};
document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copies]");
  if (!button) return;
  await copied(document.getElementById(button.dataset.copies));
  button.textContent = "Copied";
  document.getElementById("announcer").textContent = "Link copied.";
});
