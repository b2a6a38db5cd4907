"""The log and the rows of forged rolls hold codes and names; what they say to people is drawn when they are read."""

from __future__ import annotations

from uuid import uuid4

from rolls.models import Roll
from rolls.services.amend import correct_roll, void_roll
from rolls.services.requests import Call, ask_for_roll, change_request
from rulesets.forged.table import RollInput
from tests.rulesets.forged.table.forged import roll, scoundrel
from tests.rulesets.told import made_up, no_codes

TYPED = {"a witness", "gut stabbed", "severe harm", "Brawl", "Prowl", "in the rain", "misread"}
NAMED = {"Gm", "Mo", "Cross", "Thorn", "skirmish", "prowl"}
"""Built-in actions stand by their names on the sheet where an action of one's own making may stand too."""


def all_kinds(play):
    """Every kind of roll with all that a card can tell, asked for, corrected and taken back."""
    cross, thorn = scoundrel(play), scoundrel(play, "Thorn", play.other)
    ask = {"character": cross.pk, "action": "skirmish", "note": "in the rain"}
    everything = {"helper": thorn.pk, "bargain": "a witness", "harm1": True, "harm2": True, "setup": True, "ability": 1}
    roll(
        play, 6, 6, 1, 2, **ask | {"character": cross} | everything, push="effect", position="desperate", effect="zero"
    )
    made = roll(play, 4, 1, 1, 2, character=cross, action="prowl", trade="effect", push="die")
    corrected = correct_roll(
        play.gm, made.pk, {"reduced": True, "position": "controlled"}, reason="misread", key=uuid4()
    )
    void_roll(play.gm, corrected.pk, key=uuid4())
    for face, position in ((1, "controlled"), (4, "controlled"), (1, "risky"), (4, "risky"), (1, "desperate")):
        roll(play, face, face, action="Brawl", rating=2, position=position)
    roll(play, 5, 2, 1, kind="resistance", character=cross, consequence="gut stabbed")
    roll(play, 6, 6, kind="fortune", by=play.gm, trait=3, advantages=1, disadvantages=2)
    asked = Call(RollInput(action="Prowl", position="desperate", effect="great"))
    request = ask_for_roll(play.gm, asked, member=play.mo.pk, key=uuid4())
    harm = Call(RollInput(kind="resistance", attribute="resolve", consequence="severe harm", resisting="avoids"))
    for call in (harm, Call(RollInput(kind="fortune", trait=2))):
        change_request(play.gm, request.pk, call, key=uuid4())


def rolled(play):
    return [event for event in play.events() if event.kind.startswith("rolls.")]


def test_the_log_holds_no_words_of_ours(play):
    all_kinds(play)
    assert made_up(rolled(play)) == TYPED | NAMED


def test_the_rows_hold_no_words_of_ours(play):
    all_kinds(play)
    assert {one.kind for one in Roll.objects.all()} == {"action", "resistance", "fortune"}
    assert no_codes(Roll.objects.all()) <= TYPED


def test_the_words_of_every_code_are_drawn(play):
    all_kinds(play)
    told = [event.described for event in rolled(play) if event.kind == "rolls.roll_made"]
    assert [step["why"] for step in told[0]["steps"]] == [
        "special ability",
        "set-up",
        "push",
        "level 1 harm",
        "critical",
    ]
    assert [extra["words"] for extra in told[0]["extras"]] == ["help of Thorn", "Devil’s Bargain", "harm"]
    assert [cost["why"] for cost in told[0]["costs"]] == ["push", "help"]
    assert [die["why"] for die in told[0]["dice"]] == [
        *("the highest", "another 6: a critical", "not the highest", "not the highest")
    ]
    menus = {item for payload in told for item in payload.get("follows", {}).get("menu", [])}
    assert {
        "reduced effect",
        "lost opportunity",
        "lesser harm (level 1)",
        "now risky",
        "complication (2 ticks)",
    } <= menus
    assert not any("_" in words for words in menus)
