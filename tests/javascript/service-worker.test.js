// What is kept to be read without a network: only what the server says, never shown while the network answers, and nobody else's.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const ORIGIN = "http://table.test";
const hears = {};
const stores = new Map();
const pathOf = (asked) => new URL(asked.url ?? asked, ORIGIN).pathname + new URL(asked.url ?? asked, ORIGIN).search;
const cache = (held) => ({
  match: async (asked) => held.get(pathOf(asked))?.clone(),
  put: async (asked, answer) => held.set(pathOf(asked), answer),
  add: async (asked) => held.set(pathOf(asked), await fetch(asked)),
  delete: async (asked) => held.delete(pathOf(asked)),
  keys: async () => [...held.keys()].map((path) => ({ url: ORIGIN + path })),
});
const open = (name) => {
  if (!stores.has(name)) stores.set(name, new Map());
  return cache(stores.get(name));
};
let answers = null; // path -> what the server answers, or null while there is no network
Object.assign(globalThis, {
  RELEASE: "r2", STATIC: "/static/", ICON: "/static/icon.png", AWAY: { page: "/away/", script: "/static/js/away.js" },
  self: {
    addEventListener: (kind, work) => Object.assign(hears, { [kind]: work }),
    location: { origin: ORIGIN }, registration: { navigationPreload: { enable: async () => {} } },
  },
  caches: {
    open: async (name) => open(name),
    keys: async () => [...stores.keys()],
    delete: async (name) => stores.delete(name),
    match: async (asked) => [...stores.values()].find((held) => held.has(pathOf(asked)))?.get(pathOf(asked)).clone(),
  },
  fetch: async (asked) => {
    if (!answers) throw new TypeError("no network");
    const answer = await answers[pathOf(asked)];
    return answer?.clone() ?? new Response("");
  },
});
await import("../../static/js/service-worker.js");

const drawn = (words, { user = "5", keep = true, status = 200 } = {}) => {
  const html = `<html lang="en-GB" data-zone="Europe/Berlin"><head><link href="/static/a.css"><script src="/words/x.js"></script></head>
<p id="away"
  hidden>It stood so on <time>…</time>.</p>${words}<button type="submit">Save</button><button popovertarget="menu">Menu</button><input value="3"></html>`;
  const headers = { "Content-Type": "text/html", "Content-Encoding": "br", Vary: "Cookie", "X-User": user, ...(keep && { "X-Keep": "yes" }) };
  return new Response(html, { status, headers });
};
// Send the worker an event. Returns what it answers, once all is done that it does; undefined where it lets the request go its way.
const send = async (kind, event) => {
  const works = [];
  let answer;
  const waitUntil = (work) => works.push(work);
  hears[kind]({ ...event, waitUntil, respondWith: (given) => { answer = given; } });
  const given = await answer?.catch(() => "the browser’s own page");
  for (const work of works) await work;
  return given;
};
const visit = (path, { clientId = "one", method = "GET" } = {}) =>
  send("fetch", { request: { mode: "navigate", method, url: ORIGIN + path }, resultingClientId: clientId, clientId: "" });
const kept = () => [...stores].flatMap(([name, held]) => (name.startsWith("pages") ? [...held.keys()] : []));
const SHEET = "/c/ashes/characters/1/";

beforeEach(async () => {
  answers = { "/": drawn("nobody’s", { user: "", keep: false }) };
  await visit("/");
  answers = { [SHEET]: drawn("Silas"), "/away/": drawn("offline") };
});

test("a page is shown as the server has it while it answers, and as it was kept without it", async () => {
  await visit(SHEET);
  answers[SHEET] = drawn("Silas the Elder");
  assert.match(await (await visit(SHEET)).text(), /the Elder/);
  answers = null;
  const copy = await visit(SHEET);
  const html = await copy.text();
  assert.match(html, /<html data-away [\s\S]*<p id="away">It stood so on <time datetime="\d[^>]+">\d+ \w+ \d{4} at \d\d:\d\d<\/time>[\s\S]*the Elder/);
  assert.match(html, /<button disabled type="submit">[\s\S]*<button popovertarget="menu">[\s\S]*<input disabled value="3">/);
  assert.deepEqual(html.match(/<script[^>]*>/g), ['<script type="module" src="/static/js/away.js">']);
  assert.deepEqual([copy.headers.get("Vary"), copy.headers.get("Content-Encoding")], [null, null]);
});

test("what a copy needs is there without a network, and anything else goes its own way", async () => {
  const style = { request: { mode: "no-cors", url: `${ORIGIN}/static/a.css` }, clientId: "read offline" };
  await visit(SHEET);
  assert.equal(await send("fetch", style), undefined);
  answers = null;
  await visit(SHEET, style);
  assert.equal((await send("fetch", style)).status, 200);
  assert.equal(await send("fetch", { ...style, clientId: "another" }), undefined);
  assert.equal(await visit("/accounts/login/", { method: "POST" }), undefined);
});

test("only what the server marks is kept, and not what a search asks of it; for others there is a page that says so", async () => {
  answers["/c/ashes/"] = drawn("the table", { keep: false });
  answers[`${SHEET}?print`] = drawn("on paper");
  for (const path of ["/c/ashes/", `${SHEET}?print`]) await visit(path);
  assert.deepEqual(kept(), []);
  answers = { ...answers, [SHEET]: drawn("Silas") };
  await visit(SHEET);
  answers = null;
  assert.match(await (await visit("/c/ashes/")).text(), /offline/);
  assert.equal(await visit("/").then((copy) => copy.status), 200);
});

test("the last twelve pages are kept", async () => {
  const pages = Array.from({ length: 14 }, (_, number) => `/c/ashes/sessions/${number}/`);
  for (const page of pages) answers[page] = drawn(page);
  for (const page of [...pages, pages[3]]) await visit(page);
  assert.deepEqual(kept().sort(), ["/away/", ...pages.slice(2)].sort());
  answers["/c/ashes/sessions/14/"] = drawn("one more");
  await visit("/c/ashes/sessions/14/");
  assert.ok(kept().includes(pages[3]) && !kept().includes(pages[2]));
});

for (const [who, user] of [["nobody is signed in any more", ""], ["somebody else is signed in", "6"]]) {
  test(`once ${who}, nothing is left, not even what is answered late`, async () => {
    await visit(SHEET);
    const late = Promise.withResolvers();
    answers["/c/ashes/sessions/1/"] = late.promise;
    const slow = visit("/c/ashes/sessions/1/");
    answers["/"] = drawn("front", { user, keep: false });
    await visit("/");
    assert.deepEqual(kept(), []);
    late.resolve(drawn("a session"));
    await slow;
    assert.deepEqual(kept(), []);
    answers = null;
    assert.equal(await visit(SHEET), "the browser’s own page");
  });
}

test("an error is no sign that somebody has signed out", async () => {
  await visit(SHEET);
  answers["/"] = drawn("busy", { user: "", keep: false, status: 503 });
  await visit("/");
  assert.ok(kept().includes(SHEET));
});

const OTHER = "/c/lanterns/sessions/1/";
const leaving = {
  "which its server no longer knows of": async () => {
    answers["/c/ashes/"] = drawn("not found", { status: 404, keep: false });
    await visit("/c/ashes/");
  },
  "whose open page was told so": () => send("message", { data: { gone: "/c/ashes/log/" } }),
  "which the first page no longer has": () => send("message", { data: { keeps: [], campaigns: ["/c/lanterns/"] } }),
};
for (const [which, leave] of Object.entries(leaving)) {
  test(`nothing is left of a campaign ${which}`, async () => {
    answers[OTHER] = drawn("another campaign");
    await visit(SHEET);
    await visit(OTHER);
    await leave();
    assert.ok(!kept().includes(SHEET) && kept().includes(OTHER));
  });
}

test("what the first page names is fetched once, though nobody has opened it", async () => {
  const named = { data: { keeps: ["/", SHEET], campaigns: ["/c/ashes/"] } };
  answers["/"] = drawn("home");
  await send("message", named);
  assert.deepEqual(kept().sort(), ["/", "/away/", SHEET]);
  answers[SHEET] = drawn("Silas the Elder");
  await send("message", named);
  answers = null;
  assert.doesNotMatch(await (await visit(SHEET)).text(), /the Elder/);
});

test("a new release begins with nothing of the former one", async () => {
  await visit(SHEET);
  for (const name of ["files r1", "pages r1 of 5"]) open(name);
  await send("activate", {});
  assert.deepEqual([...stores.keys()].sort(), ["files r2", "pages r2 of 5"]);
});
