// One field for a password, which can be shown while it is typed.
for (const input of document.querySelectorAll("input[type=password]")) {
  const show = document.createElement("button");
  Object.assign(show, { type: "button", className: "bare", textContent: pgettext("a password", "Show") });
  show.setAttribute("aria-pressed", "false");
  show.setAttribute("aria-controls", input.id);
  show.setAttribute("aria-label", gettext("Show password"));
  show.addEventListener("click", () => {
    const hidden = input.type === "password";
    input.type = hidden ? "text" : "password";
    show.textContent = hidden ? pgettext("a password", "Hide") : pgettext("a password", "Show");
    show.setAttribute("aria-pressed", hidden);
  });
  const line = document.createElement("div");
  line.className = "input-line";
  input.replaceWith(line);
  line.append(input, show);
}
