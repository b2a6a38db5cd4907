"""What the cards and requests of VI-VIII-X say, drawn from the codes that the log keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaigns.kinds import Payload
from campaigns.numbers import signed
from rolls.models import Roll
from rolls.table_rules import Again, Terms
from rulesets.arc.chips import typed_words
from rulesets.arc.rules.check import why
from rulesets.arc.settings import Level
from rulesets.arc.sheet import SHEET
from rulesets.arc.table.ask import Kind, Named

KIND_WORDS = {
    Kind.CHECK: "check",
    Kind.OPPOSED: "opposed check",
    Kind.COUNTER: "counters",
    Kind.REACTION: "reaction",
}
UNNAMED = "A check"
COUNTERED = "waits for the check that counters it"
REACTION = "Reaction"
STAT_AND_SKILL = 2
CHIP_CODES = {"size": "size"}


def describe(payload: Payload) -> Payload:
    """The words for what the payload of a card says in codes (card.Card), and for what its taking back tells."""
    kind, success = Kind(payload["kind"]), payload["outcome"] == "success"
    sides = {**payload, **payload.get("back", {})}
    described: dict[str, Any] = {"words": roll_words(payload), "kind_words": _kind_words(kind, payload)}
    described |= {name: _side(sides[name]) for name in ("against", "reopened", "ended") if sides.get(name)}
    if kind is Kind.REACTION:
        return described | _reaction(payload, success=success)
    dice = [
        {**die, "why": f"{signed(payload['adjustment'])}, {why(payload['es'], die['face'])}"} for die in payload["dice"]
    ]
    described |= {"chips": chips_told(payload.get("chips", ()))}
    if kind is Kind.CHECK:
        described |= {"level_words": Level(payload["level"]).words if payload["level"] else ""}
    return described | {"dice": dice} | _ended(kind, payload, success=success)


def _kind_words(kind: Kind, payload: Payload) -> str:
    if payload.get("versus"):
        return f"{'against' if payload['acts'] else 'counters'} {payload['versus']}"
    return KIND_WORDS[kind]


def roll_words(terms: Mapping[str, Any]) -> str:
    """Return what a roll is called, by its terms or the payload of its card: "Control + Tamper"."""
    return " + ".join(trait_names(terms))


def trait_names(terms: Mapping[str, Any]) -> list[str]:
    """Return what a roll was made of, as people call it; where no trait is named, the roll itself."""
    if terms["kind"] == Kind.REACTION:
        return [REACTION]
    return _names(terms["traits"]) or [UNNAMED]


def request_words(terms: Terms) -> str:
    """ "Control + Tamper, average threshold, other −2"."""
    if terms["kind"] == Kind.REACTION:
        return REACTION
    skill = terms.get("skill", "")
    names = [*_names([{"code": terms["stat"]}] if "stat" in terms else []), skill[:1].upper() + skill[1:]]
    words = [" + ".join(filter(None, names)) or UNNAMED, *_asked(terms)]
    chips = [f"{chip['words']} {signed(chip['value'])}" for chip in chips_told(terms.get("chips", ()))]
    if terms["other"] and not chips:
        chips = [f"other {signed(terms['other'])}"]
    return ", ".join([*words, *chips])


def request_fields(terms: Terms) -> Terms:
    """Return what the terms of a request put into the roll form."""
    fields = {name: value for name, value in terms.items() if name not in ("chips", "versus")}
    chips = terms.get("chips", ())
    if chips and all("word" in chip for chip in chips):
        fields["other"] = typed_words(chips)
    if "stat" in terms:
        fields["stat"] = SHEET.fields[terms["stat"]].label
    if "against" in terms:
        fields["against"] = terms["against"]["roll"]
    return fields


def chips_told(chips: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what each counts, in `words`."""
    return [{**chip, "words": chip.get("word") or CHIP_CODES[chip["code"]]} for chip in chips]


def again(roll: Roll) -> Again | None:
    """Return what puts a check of the sheet, or a reaction, into the form again; what the GM sets of it is set anew."""
    terms = roll.ask
    if roll.kind == Kind.REACTION:
        return Again(words=REACTION, fields={"kind": Kind.REACTION.value})
    names = _names(terms["traits"])
    if roll.kind == Kind.COUNTER or len(names) != STAT_AND_SKILL:
        return None
    fields = {"kind": roll.kind, "stat": names[0], "skill": names[1], "other": terms["other"]}
    return Again(words=" + ".join(names), fields=fields)


def _asked(terms: Terms) -> list[str]:
    """Return what it is rolled against; of a check that a player announces nobody has said so yet."""
    if versus := terms.get("versus"):
        return [f"{'against' if versus['acts'] else 'counters'} {versus['name']}"]
    if against := terms.get("against"):
        return [f"counters {against['name']}, {roll_words(against)}"]
    if terms["kind"] == Kind.OPPOSED:
        return ["opposed"]
    if "level" not in terms:
        return []
    given = terms["threshold"]
    return [f"{Level(terms['level']).words} threshold" if given is None else f"threshold {given}"]


def _names(traits: Iterable[Named]) -> list[str]:
    return [str(trait.get("name") or SHEET.fields[trait["code"]].label) for trait in traits]


def _side(side: Mapping[str, Any]) -> dict[str, Any]:
    waits = f"waits for the check of {side['versus']}" if side.get("versus") else COUNTERED
    return {**side, "words": roll_words(side), "detail": waits}


def _ended(kind: Kind, payload: Payload, *, success: bool) -> dict[str, str]:
    if kind is Kind.OPPOSED:
        waits = f"waits for the check of {payload['versus']}" if payload.get("versus") else COUNTERED
        return {"headline": "Open", "detail": waits}
    if kind is Kind.COUNTER and payload.get("acts"):
        return {"headline": payload["outcome"].capitalize(), "detail": f"against {payload['versus']}"}
    if kind is Kind.COUNTER:
        # It succeeds where the other does not.
        ended = "fails" if success else "succeeds"
        return {
            "headline": "Countered" if success else "Not countered",
            "detail": f"the check that it counters {ended}",
        }
    return {"headline": payload["outcome"].capitalize(), "detail": f"threshold {payload['threshold']}"}


def _reaction(payload: Payload, *, success: bool) -> dict[str, Any]:
    of = f" of {payload['som']}" if payload.get("som") else ""  # others than GMs are not told that of an NPC
    compared = f"{'no higher than' if success else 'higher than'} the SOM{of}"
    return {
        "headline": payload["outcome"].capitalize(),
        "detail": "acts as usual" if success else "loses the turn",
        "dice": [{**die, "why": compared} for die in payload["dice"]],
    }
