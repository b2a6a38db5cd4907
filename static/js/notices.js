// Notices on this device: the page of notices gives the server this browser's subscription to its push service, when its button is pressed
// and the browser's own question was answered with yes. What is sent is shown by the service worker (service-worker.js), which every page has registered.
import { headers } from "./token.js";

const place = document.getElementById("notices-here");
const button = place.querySelector("button");
const words = place.querySelector("p");
const { hostKey = "", url = "", device } = place.dataset;

const UNABLE = gettext("This browser can’t receive notices here. They need HTTPS and, on a phone, usually the installed app.");
const BLOCKED = gettext("Your browser blocks notifications from this site. Allow them in its settings first.");
const FAILED = gettext("That didn’t work. Check your connection and try again.");

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

const subscribe = async () => {
  const { pushManager } = await navigator.serviceWorker.ready;
  // An earlier one may be for another account, or for a key that this host no longer has.
  await (await pushManager.getSubscription())?.unsubscribe();
  const { endpoint = "", keys } = (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(hostKey) })).toJSON();
  const answer = await fetch(url, { method: "POST", headers: headers(), body: new URLSearchParams({ endpoint, ...keys }) });
  if (!answer.ok) throw new Error(String(answer.status));
};

const turnOn = async () => {
  if ((await Notification.requestPermission()) !== "granted") return BLOCKED;
  try {
    await subscribe();
  } catch {
    return FAILED;
  }
  location.reload();
  return "";
};

// A browser may lose its subscription, or a host the key that it was for.
const isLost = async () => {
  if (Notification.permission !== "granted") return false;
  const registration = await navigator.serviceWorker.getRegistration("/");
  return !(await registration?.pushManager.getSubscription());
};

const begin = async () => {
  if (!navigator.serviceWorker || !globalThis.PushManager || !globalThis.Notification) words.textContent = UNABLE;
  else if (!device) button.hidden = false;
  else if (await isLost()) await subscribe();
};
begin().catch(() => {}); // the button of the list takes a device off that is lost for good

button.addEventListener("click", async () => {
  button.disabled = true;
  words.textContent = await turnOn();
  button.disabled = false;
});
