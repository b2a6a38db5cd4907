// The page that checks a session: fetches what this reader may see of it, checks it here, and says what it found.
import { check } from "./lines.js";
import { settle } from "./page.js";

const page = document.getElementById("verify");
const part = (name) => page.querySelector(`[data-part=${name}]`);
const WORDS = {
  fits: gettext("verified"), wrong: gettext("wrong"), waits: gettext("not yet"), hand: gettext("by hand"), unproved: gettext("no proof"), late: gettext("late"),
};
const GOOD = ["fits", "waits", "hand", "unproved"];

const item = (state, label, words, more) => {
  const row = document.createElement("li");
  row.className = "row verified";
  row.dataset.verdict = state;
  const chip = document.createElement("span");
  chip.className = "chip";
  chip.textContent = label;
  const text = document.createElement("span");
  text.textContent = words;
  const quiet = document.createElement("span");
  quiet.className = "quiet";
  quiet.append(...more);
  row.append(chip, text, quiet);
  settle(row);
  return row;
};

const HEARD = { table: gettext("everyone"), gm: gettext("only GMs") };
// Which entry a line is, for whom, and when, in the reader's own time (page.js).
const place = ({ stream, seq, at }) => {
  const heard = HEARD[stream] ?? gettext("one member and GMs");
  const time = Object.assign(document.createElement("time"), { dateTime: at });
  return [interpolate(gettext("entry %(number)s for %(heard)s"), { number: seq, heard }, true), ", ", time];
};

// What cannot be checked is no fault, and nothing that was found right.
const state = ({ faults, rolls }) => {
  if (faults.length || rolls.some(({ verdict }) => !GOOD.includes(verdict))) return "wrong";
  return rolls.some(({ verdict }) => verdict === "unproved") ? "unproved" : "right";
};

const counted = (words, count) => interpolate(words, { count }, true);

const summary = (found, count) => {
  const { faults, rolls, unused, erased } = found;
  const number = (verdict) => rolls.filter((roll) => roll.verdict === verdict).length;
  if (state(found) === "wrong") {
    const wrong = number("wrong") + number("late");
    return [
      gettext("This log was changed, or its dice are wrong."),
      counted(ngettext("%(count)s fault in the chain.", "%(count)s faults in the chain.", faults.length), faults.length),
      counted(ngettext("%(count)s wrong roll.", "%(count)s wrong rolls.", wrong), wrong),
    ].join(" ");
  }
  const parts = [
    [count, ngettext("%(count)s entry is unchanged.", "All %(count)s entries are unchanged.", count)],
    [number("fits"), ngettext("%(count)s roll matches its seed.", "%(count)s rolls match their seed.", number("fits"))],
    [number("waits"), ngettext(
      "%(count)s roll can be checked when the session ends.", "%(count)s rolls can be checked when the session ends.", number("waits"),
    )],
    [number("hand"), ngettext("%(count)s roll was entered from real dice.", "%(count)s rolls were entered from real dice.", number("hand"))],
    [number("unproved"), ngettext(
      "%(count)s roll has no proof and can’t be checked.", "%(count)s rolls have no proof and can’t be checked.", number("unproved"),
    )],
    [unused.length, ngettext("%(count)s roll was prepared but never made.", "%(count)s rolls were prepared but never made.", unused.length)],
    [erased.length, ngettext("%(count)s entry had words or a name erased.", "%(count)s entries had words or names erased.", erased.length)],
  ];
  return parts.filter(([many]) => many).map(([many, words]) => counted(words, many)).join(" ");
};

const receipt = ({ heads }) => {
  const head = heads.table;
  return [`Afterburn receipt, session ${page.dataset.number}`, `campaign ${head.campaign}`, `table ${head.seq} ${head.hash}`].join("\n");
};

// There may be hundreds that fit.
const worstFirst = (rolls) => {
  const isBad = ({ verdict }) => ["wrong", "late"].includes(verdict);
  return [...rolls.filter(isBad), ...rolls.filter((roll) => !isBad(roll))];
};

const show = (lines) => {
  const found = check(lines);
  page.dataset.state = state(found);
  part("summary").textContent = lines.length ? summary(found, lines.length) : gettext("Nothing happened in this session.");
  part("faults").replaceChildren(...found.faults.map(({ line, why }) => item("wrong", gettext("fault"), why, place(line))));
  part("rolls").replaceChildren(
    ...worstFirst(found.rolls).map((roll) => item(roll.verdict, WORDS[roll.verdict], `${roll.name} · ${roll.faces.join(", ")}`, [`${roll.why}; `, ...place(roll.line)])),
  );
  if (found.heads.table) part("receipt").value = receipt(found);
  part("result").hidden = false;
};

const verify = async () => {
  page.dataset.state = "working";
  part("summary").textContent = gettext("Checking …");
  try {
    const answer = await fetch(page.dataset.lines ?? "", { headers: { accept: "application/jsonl" }, cache: "no-store" });
    if (!answer.ok) throw new Error(interpolate(gettext("the server answered with %(status)s"), { status: answer.status }, true));
    const text = await answer.text();
    show(text.split("\n").filter(Boolean).map((line) => JSON.parse(line)));
  } catch (error) {
    page.dataset.state = "failed";
    const why = String(error instanceof Error ? error.message : error);
    part("summary").textContent = interpolate(gettext("This could not be checked: %(why)s."), { why }, true);
  }
};

part("verify").addEventListener("click", verify);
// Selecting and copying works without HTTPS, where `navigator.clipboard` does not exist.
part("copy").addEventListener("click", () => {
  part("receipt").select();
  part("copied").textContent = document.execCommand("copy") ? gettext("Copied.") : gettext("Selected. Copy it with the keyboard.");
});
