"""The words for Storyteller rolls and requests, drawn from the codes that are kept of them whenever these are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from campaigns.kinds import Payload
from campaigns.text import signed
from characters.sheets.traits import Trait
from rolls.models import Roll
from rolls.table_rules import Again, Terms
from rulesets.storyteller.rules.pool import Pool
from rulesets.storyteller.rules.roll import Kind, Result, Role, degree, severity_name, why
from rulesets.storyteller.sheet import label_of
from rulesets.storyteller.table.ask import OWN_KINDS

KIND_WORDS: Final = {
    Kind.ACTION: "action",
    Kind.SOAK: "soak",
    Kind.WILLPOWER: "Willpower",
    Kind.HUMANITY: "Humanity",
    Kind.VIRTUE: "virtue",
    Kind.INITIATIVE: "initiative",
    Kind.DAMAGE: "damage",
    Kind.OTHER: "other",
}


def stored_traits(traits: Iterable[Trait]) -> list[dict[str, str]]:
    """Traits as a roll keeps them: the sheet's own by its names for them, rows also by what somebody called them."""
    return [{"code": trait.name} | ({"name": trait.label} if "/" in trait.name else {}) for trait in traits]


def trait_words(traits: Iterable[Mapping[str, str]]) -> list[str]:
    return [trait.get("name") or label_of(trait["code"]) for trait in traits]


def own_traits(terms: Terms) -> list[str]:
    """For the statistics: the traits of a roll, "" for dice by number alone."""
    return trait_words(terms["traits"]) or [""]


def pool_words(pool: Mapping[str, Any]) -> str:
    """ "Perception + Alertness", "5 dice"."""
    return " + ".join(trait_words(pool["traits"])) or ("1 die" if pool["dots"] == 1 else f"{pool['dots']} dice")


def reckoned(traits: Iterable[Trait], pool: Pool) -> str:
    """How a pool comes about: "Dexterity 3 + Stealth 4, hurt −2"; "" for a number of dice that stands for itself."""
    named = " + ".join(f"{trait.label} {trait.rating}" for trait in traits)
    changes = (("modifier", pool.modifier), ("Burn", pool.extra_dice), ("hurt", -pool.wounds))
    changed = [f"{words} {signed(dice)}" for words, dice in changes if dice]
    return ", ".join([named or str(pool.dots), *changed]) if named or changed else ""


def describe(payload: Payload) -> dict[str, Any]:
    """The words for a card (card.card)."""
    words, difficulty = pool_words(payload["pool"]), payload["difficulty"]
    return {
        "words": words,
        "pool": {**payload["pool"], "words": words},
        "kind_words": KIND_WORDS[Kind(payload["kind"])],
        "dice": [{**die, "why": why(Role(die["role"]), difficulty)} for die in payload["dice"]],
        "headline": (degree(payload["total"]) or payload["outcome"]).capitalize(),
        "detail": detail(payload),
    }


def detail(payload: Payload) -> str:
    """How many successes, or why there are none."""
    result, roles = Result(payload["outcome"]), [die["role"] for die in payload["dice"]]
    cancelled = roles.count(Role.CANCELLED)
    if result is Result.BOTCH:
        return _botch(payload["severity"], payload.get("severity_name"))
    if result is Result.SUCCESS:
        return _count(payload["total"], "success", "successes") + _by_willpower(payload)
    if cancelled:
        struck = {1: "cancelled", 2: "both cancelled"}.get(cancelled, "all cancelled")
        return f"{_count(roles.count(Role.SUCCESS) + cancelled, 'success', 'successes')}, {struck}"
    return "no botch thanks to the Ability" if Role.SPARED in roles else "no success"


def _botch(severity: int, name: str | None) -> str:
    """A botch is called what the table calls it, unless it keeps to the usual names."""
    ones = "a 1" if severity == 1 else f"{severity} of them 1s"
    return f"{name or severity_name(severity)}: no success, {ones}"


def _by_willpower(payload: Payload) -> str:
    if not (payload["dice"] and payload["willpower"]):
        return ""
    return ", one of them by Willpower" if payload["total"] > 1 else ", by Willpower"


def _count(number: int, singular: str, many: str) -> str:
    return f"{number} {singular if number == 1 else many}"


def asked_traits(terms: Terms) -> str:
    """ "Perception + Alertness", "" where the player says what to roll."""
    return " + ".join(label_of(code) for code in terms.get("traits", ()))


def asked_pool(terms: Terms) -> str:
    """The same as it is typed into the roll form, where a number of dice is asked for as well."""
    return asked_traits(terms) or str(terms.get("dice") or "")


def request_words(terms: Terms) -> str:
    """ "Perception + Alertness, difficulty 7"."""
    kind, traits = Kind(terms["kind"]), asked_traits(terms)
    if dice := terms.get("dice"):
        traits = _count(dice, "die", "dice")
    # Traits that make it what it is say so themselves.
    said = kind is Kind.ACTION or (traits and kind in OWN_KINDS.values())
    named = "" if said else f", {KIND_WORDS[kind]}"
    return f"{traits or 'A roll'}, difficulty {terms['difficulty']}{named}"


def again(roll: Roll) -> Again:
    """Return what puts a roll into the form again: its pool, modifier, difficulty and kind, without Willpower."""
    terms, kind = roll.ask, Kind(roll.kind)
    pool = " + ".join(trait_words(terms["traits"])) or str(terms["dots"])
    said = Kind.ACTION if terms["traits"] and kind in OWN_KINDS.values() else kind
    fields = {"pool": pool, "modifier": terms["modifier"], "difficulty": terms["difficulty"], "kind": said.value}
    return Again(words=pool_words(terms), fields=fields)


def request_fields(terms: Terms) -> Terms:
    """Return what the terms of a request put into the roll form."""
    pool = asked_pool(terms)
    return {name: terms[name] for name in ("difficulty", "kind", "automatic")} | ({"pool": pool} if pool else {})
