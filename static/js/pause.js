// While play is paused a dialog lies over everything; who puts it aside has the bar. The socket says how it stands (live.js).

const dialog = document.getElementById("pause");
const words = document.getElementById("pause-words-now");

const show = () => {
  if (dialog.open) return;
  dialog.showModal();
  words.focus();
};

const stand = (paused) => {
  if (paused === dialog.dataset.paused) return;
  const began = !dialog.dataset.paused;
  dialog.dataset.paused = words.textContent = paused;
  if (!paused) dialog.close();
  else if (began) {
    document.getElementById("x-card")?.hidePopover();
    show();
  }
};

// A page that does not follow the table stays where it is: to load another one now would be noticed.
const done = ({ detail }) => {
  if (document.body.dataset.live) return;
  if (detail.form.id === "x-card-form") stand(dialog.dataset.words);
  else if (detail.form.id === "resume") stand("");
};

if (dialog) {
  document.addEventListener("afterburn:done", done);
  document.addEventListener("afterburn:paused", ({ detail }) => stand(detail));
  document.getElementById("pause-show").addEventListener("click", show);
  // After all others have opened theirs: it lies over them.
  document.addEventListener("DOMContentLoaded", () => dialog.dataset.paused && !("quiet" in dialog.dataset) && show());
}
