// Sounds of the table, made here: dice, good and bad turns small and great, and that one is asked. As loud as the account says, which
// is silent at first, or where somebody wants to hear the dice on this device (hear.js); none before the first press on a page, and none
// for what is past (apply.js).

const CHOICES = "afterburn-alerts";
/** What was chosen for this browser alone. @returns {{ sound?: boolean, notification?: boolean, dice?: boolean }} */
export const chosen = () => {
  try {
    return JSON.parse(localStorage.getItem(CHOICES)) ?? {};
  } catch {
    return {};
  }
};
export const choose = (name, yes) => {
  try {
    localStorage.setItem(CHOICES, JSON.stringify({ ...chosen(), [name]: yes }));
  } catch {
    // Kept by no browser that keeps nothing; it holds until the page is left.
  }
};
export const whenChosen = (show) => window.addEventListener("storage", ({ key }) => key === CHOICES && show());

const root = document.documentElement;
const MEDIUM = 60; // % (people/models.py)
let loud = Number(root.dataset.sound ?? (chosen().dice ? MEDIUM : 0)) / 100;
let context = null;
let wanted = loud > 0;
const wake = () => {
  if (!wanted) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
};
for (const press of ["pointerdown", "keydown"]) document.addEventListener(press, wake, { capture: true, passive: true });

// A sound of its own shape: loudest `rise` seconds after it begins, gone after `long`.
const shaped = (source, { at = 0, rise = 0.01, long = 0.3, loud = 0.15 }, volume) => {
  const [gain, from] = [context.createGain(), context.currentTime + at];
  gain.gain.setValueAtTime(0.0001, from);
  gain.gain.exponentialRampToValueAtTime(loud * volume, from + rise);
  gain.gain.exponentialRampToValueAtTime(0.0001, from + long);
  source.connect(gain).connect(context.destination);
  return from;
};

const tone = (pitch, shape, volume) => {
  const source = context.createOscillator();
  source.type = shape.form ?? "sine";
  const from = shaped(source, shape, volume);
  source.frequency.setValueAtTime(pitch, from);
  if (shape.to) source.frequency.exponentialRampToValueAtTime(shape.to, from + shape.long);
  source.start(from);
  source.stop(from + shape.long);
};

const knock = (shape, volume) => {
  const samples = new AudioBuffer({ length: Math.ceil(context.sampleRate * shape.long), sampleRate: context.sampleRate });
  const wave = samples.getChannelData(0);
  for (let at = 0; at < wave.length; at += 1) wave[at] = Math.random() * 2 - 1;
  const [source, filter] = [context.createBufferSource(), context.createBiquadFilter()];
  Object.assign(source, { buffer: samples });
  filter.type = "bandpass";
  filter.frequency.value = shape.pitch;
  filter.Q.value = 2.5;
  source.start(shaped(source.connect(filter), shape, volume));
};

const MOST_KNOCKS = 8;
const SOUNDS = {
  dice: (volume, dice = 1) => {
    for (let die = 0; die < Math.min(dice, MOST_KNOCKS); die += 1) {
      knock({ at: 0.2 + die * 0.02 + Math.random() * 0.01, rise: 0.002, long: 0.07, pitch: 1700 + Math.random() * 900, loud: 0.5 }, volume);
    }
  },
  good: (volume) => [523, 784].forEach((pitch, at) => tone(pitch, { at: 0.6 + at * 0.12, long: 0.7, loud: 0.12 }, volume)),
  bad: (volume) => [311, 208].forEach((pitch, at) => tone(pitch, { at: 0.6 + at * 0.12, long: 0.7, form: "triangle" }, volume)),
  great: (volume) =>
    [262, 330, 392, 523, 659].forEach((pitch, at) => tone(pitch, { at: at * 0.16, rise: 0.3, long: 2.6, loud: 0.09 }, volume)),
  dire: (volume) => {
    for (const pitch of [65, 69, 98]) tone(pitch, { rise: 0.5, long: 2.8, to: pitch * 0.7, form: "sawtooth", loud: 0.08 }, volume);
    knock({ rise: 0.02, long: 1.6, pitch: 90, loud: 0.8 }, volume);
  },
  turn: (volume) => [659, 880].forEach((pitch, at) => tone(pitch, { at: at * 0.18, long: 0.4, loud: 0.12 }, volume)),
};

// For what is played though the account is silent.
export const prepare = () => {
  wanted = true;
  if (navigator.userActivation?.hasBeenActive) wake();
};

/** @param {string} name @param {{ volume?: number, dice?: number }} how */
export const play = (name, { volume = loud, dice } = {}) => {
  if (volume && context) SOUNDS[name](volume, dice);
};

// Hear the table from now on, and at once how it sounds.
export const hear = () => {
  loud ||= MEDIUM / 100;
  prepare();
  play("dice", { dice: 3 });
};

document.addEventListener("afterburn:sound", ({ detail }) => play(detail));
document.addEventListener("afterburn:arrived", ({ target }) => {
  const dice = target.querySelectorAll(".die").length;
  if (dice) play("dice", { dice });
  const named = target.querySelector("[data-sound]")?.dataset.sound;
  if (named) play(named);
});
