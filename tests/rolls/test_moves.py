"""Moves: a press fills in the roll form, the server binds what is rolled, and the roll keeps the move as it was then."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.access import viewer_of
from campaigns.errors import Invalid
from campaigns.kinds import TextCategory
from campaigns.services.erasing import Texts
from campaigns.text import ERASED
from characters.services import set_field
from characters.views.active_character import hand_of
from languages.text import gettext_lazy
from rolls.erasing import erase_rows
from rolls.forms.base import MoveField
from rolls.models import Roll
from rolls.moves import MOVE, Move, Moves, described
from rolls.queries.kept import kept_rolls
from rolls.queries.moves import moves_for
from rolls.registry import RULESETS
from rolls.services.amend import correct_roll, void_roll
from rolls.views.composer import roll_composer
from rulesets.arc.ruleset import Arc
from tests.stored import stored

PICK = Move(
    id="pick_a_lock",
    name="Pick a lock",
    rolls="control",
    when="When you open what is locked.",
    results={"success": "It opens.", "failure": "Somebody comes."},
)
LAZY = Move(
    id="force_a_door",
    name=gettext_lazy("Force a door"),
    rolls="control",
    results={"success": gettext_lazy("It breaks.")},
)
CLIMB = Move(id="climb", name="Climb", rolls="build", playbook="Thief")


class ArcForm(Arc.form):
    roll_input = Arc.form.roll_input

    move = MoveField()


@pytest.fixture(autouse=True)
def moves(monkeypatch) -> Moves:
    """Return moves for VI-VIII-X, for these tests."""
    moves = Moves(slot="stat", numbers=("control", "build"), own=(PICK, CLIMB), playbook="morality")
    monkeypatch.setattr(RULESETS["arc"], "moves", moves)
    monkeypatch.setattr(RULESETS["arc"], "form", ArcForm)
    return moves


def pressable(checks, member, character) -> list[str]:
    viewer = viewer_of(member.user, {}, checks.campaign.slug)
    hand = hand_of(viewer, str(character.pk))
    return [move["name"] for move in roll_composer(viewer, hand, "arc")["moves"]]


def test_a_move_rolls_its_number_and_the_log_names_it(checks):
    roll = checks.roll(1, move="pick_a_lock", stat="", skill="tamper")
    assert roll.event.payload["move"] == {"id": "pick_a_lock"}
    described = roll.event.described
    assert described["move"]["name"] == "Pick a lock"
    assert described["words"].startswith("Pick a lock: Control")
    assert "It opens." not in stored(), "The game's own words are no part of the log."


def test_what_it_says_follows_the_result_of_a_corrected_roll(checks):
    roll = checks.roll(4, by=checks.gm, character=checks.silas.pk, move="pick_a_lock", stat="", skill="tamper")
    for threshold, result in ((100, "failure"), (0, "success")):
        roll = correct_roll(checks.gm, roll.pk, {"threshold": threshold}, key=uuid4())
        assert roll.outcome["result"] == result
        assert roll.event.described["move"]["says"] == PICK.results[result]
    void_roll(checks.gm, roll.pk, key=uuid4())
    assert checks.told()[-1].described["words"].startswith("Pick a lock: ")


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"move": "pick_a_lock", "stat": "build"}, "stat"),
        ({"move": "climb", "stat": ""}, "move"),
        ({"move": "fly", "stat": ""}, "move"),
        ({"move": "pick_a_lock", "stat": "", "character": None}, "move"),
    ],
    ids=["another number than it rolls", "of another playbook", "that there is not", "without a character"],
)
def test_a_move_is_refused(checks, asked, field):
    with pytest.raises(Invalid) as refused:
        checks.roll(1, by=checks.gm, **{"character": checks.silas.pk, "skill": ""} | asked)
    assert refused.value.field == field
    assert not Roll.objects.exists()


def test_only_who_rolls_for_a_character_can_press_its_moves(checks):
    assert pressable(checks, checks.mo, checks.silas) == ["Pick a lock"]
    assert pressable(checks, checks.gm, checks.silas) == ["Pick a lock"]
    assert pressable(checks, checks.other, checks.silas) == []


def test_lazy_words_of_a_move_are_plain_where_its_roll_is_read():
    moves = Moves(slot="stat", numbers=("control",), own=(LAZY,))
    words = described(moves, {"id": LAZY.id}, "success")
    assert json.loads(json.dumps(words)) == {"id": "force_a_door", "name": "Force a door", "says": "It breaks."}


def test_a_playbook_has_moves_of_its_own(checks):
    silas = set_field(checks.mo, checks.silas, "morality", "thief", expected="", key=uuid4())
    assert [move.name for move in moves_for(silas)] == ["Pick a lock", "Climb"]


def test_the_last_rolls_are_rolled_again_as_the_moves_that_they_were(checks):
    checks.roll(1, move="pick_a_lock", stat="", skill="tamper")
    fields = kept_rolls(checks.mo, checks.silas)["recent"][0]["fields"]
    assert fields["move"] == "pick_a_lock" and fields["stat"] == "Control"


def test_what_a_row_said_is_erased_from_the_rolls_that_keep_it(checks):
    roll = checks.roll(1, move="pick_a_lock", stat="", skill="tamper")
    roll.ask[MOVE] = {"id": "moves/4f2a", "name": "Whistle", "results": {"success": "A xylophone plays."}}
    roll.save()
    texts = Texts()
    texts.add(TextCategory.SHEET, "A xylophone plays.")
    erase_rows(sender=None, member=checks.gm, texts=texts)
    kept = Roll.objects.get(pk=roll.pk).ask[MOVE]
    assert kept == {"id": "moves/4f2a", "name": "Whistle", "results": {"success": ERASED}}


def test_the_odds_of_a_move_are_those_of_its_number(checks, cast):
    url = reverse("odds", args=[checks.campaign.slug])
    asked = {"system": "arc", "kind": "check", "character": checks.silas.pk, "skill": "tamper"}
    by_move, by_name = (
        cast.gm.client.get(url, asked | {name: value}).content.decode()
        for name, value in (("move", "pick_a_lock"), ("stat", "control"))
    )
    assert by_move == by_name and "%" in by_move
