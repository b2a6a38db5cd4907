// The service worker. It shows notices (notices/messages.py) while no page of the site is open, and the pages that it has kept while there is
// no network. config/views.py puts RELEASE, STATIC, ICON and AWAY before this. It is one plain file without a library: of what Workbox has, it
// would use three calls, and who may read what is kept, which is most of what stands here, is for us to say in any case.
/** @type {any} */
const worker = self;

// Notices

worker.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(worker.registration.showNotification(title, { body, tag, icon: ICON, badge: ICON, renotify: true, data: { url } }));
});

const open = async (url) => {
  const { pathname } = new URL(url, worker.location.origin);
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((one) => new URL(one.url).pathname === pathname);
  if (!page) return worker.clients.openWindow(url);
  await page.focus();
  return page.navigate(url).catch(() => null); // one that was open before this script was there
};

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

// Pages to read without a network. The network is always asked first. The server says whose a page is, and whether it is to be kept
// (people/middleware.py); nothing else is, but the files that such a page needs. A copy is one to look at: without scripts, and with nothing
// that can be pressed to change anything. Whoever is at the browser could open it, so all copies go with the first page that is nobody's any
// more, or somebody else's, and those of a campaign with the first sign that it is closed to its reader.

const MOST = 12; // pages
const FRESH = 3_600_000; // ms for which what the first page names is not fetched again
const FILES = `files ${RELEASE}`;
const PAGES = `pages ${RELEASE} of `;

let asked = 0; // pages so far, in the order in which they were asked for
let voided = 0; // the last one of them that was asked for before its reader signed out, or lost a campaign
let reader = null; // whose page the last one was, or "" for nobody's

const forgetCaches = async (keeps) => {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => !keeps(name)).map((name) => caches.delete(name)));
};

const forgetPages = async (chosen) => {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) if (chosen(new URL(request.url).pathname)) await cache.delete(request);
  }
};

const campaignOf = (path) => path.match(/^\/c\/[^/]+\//)?.[0];

const leave = async (path) => {
  const campaign = campaignOf(path);
  voided = asked;
  await forgetPages((kept) => campaign && kept.startsWith(campaign));
};

// Nobody is signed in any more.
const leaveAll = () => {
  voided = asked;
  reader = "";
  return forgetCaches((name) => name === FILES);
};

const copyOf = (html) => {
  const [, language] = html.match(/<html lang="([^"]+)"/) ?? [];
  const [, timeZone] = html.match(/ data-zone="([^"]+)"/) ?? [];
  const now = new Date();
  const time = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone }).format(now);
  return html
    .replace("<html ", "<html data-away ")
    .replace(/<script\b[^>]*><\/script>/g, "")
    .replace("</head>", `<script type="module" src="${AWAY.script}"></script></head>`)
    .replace(/<(?:button|input|select|textarea)\b(?![^>]*\bpopovertarget=)/g, "$& disabled")
    .replace(/( id="away")\s+hidden>/, "$1>")
    .replace("<time>…</time>", `<time datetime="${now.toISOString()}">${time}</time>`);
};

const keepFiles = async (html) => {
  const files = await caches.open(FILES);
  const named = html.match(/(?<=")[^"]+\.(?:css|woff2|svg|webp)(?=")/g) ?? [];
  for (const file of new Set([AWAY.script, ...named])) {
    if (file.startsWith(STATIC) && !(await files.match(file))) await files.add(file).catch(() => {});
  }
};

const keep = async (number, path, answer) => {
  const html = await answer.text();
  await keepFiles(html);
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Vary"]) headers.delete(name);
  headers.set("X-Keep", String(Date.now()));
  const pages = await caches.open(PAGES + reader);
  if (number <= voided) return;
  await pages.delete(path); // else the new copy would have the old one's place in the order
  await pages.put(path, new Response(copyOf(html), { headers }));
  const others = (await pages.keys()).filter(({ url }) => new URL(url).pathname !== AWAY.page);
  for (const oldest of others.slice(0, -MOST)) await pages.delete(oldest);
  if (!(await pages.match(AWAY.page))) await fetchToKeep(AWAY.page);
};

// Look at what the server has answered for a page, the `number`th that was asked for.
const look = async (number, { pathname, search }, answer) => {
  if (number <= voided) return;
  const user = answer.headers.get("X-User");
  if (answer.ok && user !== null && user !== reader) {
    voided = number - 1;
    reader = user;
    await forgetCaches((name) => [FILES, PAGES + user].includes(name));
  }
  if (answer.status === 404) await leave(pathname);
  else if (answer.ok && answer.headers.has("X-Keep") && !search) await keep(number, pathname, answer);
};

const fetchToKeep = async (path) => {
  asked += 1;
  const number = asked;
  await look(number, new URL(path, worker.location.origin), await fetch(path, { headers: { Accept: "text/html", "X-Keep": "yes" } }));
};

// What the first page names (itself, the newest sessions and one's own sheets) is fetched to be kept, unless that was lately. Of campaigns
// that it does not have one is no member any more.
const keepAll = async (paths, campaigns) => {
  await forgetPages((kept) => campaignOf(kept) && !campaigns.includes(campaignOf(kept)));
  for (const path of paths) {
    const copy = await caches.match(path);
    if (!copy || Date.now() - Number(copy.headers.get("X-Keep")) > FRESH) await fetchToKeep(path);
  }
};

worker.addEventListener("message", (event) => {
  const { keeps, campaigns, gone } = event.data;
  event.waitUntil(keeps ? keepAll(keeps, campaigns) : gone ? leave(gone) : leaveAll());
});

const away = new Set(); // pages that were opened from a copy, by the browser's ids

const page = async (event) => {
  asked += 1;
  const number = asked;
  const url = new URL(event.request.url);
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    event.waitUntil(look(number, url, answer.headers.has("X-Keep") ? answer.clone() : answer));
    return answer;
  } catch (error) {
    const copy = (await caches.match(url.href)) ?? (await caches.match(AWAY.page));
    if (!copy) throw error;
    away.add(event.resultingClientId);
    return copy;
  }
};

// All but pages goes its usual way, past this script; only what a copy asks for is looked for beside it.
worker.addEventListener("fetch", (event) => {
  const { request, clientId } = event;
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(page(event));
  else if (away.has(clientId)) event.respondWith(caches.match(request, { ignoreVary: true }).then((file) => file ?? fetch(request)));
});

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => {
  const begin = async () => {
    await worker.registration.navigationPreload?.enable(); // pages are asked for while this script starts
    await forgetCaches((name) => name === FILES || name.startsWith(PAGES)); // those of former releases
  };
  event.waitUntil(begin());
});
