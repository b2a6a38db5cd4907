// While a GM ends a session, its table reads along as they type its name (campaigns/live/drafts.py).
const desk = document.getElementById("desk");
let token = null; // of what is typed here
const write = (text) => document.dispatchEvent(new CustomEvent("afterburn:draft", { detail: { token, field: "title", text } }));

document.addEventListener("input", ({ target }) => {
  if (target.id !== "session-name") return;
  token = target.dataset.draft;
  write(target.value);
});
const left = () => {
  if (!token || desk.querySelector("#session-name")) return;
  write("");
  token = null;
};
if (desk) new MutationObserver(left).observe(desk, { childList: true });

// It stands with what else is told of the end, and goes with that.
document.addEventListener("afterburn:drafted", ({ detail: { subject, text } }) => {
  if (!subject.startsWith("session:")) return;
  document.getElementById("session-named")?.remove();
  if (!text) return;
  const named = Object.assign(document.createElement("p"), { id: "session-named", className: "closing-name", textContent: text });
  document.getElementById("closing").append(named);
});
