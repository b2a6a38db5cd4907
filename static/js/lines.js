// Checks the lines of a log (docs/fairdice.md): whether they hang together, say what was written, and tell the dice that fell.
import * as fair from "./fairness.js";

const [COMMITTED, REVEALED, BLIND_REVEALED] = ["rolls.epoch_committed", "rolls.epoch_revealed", "rolls.blind_revealed"];

const [ROLLED, WITNESS_ASKED, WITNESS_GIVEN] = ["rolls.roll_made", "rolls.witness_asked", "rolls.witness_given"];

// What is wrong with one line where it stands, "" if nothing.
const misplaced = (line, before) => {
  if (before && line.seq !== before.seq + 1) return gettext("entries before this one are missing");
  const prev = before ? before.hash : line.seq === 1 ? fair.firstLink(line.campaign, line.stream) : line.prev;
  if (line.prev !== prev || fair.link(prev, line) !== line.hash) return gettext("the hash chain is broken here");
  if (line.payload && !line.erased && fair.commitment(line.salt, line.payload) !== line.commitment) {
    return gettext("its content was changed");
  }
  return "";
};

// Seeds by epoch: what was committed to and where, and what was told.
const seedsOf = (lines) => {
  /** @type {Record<string, any>} */
  const seeds = { commitments: {}, told: {}, secrets: {}, faults: [] };
  for (const line of lines) if (line.kind === COMMITTED && line.payload) seeds.commitments[line.payload.epoch] = line;
  for (const line of lines) {
    if (!line.payload || (line.kind !== REVEALED && line.kind !== BLIND_REVEALED)) continue;
    const { epoch, seed, secret } = line.payload;
    const committed = seeds.commitments[epoch]?.payload;
    const right = seed ? fair.commit(line.campaign, epoch, seed) : fair.commitBlind(line.campaign, epoch, secret);
    // What was committed to before these lines begin cannot be compared; no roll among them can be of that seed.
    if (committed && right !== (seed ? committed.commitment : committed.blind)) {
      seeds.faults.push({ line, why: gettext("the published seed is not the committed one") });
    }
    (seed ? seeds.told : seeds.secrets)[epoch] = seed ?? secret;
  }
  return seeds;
};

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const sorted = (faces) => [...faces].sort((one, other) => one - other);

// Whether the commitment was there before the dice fell: in the same stream by number, and never in the same operation.
const before = (committed, line) => committed.at !== line.at && (committed.stream !== line.stream || committed.seq < line.seq);

// Witnesses by roll: where one was asked for, and where one was given.
const witnessesOf = (lines) => {
  const told = (kind) => lines.filter((line) => line.kind === kind && line.payload).map((line) => [line.payload.roll, line]);
  return { asked: new Map(told(WITNESS_ASKED)), given: new Map(told(WITNESS_GIVEN)) };
};

// A witness counts if all that the roller gave was in the log before it, and the witness's seed before the dice.
const wronglyWitnessed = (line, { asked, given }) => {
  const { proof } = line.payload;
  if (line.kind !== ROLLED || proof.blind || !proof.witness) return false;
  const [settled, seed] = [asked.get(proof.roll), given.get(proof.roll)];
  const terms = ({ epoch, client, spec }) => [epoch, client, spec];
  if (!settled || !seed || seed.payload.seed !== proof.witness) return true;
  if (settled.actor !== proof.actor || !same(terms(settled.payload), terms(proof))) return true;
  return !(settled.seq < seed.seq && seed.seq < line.seq);
};

// What a roll's card shows, or what shows its dice without one.
const shownBy = ({ card, dice }) => (card?.dice ?? dice ?? []).map((die) => die.face);

const rightly = ({ witness }) => {
  if (!witness) return gettext("the seed gives these dice");
  if (!witness.by) return gettext("the seed gives these dice; not cross-checked");
  return interpolate(gettext("the seed gives these dice; cross-checked by %(name)s"), { name: witness.by.name }, true);
};

// The dice of a roll as they stand, with those that were rolled again in their places; null where the roll tells otherwise of them.
// Further dice of a throw come last; of all dice there are as many as the rules took.
const standing = ({ proof, rerolls }) => {
  let faces = proof.faces;
  for (const { at, before: was, faces: now, proof: again } of rerolls ?? []) {
    if (!same(at.map((place) => faces[place]), was)) return null;
    const placed = [...faces.map((face, place) => (at.includes(place) ? again.faces[at.indexOf(place)] : face)), ...again.faces.slice(at.length)];
    if (!same(placed.slice(0, now.length), now)) return null;
    faces = now;
  }
  return faces;
};

// Of the verdicts on all throws of a line the worst.
const judged = (line, seeds, witnesses) => {
  const { proof, rerolls, hand_rolled: byHand } = line.payload;
  if (byHand && !proof) return ["hand", gettext("entered from real dice")];
  const proofs = [proof, ...(rerolls ?? []).map((again) => again.proof)];
  if (!proofs.every(Boolean)) return ["unproved", gettext("made without a committed seed")];
  const [shown, faces] = [shownBy(line.payload), standing(line.payload)];
  if (!faces) return ["wrong", gettext("the dice that were rolled again don’t replace the ones they should")];
  if (shown.length && !same(sorted(shown), sorted(faces))) return ["wrong", gettext("the card shows different dice than its proof")];
  if (wronglyWitnessed(line, witnesses)) return ["wrong", gettext("its cross-check is not in the log before it")];
  const verdicts = proofs.map((thrown) => judgedThrow(line, thrown, seeds));
  const order = ["wrong", "waits", "late", "fits"];
  return verdicts.reduce((worst, verdict) => (order.indexOf(verdict[0]) < order.indexOf(worst[0]) ? verdict : worst));
};

const judgedThrow = (line, proof, seeds) => {
  const committed = seeds.commitments[proof.epoch];
  if (!committed) return ["wrong", gettext("no seed was committed for these dice")];
  const seed = seeds.told[proof.epoch];
  if (!seed) return ["waits", gettext("can be checked once the seed is published")];
  if (!same(fair.faces(line.campaign, proof, seed, proof.faces.length), proof.faces)) return ["wrong", gettext("the seed gives different dice")];
  const secret = seeds.secrets[proof.epoch];
  if (proof.blind && secret && fair.blindSeed(secret, proof) !== proof.witness) return ["wrong", gettext("its blind seed is different")];
  if (!before(committed, line)) return ["late", gettext("matches, but the seed was only committed with this roll")];
  return ["fits", rightly(line.payload)];
};

// By what the log itself says: whose roll, with which dice. Its code for what kind of roll is no word.
const named = ({ kind, payload }) => {
  const what = (payload.proof?.spec ?? gettext("Dice")).replace(/(?<=\d)d(?=\d)/g, pgettext("as in 3d6", "d"));
  if (!payload.who) return what;
  const person = payload.who.name;
  const who = payload.character ? interpolate(gettext("%(person)s as %(character)s"), { person, character: payload.character.name }, true) : person;
  const later = { "rolls.roll_corrected": gettext("corrected"), "rolls.roll_revealed": gettext("revealed later") }[kind];
  return later ? `${who}: ${what} (${later})` : `${who}: ${what}`;
};

const facesOf = (payload) => payload.rerolls?.at(-1).faces ?? payload.proof?.faces ?? shownBy(payload);

// Whatever holds a proof, or the room for one, tells of dice; but for a roll that was let through without any.
const tellsOfDice = (payload) => "proof" in payload && (payload.proof || !("dice" in (payload.card ?? payload)) || facesOf(payload).length);

// Lines in any order -> { faults: [{ line, why }], rolls: [{ line, name, faces, verdict, why }], heads: { stream: line },
// unused: [lines that asked a witness for a roll that then never fell], erased: [lines of which something was erased later] }
export const check = (lines) => {
  const heads = {};
  const faults = [];
  for (const line of [...lines].sort((one, other) => one.seq - other.seq)) {
    const why = misplaced(line, heads[line.stream]);
    if (why) faults.push({ line, why });
    heads[line.stream] = line;
  }
  const seeds = seedsOf(lines);
  const witnesses = witnessesOf(lines);
  const rolls = lines
    .filter(({ payload }) => payload && tellsOfDice(payload))
    .map((line) => {
      const [verdict, why] = judged(line, seeds, witnesses);
      return { line, name: named(line), faces: facesOf(line.payload), verdict, why };
    });
  const fallen = new Set(lines.filter(({ kind, payload }) => kind === ROLLED && payload).map(({ payload }) => payload.roll));
  const unused = [...witnesses.asked.values()].filter(({ payload }) => !fallen.has(payload.roll));
  const erased = lines.filter((line) => line.payload && line.erased);
  return { faults: [...faults, ...seeds.faults], rolls, heads, unused, erased };
};
