// A Major Burn stops the room: the dialog opens for one that is new here, and stays closed for those put aside in this tab.

const dialog = document.getElementById("major-burn");
const burns = document.getElementById("major-burns");
const aside = new Set(JSON.parse(sessionStorage.getItem("put-aside") || "[]"));
const ids = () => [...burns.children].map((burn) => burn.id);

// From its title on: with the focus on a button below, a phone would begin at the end.
const show = () => {
  dialog.showModal();
  burns.querySelector("h2")?.focus();
};

const look = () => {
  if (!burns.children.length) dialog.close();
  else if (!dialog.open && ids().some((id) => !aside.has(id))) show();
};

const remember = () => {
  ids().forEach((id) => aside.add(id));
  sessionStorage.setItem("put-aside", JSON.stringify([...aside]));
};

dialog.addEventListener("close", remember);
document.addEventListener("afterburn:done", (event) => {
  if (!("putsAside" in event.detail.form.dataset)) return;
  // The close event comes a moment later; what the socket brings in between must not open it again.
  remember();
  dialog.close();
});
document.getElementById("major-show").addEventListener("click", show);
new MutationObserver(look).observe(burns, { childList: true });
look();
