// The page that checks a session: fetches what this reader may see of it, checks it here, and says what it found.
import { check } from "./lines.js";

const page = document.getElementById("verify");
const part = (name) => page.querySelector(`[data-part=${name}]`);
const WORDS = { fits: "fits", wrong: "does not fit", waits: "not yet", hand: "by hand", unproved: "no proof", late: "late" };
const GOOD = ["fits", "waits", "hand", "unproved"];

const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;

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
  quiet.textContent = more;
  row.append(chip, text, quiet);
  return row;
};

const place = ({ stream, seq, at }) => `${stream} ${seq}, ${at.slice(0, 16).replace("T", " ")} UTC`;

// What cannot be checked is no fault, and nothing that was found right.
const state = ({ faults, rolls }) => {
  if (faults.length || rolls.some(({ verdict }) => !GOOD.includes(verdict))) return "wrong";
  return rolls.some(({ verdict }) => verdict === "unproved") ? "unproved" : "right";
};

const summary = (found, count) => {
  const { faults, rolls, unused, erased } = found;
  const number = (verdict) => rolls.filter((roll) => roll.verdict === verdict).length;
  if (state(found) === "wrong") {
    return `This log is not as it was written, or its dice are not what they should be: ${plural(faults.length, "fault", "faults")} in the chain, ${number("wrong") + number("late")} of ${plural(rolls.length, "roll", "rolls")} wrong.`;
  }
  const rest = [
    [number("waits"), "not yet to be checked: the seed is told when the session ends"],
    [number("hand"), "typed in from a real table"],
    [number("unproved"), "without proof, so nobody can check them"],
    [unused.length, "for which a witness was asked and which then never fell"],
    [erased.length, `${erased.length === 1 ? "entry" : "entries"} of which words or a name were erased`],
  ];
  const said = rest.filter(([many]) => many).map(([many, words]) => `${many} ${words}`);
  const fit = `All ${plural(count, "entry", "entries")} hang together; ${plural(number("fits"), "roll fits", "rolls fit")} the seed`;
  return `${[fit, ...said].join("; ")}.`;
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
  part("summary").textContent = lines.length ? summary(found, lines.length) : "Nothing happened in this session.";
  part("faults").replaceChildren(...found.faults.map(({ line, why }) => item("wrong", "fault", `${line.kind}: ${why}`, place(line))));
  part("rolls").replaceChildren(
    ...worstFirst(found.rolls).map((roll) => item(roll.verdict, WORDS[roll.verdict], `${roll.name} · ${roll.faces.join(", ")}`, `${roll.why}; ${place(roll.line)}`)),
  );
  if (found.heads.table) part("receipt").value = receipt(found);
  part("result").hidden = false;
};

const verify = async () => {
  page.dataset.state = "working";
  part("summary").textContent = "Checking …";
  try {
    const answer = await fetch(page.dataset.lines ?? "", { headers: { accept: "application/jsonl" }, cache: "no-store" });
    if (!answer.ok) throw new Error(`the server answered with ${answer.status}`);
    const text = await answer.text();
    show(text.split("\n").filter(Boolean).map((line) => JSON.parse(line)));
  } catch (error) {
    page.dataset.state = "failed";
    part("summary").textContent = `This could not be checked: ${error instanceof Error ? error.message : error}.`;
  }
};

part("verify").addEventListener("click", verify);
// Selecting and copying works without HTTPS, where `navigator.clipboard` does not exist.
part("copy").addEventListener("click", () => {
  part("receipt").select();
  part("copied").textContent = document.execCommand("copy") ? "Copied." : "Selected: copy it with the keyboard.";
});
