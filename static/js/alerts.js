// Being told of what waits by a sound or by a notification of the browser: both off until somebody chooses them, for this browser alone.
// Permission is asked for by the press that chooses it, and at no other time.
import { choose, chosen, hear, play, prepare, whenChosen } from "./sound.js";

if (chosen().sound) prepare();

const NO_NOTIFICATIONS = gettext("This browser can’t show notifications here. They need HTTPS and, on a phone, usually the installed app.");
const BLOCKED = gettext("Your browser blocks notifications from this site. Allow them in its settings first.");

// As loud as the account says; where that is silent, as the choice of this browser.
export const sound = () => play("turn", chosen().sound ? { volume: Number(document.documentElement.dataset.sound ?? 100) / 100 } : {});

// Not to whoever looks at this page. Under the same tag several tabs show one. Gives something to close, or null.
export const notification = (title, { body, tag }) => {
  if (!chosen().notification || document.hasFocus() || globalThis.Notification?.permission !== "granted") return null;
  try {
    const told = new Notification(title, { body, tag });
    told.addEventListener("click", () => {
      window.focus();
      told.close();
    });
    return told;
  } catch {
    return null; // phones show them through a service worker alone
  }
};

const show = () => {
  for (const button of document.querySelectorAll("[data-alert]")) {
    const { alert } = button.dataset;
    const yes = chosen()[alert ?? ""] && (alert !== "notification" || globalThis.Notification?.permission === "granted");
    button.setAttribute("aria-pressed", Boolean(yes));
  }
};

const permitted = async () => {
  if (!globalThis.Notification) return NO_NOTIFICATIONS;
  const answer = Notification.permission === "default" ? await Notification.requestPermission() : Notification.permission;
  return answer === "granted" ? "" : BLOCKED;
};

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-alert]");
  if (!button) return;
  const { alert } = button.dataset;
  const yes = button.getAttribute("aria-pressed") !== "true";
  const refused = yes && alert === "notification" ? await permitted() : "";
  button.closest(".alerts").querySelector("[data-words]").textContent = refused;
  choose(alert, yes && !refused);
  show();
  if (yes && alert === "dice") hear();
  if (!yes || alert !== "sound") return;
  prepare();
  sound(); // so that one knows it
});
whenChosen(show);
show();
