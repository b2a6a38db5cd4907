// Whether lines beside the story are shown, too (feed.css): as this browser was told last.
const KEPT = "everything";
const box = document.getElementById("everything");

try {
  box.checked = localStorage.getItem(KEPT) === "yes";
  box.addEventListener("change", () => localStorage.setItem(KEPT, box.checked ? "yes" : "no"));
} catch {
  // A browser that keeps nothing shows the story.
}
