// The socket of a table: what was seen is dropped, what comes next is shown, and after a gap it asks again from where it stands.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { heard, open } from "./page.js";

// How long a page waits before it comes again is by chance, within bounds: here always the middle of them.
mock.method(Math, "random", () => 0.5);
mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_000_000 });
open(`<p id="connection" data-state="" data-live="Live" data-behind="Behind" data-reconnecting="Reconnecting" data-gone="Gone"><b data-words></b></p>
  <p id="presence"></p><p id="clock">old</p>`);
document.body.setAttribute("data-live", "/c/ashes/live/");
document.body.setAttribute("data-heads", '{"table":3}');
document.body.setAttribute("data-hashes", '{"table":"c3"}');

const sockets = [];
class Socket {
  static OPEN = 1;
  readyState = 1;
  sent = [];
  constructor(url) {
    this.url = url;
    sockets.push(this);
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  drop(code = 1006) {
    this.readyState = 3;
    this.onclose({ code });
  }
  tell(news) {
    this.onmessage({ data: JSON.stringify(news) });
  }
}
globalThis.WebSocket = Socket;
const { stand } = await import("../../static/js/live.js");

const state = () => document.getElementById("connection").dataset.state;
const clock = () => document.getElementById("clock").textContent;
const event = (seq, words) => ({ t: "event", stream: "table", seq, prev: `c${seq - 1}`, hash: `c${seq}`, html: `<p id="clock">${words}</p>` });
const beat = (heads) => ({ t: "beat", heads });
const WAIT = 8000; // ms, longer than any pause before the next attempt
let socket;

// Each test begins connected, with all that there is.
beforeEach(() => {
  while (sockets.at(-1).readyState !== 1) mock.timers.tick(100);
  socket = sockets.at(-1);
  socket.onopen();
  socket.tell(beat({}));
  socket.sent.length = 0;
});
const seen = () => JSON.parse(document.body.dataset.heads).table;

test("it asks for what came after what the page shows", () => {
  socket.onopen();
  assert.equal(socket.url, "ws://table.test/c/ashes/live/");
  assert.deepEqual(socket.sent, [{ since: { table: seen() }, hashes: { table: `c${seen()}` }, language: document.documentElement.lang }]);
});

test("what was seen is dropped, and what comes next is shown once and told", () => {
  const recorded = heard("afterburn:recorded");
  const next = seen() + 1;
  socket.tell(event(next, "new"));
  assert.equal(clock(), "new");
  socket.tell(event(next, "twice"));
  socket.tell(event(next - 1, "older"));
  assert.equal(clock(), "new");
  assert.deepEqual(recorded, [{ stream: "table", seq: next, prev: `c${next - 1}`, hash: `c${next}` }]);
});

test("after a gap it connects anew and asks from where it stands", () => {
  const before = seen();
  socket.tell(event(before + 2, "too early"));
  assert.notEqual(clock(), "too early");
  assert.equal(state(), "reconnecting");
  mock.timers.tick(WAIT);
  sockets.at(-1).onopen();
  assert.notEqual(sockets.at(-1), socket);
  assert.deepEqual(sockets.at(-1).sent[0].since, { table: before });
});

test("what an old socket still brings is not heard", () => {
  const before = clock();
  socket.tell(event(seen() + 2, "too early"));
  mock.timers.tick(WAIT);
  socket.tell(event(seen() + 1, "late"));
  assert.equal(clock(), before);
});

test("a beat says that nothing is missing, or what is", () => {
  const shorter = heard("afterburn:shorter");
  socket.tell(beat({ table: seen() - 1 }));
  assert.equal(state(), "live");
  assert.equal(shorter.length, 1);
  socket.tell(beat({ table: seen() + 1 }));
  assert.equal(state(), "reconnecting");
});

test("how many frames came is said every sixteenth time and at each beat", () => {
  for (let frame = 0; frame < 15; frame += 1) socket.tell({ t: "presence", html: `<b>${frame}</b>` });
  assert.equal(document.getElementById("presence").textContent, "14");
  const got = socket.sent.map((sent) => sent.got);
  socket.tell(beat({}));
  assert.equal(socket.sent.length, got.length + 1);
  assert.ok(got.every((count) => count % 16 === 0));
});

test("a server that says nothing for twenty seconds is taken for gone", () => {
  mock.timers.tick(19_000);
  assert.equal(state(), "live");
  mock.timers.tick(2_000);
  assert.equal(state(), "behind");
  assert.equal(socket.readyState, 3);
});

test("that a page is behind stays said until it is live again", () => {
  mock.timers.tick(30_000);
  sockets.at(-1).drop();
  assert.equal(state(), "behind");
});

// Once it hung up on each new socket a second later, and lost its place among others.
test("a page that was away for long gives a busy server the time to come to it", () => {
  mock.timers.tick(22_000);
  assert.equal(state(), "behind");
  while (sockets.at(-1) === socket) mock.timers.tick(100);
  const tried = sockets.length;
  sockets.at(-1).onopen();
  mock.timers.tick(15_000);
  assert.equal(sockets.length, tried);
  sockets.at(-1).tell(beat({}));
  assert.equal(state(), "live");
});

test("pages do not all come back in the same moment", (t) => {
  const least = (chance) => {
    t.mock.method(Math, "random", () => chance);
    const before = sockets.length;
    sockets.at(-1).drop(1012);
    let waited = 0;
    for (; sockets.length === before; waited += 1) mock.timers.tick(1);
    sockets.at(-1).onopen();
    sockets.at(-1).tell(beat({}));
    return waited;
  };
  assert.equal(least(0), 125);
  assert.equal(least(0.999), 375);
});

test("each attempt waits longer, up to seven and a half seconds", () => {
  for (const most of [375, 750, 1500, 3000, 6000, 7500, 7500]) {
    const before = sockets.length;
    sockets.at(-1).drop();
    mock.timers.tick(most / 3 - 1);
    assert.equal(sockets.length, before);
    mock.timers.tick(most);
    assert.equal(sockets.length, before + 1);
    sockets.at(-1).onopen();
  }
});

test("where somebody writes is told when they have stayed there for a moment", () => {
  stand({ token: "t", field: "name" });
  stand({ token: "t", field: "concept" });
  mock.timers.tick(299);
  assert.deepEqual(socket.sent, []);
  mock.timers.tick(1);
  assert.deepEqual(socket.sent, [{ at: { token: "t", field: "concept" } }]);
  stand(null);
  mock.timers.tick(300);
});

test("what a GM writes for the table goes out a few times a second, the last of it in any case", () => {
  for (const text of ["T", "Th", "The"]) document.dispatchEvent(new CustomEvent("afterburn:draft", { detail: { text } }));
  mock.timers.tick(1000);
  assert.deepEqual(socket.sent, [{ draft: { text: "T" } }, { draft: { text: "The" } }]);
});

// Last: nothing comes after it.
test("who was removed is told so, and nothing is tried again", () => {
  const before = sockets.length;
  socket.drop(4404);
  assert.equal(state(), "gone");
  mock.timers.tick(60_000);
  assert.equal(sockets.length, before);
});
