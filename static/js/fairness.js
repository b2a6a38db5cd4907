// fairdice/1 and the hash chain, computed in the reader's own browser: docs/fairdice.md says what is computed and why.
// SHA-256 is written out here because `crypto.subtle` exists only on HTTPS and localhost; tables in a local network have neither.

const NAME = "fairdice/1";
const encoder = new TextEncoder();
const bytesOf = (text) => encoder.encode(text);

// The first 32 bits of the fractional parts of roots of the first primes.
const primes = [];
for (let number = 2; primes.length < 64; number += 1) if (primes.every((prime) => number % prime)) primes.push(number);
const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) >>> 0;
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = primes.map((prime) => fraction(Math.cbrt(prime)));

const turn = (word, by) => (word >>> by) | (word << (32 - by));

const padded = (bytes) => {
  const whole = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setUint32(whole.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(whole.length - 4, bytes.length << 3);
  return view;
};

const schedule = (view, offset, words) => {
  for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [words[i - 15], words[i - 2]];
    const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[i] = words[i - 16] + first + words[i - 7] + second;
  }
};

const compress = (state, words) => {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i];
    const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] += word;
  });
};

const sha256 = (bytes) => {
  const view = padded(bytes);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let offset = 0; offset < view.byteLength; offset += 64) {
    schedule(view, offset, words);
    compress(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setInt32(i * 4, word));
  return new Uint8Array(digest.buffer);
};

const joined = (...parts) => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const hmac = (key, message) => {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
};

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

// JSON in its one form: sorted keys, no spaces, ASCII.
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const keys = Object.keys(value).sort(byCodePoint);
    return `{${keys.map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
};
const byCodePoint = (one, other) => {
  const [a, b] = [[...one], [...other]].map((text) => text.map((char) => char.codePointAt(0)));
  const at = a.findIndex((point, i) => point !== b[i]);
  return at < 0 ? a.length - b.length : a[at] - (b[at] ?? -1);
};

const commit = (campaign, epoch, seed) => hex(sha256(bytesOf([NAME, "commit", campaign, epoch, seed].join("\n"))));
const commitBlind = (campaign, epoch, secret) => hex(sha256(bytesOf([NAME, "blind", campaign, epoch, secret].join("\n"))));
const blindSeed = (secret, proof) =>
  hex(hmac(unhex(secret), bytesOf([NAME, "blind", proof.roll, proof.client].join("\n")))).slice(0, 32);

const sidesOf = (spec) =>
  spec.split(",").flatMap((part) => {
    const [number, sides] = part.split("d").map(Number);
    return Array(number).fill(sides);
  });

// The first `wanted` faces of a roll. Dice that a rule adds are like the last one of the spec.
const faces = (campaign, proof, seed, wanted) => {
  const lines = [NAME, "roll", campaign, proof.epoch, proof.actor, proof.roll, proof.client, proof.witness, proof.spec];
  const [message, key, sides] = [lines.join("\n"), unhex(seed), sidesOf(proof.spec)];
  /** @type {number[]} */
  const found = [];
  for (let block = 0; found.length < wanted; block += 1) {
    for (const byte of hmac(key, bytesOf(`${message}\n${block}`))) {
      const die = sides[Math.min(found.length, sides.length - 1)];
      if (byte < 256 - (256 % die)) found.push((byte % die) + 1);
    }
  }
  return found.slice(0, wanted);
};

const firstLink = (campaign, stream) => hex(sha256(bytesOf(canonical(["afterburn chain 1", campaign, stream]))));
const commitment = (salt, payload) => hex(sha256(joined(unhex(salt), bytesOf(canonical(payload)))));
const link = (previous, { campaign, stream, seq, at, kind, actor, commitment: bound }) =>
  hex(sha256(joined(unhex(previous), bytesOf(canonical([campaign, stream, seq, at, kind, actor, bound])))));

export { sha256, hmac, hex, unhex, commit, commitBlind, blindSeed, faces, firstLink, commitment, link };
