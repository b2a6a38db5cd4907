"""Forged actions on one card, as they happen in the played campaign. In the end one waits for what follows, a set-up lies on
the table, and a trauma is to be chosen."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from campaigns.models import Clock, Membership
from characters.models import Character
from characters.services.cards import Card, make_character
from characters.services.fields import set_field
from rolls.models import Procedure
from rolls.services.procedures import act, open_procedure, take_back_step
from rules.acts import ActKey
from tests.canaries import canary
from tests.rolls.steps import newest_step

SET = {
    "position": "risky",
    "base": "standard",
    "potency": 1,
    "quality": 0,
    "scale": -1,
    "why": "a long roof",
    "ability": 0,
    "more": 0,
    "without": [],
}
SET |= {"spared_1": False, "spared_2": True, "spared_3": False, "clock": None}
INFLICTED = {"code": "harm_2", "price": False, "words": "Sprained wrist", "heat": False, "clock": None}
INFLICTED |= {"new_clock": "", "segments": 4, "filled": 0, "size": 0}
INFLICTED |= {"attribute": "prowess", "resisting": "reduces", "by": 1, "whom": None}
NEW_CLOCK = {"new_clock": "The whole street", "segments": 6, "filled": 1}

TYPED = {"over the roof", "through the gate", "together now", "look there", "a long roof", "a lost glove"}
NAMED = {"prowl", "Nim", "Tarn", "Vesk", "V", "The watch", "Sprained wrist", "Sirens", "The whole street"}
"""The texts and names that were typed."""

Dice = Callable[..., None]


def actions_happen(gm: Membership, mo: Membership, dice: Dice) -> None:
    """Play actions of Nim and Tarn, who are Mo's."""
    nim, tarn = (_scoundrel(mo, name, stress) for name, stress in (("Nim", 8), ("Tarn", 0)))
    _group(gm, mo, nim, tarn, dice)
    _against_several(gm, mo, tarn, dice)
    _set_up(gm, mo, tarn, dice)
    roof = open_procedure(mo, "forged", "action", _opens(nim), reason="over the roof", key=uuid4())
    clock = Clock.objects.running().shown().filter(campaign=gm.campaign).first()
    _step(gm, roof, "set", **SET | {"clock": clock.pk if clock else None})
    _step(mo, roof, "propose", "effect")
    _step(gm, roof, "agree")
    _step(mo, roof, "assist", f"{tarn.pk}.{nim.pk}")
    _step(gm, roof, "offer", words="a lost glove", coin=0, item="")
    _step(gm, roof, "rule_out")
    _step(gm, roof, "offer", words="a lost glove", coin=0, item="")
    _step(gm, roof, "accept", nim.pk)
    dice(4, 2, 1)
    _step(mo, roof, "roll", nim.pk)
    _step(gm, roof, "inflict", **INFLICTED | {"code": "harm_3"})
    _step(gm, roof, "inflict", **INFLICTED | {"code": "serious_complication", "words": "Sirens"} | NEW_CLOCK)
    _step(mo, roof, "armor", "c1.armor")
    _step(mo, roof, "protect", f"c2.{tarn.pk}")
    _step(mo, roof, "take_it", "c2")
    dice(5)
    _step(mo, roof, "resist", "c1")
    roof.refresh_from_db()
    trauma = Procedure.objects.get(kind="trauma", campaign=gm.campaign, closed_at=None)
    _step(gm, trauma, "choose", f"{nim.pk}.cold")
    _step(mo, open_procedure(mo, "forged", "action", _opens(tarn), key=uuid4()), "withdraw")
    _broken(gm, mo, tarn, dice)


def _group(gm: Membership, mo: Membership, nim: Character, tarn: Character, dice: Dice) -> None:
    together = open_procedure(mo, "forged", "action", _opens(nim, group=True), reason="together now", key=uuid4())
    _step(mo, together, "join", tarn.pk)
    _step(gm, together, "set", **SET)
    _step(mo, together, "roll", nim.pk)
    dice(6, 5)
    _step(mo, together, "roll", tarn.pk)


def _against_several(gm: Membership, mo: Membership, tarn: Character, dice: Dice) -> None:
    """Fight three, of whom one is left out; what came of it for one is said, undone, and said once more."""
    vesk = make_character(gm, Card("Vesk"), system="forged", key=uuid4())
    make_character(gm, Card(canary("gm", "ambush"), shown=False), system="forged", key=uuid4())
    gate = open_procedure(
        mo, "forged", "action", _opens(tarn) | {"others": "The watch"}, reason="through the gate", key=uuid4()
    )
    _step(mo, gate, "face", vesk.pk)
    _step(mo, gate, "face_others", others="Dog")
    _step(gm, gate, "leave_alone", "f2")
    _step(gm, gate, "set", **SET | {"harm": 2, "harm_name": "Sprained wrist", "source": "f1"})
    dice(5)
    _step(mo, gate, "roll", tarn.pk)
    _step(gm, gate, "drop", "c1")
    _step(gm, gate, "fare", f"{vesk.pk}.out")
    take_back_step(gm, gate.pk, step=newest_step(gate), key=uuid4())
    _step(gm, gate, "fare", f"{vesk.pk}.hurt")
    _step(gm, gate, "fare", "f1.unhurt")


def _set_up(gm: Membership, mo: Membership, tarn: Character, dice: Dice) -> None:
    """Make two set-ups by Tarn for whoever follows; for Nim one of them counts."""
    for _ in range(2):
        look = open_procedure(mo, "forged", "action", _opens(tarn, setup=True), reason="look there", key=uuid4())
        _step(gm, look, "set", **SET)
        dice(6)
        _step(mo, look, "roll", tarn.pk)
        _step(mo, look, "set_up", gives="effect")


def _broken(gm: Membership, mo: Membership, tarn: Character, dice: Dice) -> None:
    """Push until the stress track is full."""
    stress = Character.objects.get(pk=tarn.pk).number("stress")
    set_field(mo, tarn, "stress", 8, expected=stress, key=uuid4())
    last = open_procedure(mo, "forged", "action", _opens(tarn), key=uuid4())
    _step(gm, last, "set", **SET)
    take_back_step(gm, last.pk, step=newest_step(last), key=uuid4())
    _step(gm, last, "set", **SET)
    _step(mo, last, "push", f"{tarn.pk}.die")
    dice(2, 3)
    _step(mo, last, "roll", tarn.pk)


def _opens(acting: Character, **more: bool) -> dict[str, object]:
    return {"character": acting.pk, "action": "prowl", "group": False, "setup": False} | more


def _scoundrel(mo: Membership, name: str, stress: int) -> Character:
    made = make_character(mo, Card(name, "", mo), system="forged", key=uuid4())
    made = set_field(mo, made, "prowl", 1, expected=0, key=uuid4())
    made = set_field(mo, made, "armor_boxes", 1, expected=0, key=uuid4())
    return set_field(mo, made, "stress", stress, expected=0, key=uuid4()) if stress else made


def _step(by: Membership, procedure: Procedure, name: str, whom: object = "", /, **given: object) -> None:
    """Take a step in the procedure's current state."""
    procedure.refresh_from_db()
    act(by, procedure.pk, ActKey(name, str(whom)), given=given, key=uuid4())
