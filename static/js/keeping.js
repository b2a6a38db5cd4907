// What the service worker keeps of a person's pages, to be read without a network (service-worker.js): it is registered on every page of
// theirs, fetches what the first page names, and forgets a campaign that they have left, or all of it with the next page once they sign out.
const { user } = document.documentElement.dataset;
const worker = user ? navigator.serviceWorker : undefined; // browsers have it on HTTPS and localhost alone
const keeps = document.querySelector("[data-keeps]")?.dataset.keeps; // on the first page alone, which has all campaigns of theirs

const tell = async (message) => (await worker?.ready)?.active?.postMessage(message);

const begin = async () => {
  await worker?.register("/service-worker.js", { updateViaCache: "all" });
  if (keeps === undefined) return;
  const campaigns = [...document.querySelectorAll(".campaigns .name-link")].map((link) => link.getAttribute("href"));
  await tell({ campaigns, keeps: [location.pathname, ...keeps.split(" ").filter(Boolean)] });
};

// The worker is not always asked for the page to which signing out leads.
if (!user) navigator.serviceWorker?.controller?.postMessage({});

// Not before the page itself has all it needs.
if (worker) window.addEventListener("load", () => begin().catch(() => {}));
document.addEventListener("afterburn:gone", () => tell({ gone: location.pathname }).catch(() => {}));
