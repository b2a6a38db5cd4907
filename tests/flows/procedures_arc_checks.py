"""Checks of VI-VIII-X that the table settles, as they happen in the played campaign; one goes on, half rolled."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from campaigns.models import Membership
from characters.models import Character
from rolls.models import Audience, Procedure, Roll
from rolls.services import rolls
from rolls.services.procedures import act, open_procedure
from rolls.services.rolls import make_roll
from rules.acts import ActKey
from rulesets.arc.rules.check import Chip, Typed
from rulesets.arc.terms import ArcInput
from tests.rulesets.arc.samples import BLANK

RAIN = {"side": "", "word": "Ashes", "value": "-1", "special": None}
GUARD = {"ks": 9, "us": 7, "es": 5}


def checks_happen(gm: Membership, mo: Membership, thief: Character, dice: Callable[..., None]) -> None:
    """Announced with a chip and set; against a guard in any order, taken back and rolled again; withdrawn; and one that waits."""

    def begin(by: Membership, **given: object) -> Procedure:
        mine = {"character": thief.pk}
        return open_procedure(
            by, "arc", "check", BLANK | {"skill": "tamper"} | mine | given, reason="before dawn", key=uuid4()
        )

    def press(by: Membership, one: Procedure, step: str, whom: str = "", **given: object) -> None:
        act(by, one.pk, ActKey(step, whom), given=given, key=uuid4())

    def roll(by: Membership, one: Procedure, part: str, face: int, **ask: object) -> Roll:
        request = one.requests.get(part=part, closed_at=None)
        terms = {name: request.terms[name] for name in ("kind", "other", "level", "threshold") if name in request.terms}
        dice(face)
        return make_roll(by, ArcInput(request=request.pk, **terms, **ask), audience=Audience.TABLE, key=uuid4())

    lantern = Typed(1, (Chip(word="Shadows", value=1),))
    one = begin(mo, other=lantern)
    press(mo, one, "chip", **RAIN)
    press(gm, one, "count", "c1")
    press(gm, one, "drop", "c2")
    press(gm, one, "level", "difficult")
    roll(mo, one, "a", 5, character=thief.pk)
    for first, second in (("a", "b"), ("b", "a")):
        both = begin(gm, against_name="Rat", fight=True)
        sides = {"a": (mo, {"character": thief.pk}), "b": (gm, GUARD)}
        roll(sides[first][0], both, first, 5, **sides[first][1])
        last = roll(sides[second][0], both, second, 8, **sides[second][1])
        rolls.void_roll(gm, last.pk, reason="slipped", key=uuid4())
        roll(sides[second][0], both, second, 4, **sides[second][1])
    press(mo, begin(mo), "withdraw")
    waits = begin(mo)
    press(mo, waits, "chip", **RAIN)
    press(gm, waits, "oppose", character=None, name="Dog", stat="", skill="", fight=True)
    roll(mo, waits, "a", 5, character=thief.pk)
