"""What a GM may ask for in VI-VIII-X: a check, an opposed check that somebody may counter, or a reaction.

Scores are never part of it: the KS and the ES are the sheet's, and the US no player may read.
"""

from __future__ import annotations

from campaigns.errors import Invalid
from characters.sheets import arc as sheet
from rolls.rules.arc import LARGEST_OTHER
from rolls.rules.arc_settings import THRESHOLDS, Level
from rolls.rules.errors import whole, word
from rolls.services.facts import signed
from rolls.services.refusal import by_the_rules
from rolls.services.systems.arc.ask import Ask, Kind, at_field
from rolls.services.systems.base import Looker, Requested, Roller, Terms
from rolls.services.systems.requested import as_requested, named

ASKED = (Kind.CHECK, Kind.OPPOSED, Kind.REACTION)


def request(looker: Looker, ask: Ask) -> Requested:
    """ "Control + Tamper, average threshold, other −2". Raises Invalid."""
    with by_the_rules():
        kind = word("kind", ask.kind, Kind)
        other = whole("other", ask.other, -LARGEST_OTHER, LARGEST_OTHER)
    if kind not in ASKED:
        raise Invalid("Ask for a check, an opposed check or a reaction.", field="kind")
    terms: Terms = {"kind": kind.value}
    if kind is Kind.REACTION:
        return Requested(terms=terms, words="Reaction")
    names = _names(ask)
    words = [" + ".join(name[:1].upper() + name[1:] for name in names.values()) or "A check"]
    terms |= names | {"other": other}
    if kind is Kind.CHECK:
        terms |= _threshold(ask)
        words.append(f"{ask.level} threshold" if ask.threshold is None else f"threshold {ask.threshold}")
    else:
        words.append("opposed")
    return Requested(terms=terms, words=", ".join([*words, f"other {signed(other)}"] if other else words))


def bound(roller: Roller, ask: Ask) -> Ask:
    """The ask with the GM's terms. Raises Stale, and Invalid for a counter, which is seen by other eyes than the GM has said."""
    if roller.request is None:
        return ask
    if ask.against is not None and roller.request.terms["kind"] == Kind.OPPOSED:
        raise Invalid("The GM asks for a check of its own. Counter another check by its card.", field="against")
    return as_requested(ask, roller.request.terms)


def _names(ask: Ask) -> Terms:
    """The stat as every sheet calls it, the skill as the GM does, since skills are each sheet's own."""
    for field, typed in (("stat", ask.ks), ("skill", ask.es)):
        if typed is not None:
            raise Invalid("Name it, or leave it to the player: the score is the sheet’s.", field=field)
    names = named(stat=ask.stat, skill=ask.skill)
    if "stat" in names:
        with at_field("stat"):
            names["stat"] = sheet.find_stat({}, names["stat"]).label
    return names


def _threshold(ask: Ask) -> Terms:
    with by_the_rules():
        if ask.threshold is not None:
            whole("threshold", ask.threshold, *THRESHOLDS)
        return {"level": word("level", ask.level, Level).value, "threshold": ask.threshold}
