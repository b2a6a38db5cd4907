// What runs on a page that the service worker has kept: it loads the page again as soon as the site answers. On the page that stands in for
// those that are not kept, it lists those that are.
const EVERY = 10_000; // ms

const isBack = async () => {
  try {
    return (await fetch("/healthz", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
};
const look = async () => {
  if (!document.hidden && (await isBack())) location.reload();
};
if ("away" in document.documentElement.dataset) {
  setInterval(look, EVERY);
  window.addEventListener("online", look);
  document.addEventListener("visibilitychange", look);
}

// Nothing, for a page that is no copy of what stood somewhere: the one in place of others.
const entry = (address, copy) => {
  const page = new DOMParser().parseFromString(copy, "text/html");
  const time = page.querySelector("#away time");
  if (!time) return "";
  const item = document.createElement("li");
  item.className = "row";
  const link = document.createElement("a");
  link.href = address;
  link.textContent = page.title;
  item.append(link, time);
  return item;
};
const list = async (kept) => {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const copy = await cache.match(request);
      if (copy?.headers.has("X-Keep")) kept.prepend(entry(request.url, await copy.text()));
    }
  }
};
const kept = document.getElementById("kept");
if (kept && globalThis.caches) list(kept);
