"""The card of a roll of pool against pool: its payload, and the words for it, drawn whenever it is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from campaigns.kinds import Payload
from campaigns.schema import Code, Name, Ref, Schema
from characters.models import Character
from languages.text import gettext_lazy, pgettext_lazy
from rolls.models import Roll
from rolls.table_rules import CardDie
from rules.messages import Message, Words, capital, joined, ngettext, worded
from rules.messages import gettext as _
from rulesets.descriptors.rules.contest import SOMEBODY, Outcome, Role, Side, called, why
from rulesets.descriptors.rules.will import Falls
from rulesets.descriptors.settings import DEFAULTS, Settings
from rulesets.descriptors.table.ask import SideTerms, rated, stored_pool

RESULTS = {Side.A: "win", Side.B: "loss", None: "stalemate"}
HEADLINES = {
    "win": pgettext_lazy("opposed roll", "Win"),
    "loss": pgettext_lazy("opposed roll", "Loss"),
    "stalemate": gettext_lazy("Stalemate"),
}


TOLD: Final = ("entries", "unnamed", "extra", "spent", "gained", "pays", "out")
"""What a card tells of the terms of a side."""


class Versus(SideTerms):
    character: Ref | None = None
    name: Name


class Die(CardDie):
    side: Code


class Followed(Schema):
    """One thing that followed from a roll, in logs from before contests settled that: a hit (`who`, `box`, `injury`, `out`), a
    Scene Descriptor that was made (`name`, `dice`), or that sticks (also `to` and `payer`)."""

    what: Code
    who: Name | None = None
    box: int | None = None
    injury: int | None = None
    out: bool | None = None
    name: Name | None = None
    dice: int | None = None
    to: Name | None = None
    payer: Name | None = None


class After(Schema):
    """Older cards knew no track, and said what falls on one that is free: `box`, `last`, `injury_instead`."""

    dice: int
    falls: Falls | None = None
    box: int | None = None
    last: bool | None = None
    injury_instead: bool | None = None


class Card(Schema):
    """The card of a roll. `bound`: a procedure made it, once all were ready, so it does not belong to who pressed last.
    `both` sides are player characters.
    """

    a: SideTerms
    b: Versus
    winner: Code | None = None
    successes: int
    target: int | None = None
    dice: list[Die]
    after: After | None = None
    done: list[Followed]
    bound: bool | None = None
    both: bool | None = None


class TakenBack(Schema):
    unfollowed: bool | None = None


def followed(roll: Roll) -> list[dict[str, Any]]:
    """Return what followed from an older roll (Followed), without its sheet steps; [] for newer rolls."""
    return [
        {"what": what} | {name: value for name, value in follow.items() if name != "done"}
        for what, follow in roll.outcome.get("follows", {}).items()
    ]


def opponent_of(roll: Roll) -> Character | None:
    """Return the character on the other side, as it is now."""
    wanted = roll.ask["opponent"]
    people = Character.objects.select_related("owner__user")
    return people.get(campaign=roll.campaign_id, pk=UUID(wanted)) if wanted else None


def stored_outcome(outcome: Outcome) -> dict[str, Any]:
    """Return an Outcome as the Roll keeps it. It has no names: a hidden character may have another name later."""
    return {
        "result": RESULTS[outcome.winner],
        "winner": outcome.winner.value if outcome.winner else None,
        "successes": outcome.successes,
        "target": outcome.target_number,
        "dice": [
            {"face": die.face, "side": side.value, "role": die.role.value}
            for side in Side
            for die in outcome.dice(side)
        ],
    }


def after(successes: int, loser: SideTerms, settings: Settings = DEFAULTS) -> dict[str, Any]:
    """Return what may follow (descriptors.txt, "What does success do?"): the dice of the winner's Scene Descriptor, and
    the hit on the loser; none without a sheet.
    """
    if loser.crossed is None:  # of an older roll, which is corrected: what settles it asks the sheet
        return {"dice": successes}
    falls = loser.falls(successes, settings)
    return {"dice": successes, "falls": falls.model_dump() if falls else None}


HIT, MADE, STUCK = "hit", "made", "stuck"

ROLE_WORDS: Final = {
    Role.IGNORED: gettext_lazy("Ignored: {why}"),
    Role.TARGET: gettext_lazy("Target number: {why}"),
    Role.SUCCESS: gettext_lazy("Success: {why}"),
    Role.BELOW: gettext_lazy("No success: {why}"),
    Role.OVER: gettext_lazy("Left over: {why}"),
}
LOOKS: Final = {
    Role.IGNORED: "ignored",
    Role.TARGET: "target",
    Role.SUCCESS: "success",
    Role.OVER: "success",
    Role.BELOW: "below",
}
"""The look of each die by its role: dice that win by their face or by being left over look the same."""


def falls_of(payload: Payload) -> Words:
    """Return words for the hit on the loser, as the contest that settles it has them; "" if there is none."""
    after = payload["after"]
    if not after or not payload["winner"]:
        return ""
    b, actor = payload["b"]["name"] or SOMEBODY, payload.get("character") or payload.get("who") or {}
    loser = b if payload["winner"] == Side.A else actor.get("name", "")
    if "falls" in after:
        return falls_words(Falls.model_validate(after["falls"]) if after["falls"] else None, loser, after["dice"])
    if "box" not in after:
        return ""
    words = [_("{name} crosses off box {box} if it’s free.", name=called(loser), box=after["box"])]
    words += [_("It’s the last box: {name} is out of the scene.", name=called(loser))] if after["last"] else []
    return _joined([*words, *_instead(after["dice"] if after["injury_instead"] else 0, called(loser))])


def falls_words(falls: Falls | None, loser: str, successes: int) -> Message:
    """Return words such as "Box 4 is gone, so Bob crosses off box 5 and takes a level 5 Injury."; of who has no sheet, how large
    the hit is."""
    name = called(loser)
    if falls is None:
        return _("A hit of {successes} on {name}, who has no sheet here.", successes=successes, name=name)
    return _joined([_falling(falls, name), *_out(falls, name), *_instead(falls.instead, name)])


def _falling(falls: Falls, name: Words) -> Message:
    if falls.gone and falls.box:
        return _(
            "Box {gone} is gone, so {name} crosses off box {box} and takes a level {injury} Injury.",
            gone=falls.gone,
            name=name,
            box=falls.box,
            injury=falls.injury,
        )
    if falls.gone:
        return _(
            "Box {gone} is gone and no higher box is free, so {name} takes a level {injury} Injury.",
            gone=falls.gone,
            name=name,
            injury=falls.injury,
        )
    if falls.injury:
        return _(
            "{name} crosses off box {box} and takes a level {injury} Injury.",
            name=name,
            box=falls.box,
            injury=falls.injury,
        )
    return _("{name} crosses off box {box}.", name=name, box=falls.box)


def taken_words(falls: Falls, loser: str, injury: str, *, instead: bool) -> Message:
    """Return words for what the loser has taken, with the `injury`'s name: "Bob crossed off box 5 and took a level 5
    Injury: Broken rib."; `instead`: it was an Injury instead of a box.
    """
    name, named = called(loser), {"level": falls.injury, "injury": injury}
    if instead:
        words = _(
            "{name} took a level {level} Injury instead of crossing off a box: {injury}.",
            name=name,
            level=falls.instead,
            injury=injury,
        )
        return _joined([words])
    if falls.box and falls.injury:
        words = _(
            "{name} crossed off box {box} and took a level {level} Injury: {injury}.",
            name=name,
            box=falls.box,
            **named,
        )
    elif falls.injury:
        words = _("{name} took a level {level} Injury: {injury}.", name=name, **named)
    else:
        words = _("{name} crossed off box {box}.", name=name, box=falls.box)
    return _joined([words, *_out(falls, name)])


def _out(falls: Falls, name: Words) -> list[Message]:
    return [_("{name} is out of the scene.", name=name)] if falls.out else []


def _instead(level: int, name: Words) -> list[Message]:
    return [_("{name} may take a level {level} Injury instead.", name=name, level=level)] if level else []


def _joined(sentences: Sequence[Message]) -> Message:
    return joined(" ", map(capital, sentences))


def detail(payload: Mapping[str, Any]) -> Message:
    """Return how many successes, and what decided."""
    dice = payload["dice"]
    if payload["winner"] is None:
        return _("the same dice on both sides") if dice else _("no dice on either side")
    count, target = payload["successes"], payload["target"]
    if target is not None:
        return ngettext(
            "{count} success, target number {target}",
            "{count} successes, target number {target}",
            count,
            target=target,
        )
    if any(die["role"] == Role.IGNORED for die in dice):
        return ngettext(
            "{count} success: all pairs are equal, and more dice win",
            "{count} successes: all pairs are equal, and more dice win",
            count,
        )
    return ngettext("{count} success: no dice against it", "{count} successes: no dice against it", count)


def cost_words(side: Mapping[str, Any]) -> str:
    """Return words for what a side paid and gained, or owes without a sheet: "2 Will paid, 1 Will gained"."""
    spent, gained = side["spent"], side["gained"]
    if side["pays"]:
        words = (_("{count} Will paid", count=spent), _("{count} Will gained", count=gained))
    else:
        words = (_("{count} Will to pay", count=spent), _("{count} Will to gain", count=gained))
    return ", ".join(str(one) for one, count in zip(words, (spent, gained), strict=True) if count)


def side_told(payload: Payload, which: Side) -> dict[str, Any]:
    side, faces = payload[which], [die["face"] for die in _ranked(payload, which)]
    pool = stored_pool(side)
    return {**side, "words": pool.told, "burn": str(pool.burn), "faces": faces, "costs": cost_words(side)}


def _ranked(payload: Mapping[str, Any], side: Side) -> list[dict[str, Any]]:
    """Return the dice of a side from the highest down; of equal ones the first that fell."""
    return sorted((die for die in payload["dice"] if die["side"] == side), key=lambda die: -int(die["face"]))


def pairs(payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return dice of equal rank side by side, from the highest down; None where one side has no more. The first that differ
    decide."""
    a, b = ([_drawn(die, payload) for die in _ranked(payload, side)] for side in Side)
    decides = sum(die["look"] == LOOKS[Role.IGNORED] for die in a) if payload["winner"] else None
    return [
        {"a": a[rank] if rank < len(a) else None, "b": b[rank] if rank < len(b) else None, "decides": rank == decides}
        for rank in range(max(len(a), len(b)))
    ]


def _drawn(die: Mapping[str, Any], payload: Mapping[str, Any]) -> dict[str, Any]:
    role = Role(die["role"])
    because = why(role, die["face"], payload["target"], wins=die["side"] == payload["winner"])
    drawn = {"face": die["face"], "look": LOOKS[role], "why": worded(ROLE_WORDS[role], why=because)}
    return drawn | {name: die[name] for name in ("given", "given_to") if die.get("given")}


def follow_words(done: Mapping[str, Any]) -> Message:
    """Return one thing that followed from a roll, in logs from before a contest settled that."""
    if done["what"] == HIT:
        name = done["who"]
        sentences = [_("{name} crossed off box {box}.", name=name, box=done["box"])] if done["box"] else []
        sentences += (
            [_("{name} took a level {level} Injury.", name=name, level=done["injury"])] if done["injury"] else []
        )
        sentences += [_("{name} is out of the scene.", name=name)] if done["out"] else []
        return joined(" ", sentences)
    descriptor = rated(done["name"], done["dice"])
    if done["what"] == MADE:
        return _("Scene Descriptor: {descriptor}.", descriptor=descriptor)
    return _(
        "{descriptor} stuck to {bearer}. {payer} paid 1 Will.",
        descriptor=descriptor,
        bearer=done["to"],
        payer=done["payer"],
    )


def describe_follow(payload: Payload) -> dict[str, Any]:
    """Return the words for the event: of this consequence, and of all so far."""
    said = {step["what"]: str(follow_words(step)) for step in payload["done"]}
    return {"words": said[payload["what"]], "done": list(said.values())}
