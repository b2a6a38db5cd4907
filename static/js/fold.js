// How what people type is compared: without case, accents and invisible signs, as on the server (languages/letters.py).

export const fold = (text) => text.normalize("NFKD").replace(/[\p{M}\p{Cf}]/gu, "").toUpperCase();
// Names of traits, whose signs and blanks do not count either.
export const folded = (name) => fold(name).replace(/[^\p{L}\p{N}]/gu, "");
// A line from the first sign that one sees, its slash a plain one (rolls/slash.py).
export const asTyped = (line) => line.replace(/^[\s\p{Cf}]+/u, "").replace(/^[\u2044\u2215\u29f8\uff0f]/, "/");
