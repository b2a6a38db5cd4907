// What was refused, or could not be sent, stays said to whoever pressed, until they dismiss it or the same form is done. On a page that
// the socket draws, forms may be drawn anew or taken away at any moment: what became of them is said in #refusals, beside all that. What
// was opened to write in stays as it is, and says it in its own slot (#<id of the form>-errors), as forms of all other pages do; so does
// a line’s Undo, since why it was refused is true only until that is drawn elsewhere.
const STAYS = ".composer, .desk, dialog, [popover], .line-undo";
const live = document.querySelector("[data-live]");
const list = document.getElementById("refusals");
const notice = document.getElementById("notice");

// Of a form, or of what sends it on since it is gone (again.js).
const formOf = (asker) => asker.closest("form")?.id || asker.dataset.of;
const saysItself = (asker) => asker.isConnected && (!live || asker.closest(STAYS));
const entryOf = (id) => list.querySelector(`[data-of="${CSS.escape(id)}"]`);

const slotOf = (asker) => {
  const id = formOf(asker);
  if (!id) return notice;
  return saysItself(asker) ? document.getElementById(`${id}-errors`) ?? notice : entryOf(id)?.querySelector(".errors");
};

const makeEntry = (id) => {
  const entry = document.createElement("div");
  const words = document.createElement("div");
  const dismiss = document.createElement("button");
  entry.className = "refusal";
  entry.dataset.of = id;
  words.className = "errors";
  Object.assign(dismiss, { type: "button", className: "bare", textContent: gettext("Dismiss") });
  dismiss.addEventListener("click", () => {
    entry.remove();
    document.getElementById(id)?.querySelector("button:not([hidden])")?.focus();
  });
  entry.append(words, dismiss);
  return entry;
};

// Into the page as a whole, so that it is read aloud as a whole; anew each time, as what was refused again.
const enter = (id, fill) => {
  const entry = makeEntry(id);
  fill(entry.querySelector(".errors"));
  entryOf(id)?.remove();
  list.append(entry);
  htmx.process(entry);
};

export const tell = (asker, words) => {
  const slot = slotOf(asker);
  if (!slot) enter(formOf(asker), (empty) => { empty.textContent = words; });
  else if (slot.textContent !== words) slot.textContent = words;
};
export const untell = (asker, words) => {
  const slot = slotOf(asker);
  if (slot?.textContent !== words) return;
  slot.replaceChildren();
  slot.closest(".refusal")?.remove();
};

// Errors name their fields; the fields then point at them.
export const point = (slot, form) => {
  slot.querySelectorAll("[data-field]").forEach((error, number) => {
    const input = form?.elements.namedItem(error.dataset.field);
    if (!(input instanceof HTMLElement)) return;
    error.id ||= `${form.id}-error-${number}`;
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", error.id);
  });
};

const answered = (event) => {
  const { currentTarget: asker, target, detail: { xhr } } = event;
  const id = formOf(asker);
  if (target !== asker || !id) return;
  if (xhr.status < 400) entryOf(id)?.remove();
  else if (xhr.getResponseHeader("HX-Retarget") && !saysItself(asker)) {
    event.preventDefault();
    enter(id, (slot) => {
      slot.innerHTML = xhr.responseText;
      // What does it all the same belongs to the form, wherever that is drawn by now.
      for (const button of slot.querySelectorAll("button")) button.setAttribute("form", id);
      point(slot, document.getElementById(id));
    });
  }
};

// Heard at what asked: it may be gone from the page when the answer comes.
document.addEventListener("htmx:beforeRequest", ({ detail: { elt, requestConfig } }) => {
  if (requestConfig.verb === "post") elt.addEventListener("htmx:beforeOnLoad", answered);
});
