// What is sent from a sheet goes out until it is answered, always as the same operation.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { open, settled } from "./page.js";

mock.timers.enable({ apis: ["setTimeout"] });
open('<p id="words"></p>');
document.body.setAttribute("hx-headers", '{"X-CSRFToken": "token"}');
const { send, tellIn, underWay } = await import("../../static/js/sheet/operations.js");

const words = document.getElementById("words");
const LONGEST = 12_000; // ms between two attempts
const DOWN = () => Promise.reject(new TypeError("no line"));
const answer = (status, { html = "", type = "basic", headers = {} } = {}) => () =>
  Promise.resolve({ status, type, ok: status < 300, headers: new Headers(headers), text: async () => html });

let requests;
let answers; // what the server says to one attempt after the other, the last of them for ever
globalThis.fetch = (url, request) => {
  requests.push({ url, ...request });
  return (answers.length > 1 ? answers.shift() : answers[0])();
};
beforeEach(() => {
  requests = [];
  words.replaceChildren();
});

// Begin to send, and let as many attempts go out as that.
const sent = async (attempts, ...given) => {
  answers = given;
  const done = send("/field/", { field: "name", value: "Mo" }, tellIn(words));
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    await settled();
    mock.timers.tick(LONGEST);
  }
  await settled();
  return done;
};
const keys = () => new Set(requests.map(({ body }) => body.get("key")));

test("it goes out once with its fields, a key and the page's token, and gives the answer", async () => {
  assert.deepEqual(await sent(0, answer(200, { html: "<b>done</b>" })), { status: 200, html: "<b>done</b>" });
  const [{ url, method, body, headers }] = requests;
  assert.deepEqual([url, method, body.get("value"), headers["X-CSRFToken"]], ["/field/", "POST", "Mo", "token"]);
  assert.equal(underWay(), false);
});

test("without a line it is sent again with the same key for as long as it takes", async () => {
  const answered = await sent(40, ...Array(40).fill(DOWN), answer(200));
  assert.equal(answered.status, 200);
  assert.equal(requests.length, 41);
  assert.equal(keys().size, 1);
  assert.match(words.textContent, /no connection/);
});

test("a server that is busy is asked again, and says so meanwhile", async () => {
  const answered = await sent(2, answer(503), answer(429), answer(200));
  assert.equal(answered.status, 200);
  assert.match(words.textContent, /busy \(429\)/);
});

test("a refusal and a conflict are answers", async () => {
  const refused = await sent(0, answer(422, { html: "<li>Too long.</li>", headers: { "HX-Retarget": "#errors" } }));
  assert.deepEqual(refused, { status: 422, html: "<li>Too long.</li>" });
  assert.deepEqual(await sent(0, answer(409, { html: "both" })), { status: 409, html: "both" });
});

test("what is no answer of this site is not put into the page", async () => {
  const { html } = await sent(0, answer(403, { html: "<html>A proxy</html>" }));
  assert.equal(html, "The server answered with an error (403).");
});

test("sent again twelve times and refused, it rests until somebody asks for another attempt", async () => {
  answers = [...Array(13).fill(answer(500)), answer(200)];
  const done = send("/field/", {}, tellIn(words));
  for (let attempt = 0; attempt < 30; attempt += 1) {
    await settled();
    mock.timers.tick(LONGEST);
  }
  assert.equal(requests.length, 13);
  assert.equal(underWay(), true);
  assert.match(words.textContent, /^Not saved. Your change is kept here. Try again$/);
  words.querySelector("button").click();
  assert.equal((await done).status, 200);
});

test("who is signed out is told so, and it goes out when they are back", async () => {
  const answered = await sent(1, answer(0, { type: "opaqueredirect" }), answer(200));
  assert.equal(answered.status, 200);
  assert.match(words.textContent, /signed out/);
});

test("a line that is back wakes all that waits", async () => {
  answers = [DOWN, DOWN, answer(200)];
  const both = Promise.all([send("/a/", {}, tellIn(words)), send("/b/", {}, tellIn(words))]);
  await settled();
  window.dispatchEvent(new Event("online"));
  assert.deepEqual((await both).map(({ status }) => status), [200, 200]);
  assert.equal(requests.length, 4);
});
