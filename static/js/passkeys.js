// What allauth's scripts tell of a passkey that could not be made or used: the person turned back, or the browser can't.
const failed = document.getElementById("passkey-failed");
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  failed.hidden = false;
});
document.getElementById("passkey")?.addEventListener("click", () => {
  failed.hidden = true;
});
