// While a GM ends a session, its table reads along as they type its name (campaigns/live/drafts.py).
document.addEventListener("input", ({ target }) => {
  if (target.id !== "session-name") return;
  const detail = { token: target.dataset.draft, field: "title", text: target.value };
  document.dispatchEvent(new CustomEvent("afterburn:draft", { detail }));
});
document.addEventListener("afterburn:drafted", ({ detail: { subject, text } }) => {
  const shown = subject.startsWith("session:") && document.getElementById("session-named");
  if (shown) shown.textContent = text;
});
