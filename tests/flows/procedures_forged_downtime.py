"""A forged crew between scores, as it happens in the played campaign: loads, an engagement, a flashback, and a downtime that
goes on in the end."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from campaigns.models import Membership
from characters.models import Character
from characters.services.cards import Card, make_character
from characters.services.fields import add_row, set_field
from rolls.models import Procedure
from rolls.services.procedures import act, open_procedure, take_back_step
from rules.acts import ActKey
from tests.rolls.steps import newest_step

FORTUNE = {
    **{
        f"a_{name}": value
        for name, value in {"name": "The tide", "trait": 2, "advantages": 1, "disadvantages": 0}.items()
    },
    **{
        f"b_{name}": value
        for name, value in {"name": "The boat", "trait": 1, "advantages": 0, "disadvantages": 0}.items()
    },
    "opposed": True,
    **{f"{side}_{name}": value for side in "ab" for name, value in {"push": None, "more": 0, "why": ""}.items()},
}
SCORE = {"take": "small", "extra": 0, "target": 1, "exposure": "wild", "war": False}
SCORE |= dict.fromkeys(("prominent", "hostile_turf", "killing"), True)
ACTIVITY = {"action": "prowl", "clock": None, "project": "", "thing": "", "segments": 6, "healer": "", "track": ""}
ACTIVITY |= {"friend": True, "push": False}

TYPED = {"the first evening", "a bribe", "by the cellar", "after the cellar"}
NAMED = {"Nell", "The Gutters", "A lantern", "Bruised", "A tunnel", "The boat", "The tide"}
"""The texts and names that were typed."""

Dice = Callable[..., None]


def downtime_happens(gm: Membership, mo: Membership, dice: Dice) -> None:
    """Play a downtime of Nell, who is Mo's, and the crew of the Gutters."""
    a_score_happens(gm, mo, a_crew_comes(gm, mo), dice)


def a_crew_comes(gm: Membership, mo: Membership) -> Character:
    """Make Nell, with some stress, harm and items, and the crew. Return Nell."""
    nell = make_character(mo, Card("Nell", "", mo), system="forged", key=uuid4())
    nell = set_field(mo, nell, "stress", 4, expected=0, key=uuid4())
    add_row(mo, nell, "items", {"name": "A lantern", "load": 1}, key=uuid4())
    add_row(mo, nell, "harm_1", {"name": "Bruised"}, key=uuid4())
    crew = make_character(gm, Card("The Gutters"), system="forged", is_crew=True, key=uuid4())
    set_field(gm, crew, "heat", 3, expected=0, key=uuid4())
    return nell


def a_score_happens(gm: Membership, mo: Membership, nell: Character, dice: Dice) -> None:
    loads = open_procedure(gm, "forged", "load", {}, key=uuid4())
    _step(mo, loads, "choose", whom=f"{nell.pk}.normal")
    nell.refresh_from_db()
    _step(mo, loads, "carry", whom=str(nell.pk), item=nell.sheet["items"][0]["id"])
    plan = open_procedure(gm, "forged", "engage", {}, reason="by the cellar", key=uuid4())
    _step(gm, plan, "turn", whom="bold")
    dice(6, 6)
    _step(gm, plan, "roll")
    dice(6, 4, 1, 5)
    open_procedure(gm, "forged", "fortune", FORTUNE, key=uuid4())
    past = open_procedure(mo, "forged", "flashback", {"character": nell.pk}, reason="a bribe", key=uuid4())
    _step(gm, past, "set", whom="1")
    _step(mo, past, "accept", whom=str(nell.pk))
    _downtime(gm, mo, dice)


def _downtime(gm: Membership, mo: Membership, dice: Dice) -> None:
    downtime = open_procedure(gm, "forged", "downtime", SCORE, reason="after the cellar", key=uuid4())
    dice(4)
    _step(gm, downtime, "write")
    _step(gm, downtime, "choose", whom="0.1")
    dice(6)
    _take(mo, downtime, "project", project="A tunnel")
    take_back_step(gm, downtime.pk, step=newest_step(downtime), key=uuid4())
    dice(4)
    _take(mo, downtime, "heat")
    _step(gm, downtime, "prison", who="")
    dice(6, 6)
    _take(mo, downtime, "vice")
    _experience(gm, mo)


def _experience(gm: Membership, mo: Membership) -> None:
    """Begin to answer questions for xp; the crew's stay open."""
    asked = open_procedure(gm, "forged", "experience", {}, reason="the first evening", key=uuid4())
    nell = Character.objects.get(campaign=gm.campaign, name="Nell")
    _step(mo, asked, "answer", whom=str(nell.pk), playbook=2, trouble=1, trouble_on="resolve_xp")


def _take(by: Membership, downtime: Procedure, kind: str, **given: object) -> None:
    nell = Character.objects.get(campaign=by.campaign, name="Nell")
    _step(by, downtime, "take_activity", whom=str(nell.pk), **ACTIVITY | {"kind": kind} | given)


def _step(by: Membership, procedure: Procedure, step: str, /, whom: str = "", **given: object) -> None:
    act(by, procedure.pk, ActKey(step, whom), given=given, key=uuid4())
