"""What a roll writes on sheets goes with it: done once, otherwise when it is corrected, undone when it is taken back."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict
from characters.models import Character
from characters.reasons import ROLL, Reason
from characters.sheets.steps import Add, Put, Shift
from rolls.models import Procedure, Roll
from rolls.registry import RULESETS
from rolls.services.rolls import correct_roll, void_roll
from rules.effects import Write
from rules.table import Sheet
from tests.characters.operations import put
from tests.rolls.wager import MARK, Mark

TAUGHT = Reason("test_taught", "a lesson")


def writes(roll: Roll) -> list[Write]:
    """Return writes as another package may have them: Willpower costs a point, a failure teaches the roller 2 and
    Corvina 1, and a success makes the roller known.
    """
    own = str(roll.character_id)
    spent = [Write(character=own, steps=(Shift("willpower_now", -1),), why=ROLL)] if roll.ask["willpower"] else []
    if roll.outcome["result"] == "success":
        known = (Add("backgrounds", {"name": "Known", "rating": 1}), Put("nature", "A hero"))
        return [*spent, Write(character=own, steps=known, why=TAUGHT)]
    corvina = str(Character.objects.get(name="Corvina").pk)
    taught = [Write(character=one, steps=(Shift("xp", xp),), why=TAUGHT) for one, xp in ((own, 2), (corvina, 1))]
    return [*spent, *taught]


class Learner(Sheet):
    sheet = "storyteller"

    xp: int = 0
    nature: str = ""

    def settle(self, table):
        if self.xp >= 20:
            self.nature = "Sage"
        if self.xp >= 10 and not table.all(Mark):
            table.begin(Mark, name="Wise")


@pytest.fixture(autouse=True)
def writing(monkeypatch):
    """Storyteller rolls write that; whoever has 10 XP gets a mark, and a sage has 20."""
    there = RULESETS["storyteller"]
    monkeypatch.setattr(there.table, "writes", writes)
    monkeypatch.setattr(there, "procedures", {**there.procedures, "mark": MARK})
    monkeypatch.setattr(there, "rows", (Learner,))


def correct(play, roll, **changes):
    return correct_roll(play.gm, roll.pk, changes, key=uuid4())


def void(play, roll):
    void_roll(play.gm, roll.pk, key=uuid4())


def sheet(character):
    character.refresh_from_db()
    known = [row["name"] for row in character.rules.rows(character.values, "backgrounds")]
    return {name: character.value(name) for name in ("xp", "willpower_now", "nature")} | {"known": known}


def both(play):
    return sheet(play.silas), sheet(play.corvina)


def marks():
    return list(Procedure.objects.filter(kind="mark", closed_at=None))


def test_sheets_follow_a_correction_and_are_as_before_once_it_is_taken_back(play):
    before = both(play)
    roll = play.roll(5, 4, 2)
    assert (sheet(play.silas)["xp"], sheet(play.corvina)["xp"]) == (2, 1)
    right = correct(play, roll, difficulty=4)
    assert sheet(play.silas) == before[0] | {"nature": "A hero", "known": ["Known"]}
    assert sheet(play.corvina) == before[1]
    wrong = correct(play, right, difficulty=6)
    assert (sheet(play.silas), sheet(play.corvina)["xp"]) == (before[0] | {"xp": 2}, 1)
    void(play, wrong)
    assert both(play) == before


def test_each_correction_says_in_the_log_why_a_sheet_has_changed(play):
    roll = play.roll(5, 4, 2)
    correct(play, roll, difficulty=4)
    events = [*play.events(play.mo.stream), *play.events(play.other.stream)]
    told = [event.payload for event in events if event.payload.get("cell", {}).get("field") == "xp"]
    causes = [(one["before"], one["after"], one["cause"]) for one in told]
    assert sorted(causes) == [
        (0, 1, "test_taught"),
        (0, 2, "test_taught"),
        (1, 0, "roll_corrected"),
        (2, 0, "roll_corrected"),
    ]


def test_what_is_written_as_before_is_not_written_again(play):
    roll = play.roll(5, 4, willpower=True)
    assert sheet(play.silas)["willpower_now"] == 3
    put(play.mo, play.silas, "willpower_now", 6, 3)
    told = len(play.events())
    noted = correct(play, roll, note="in the rain")
    assert sheet(play.silas)["willpower_now"] == 6
    assert "characters.field_changed" not in [event.kind for event in play.events()[told:]]
    void(play, noted)
    assert sheet(play.silas)["willpower_now"] == 6  # as far as there is room


def test_what_somebody_marked_since_stays(play):
    roll = play.roll(5, 4, 2)
    put(play.other, play.corvina, "xp", 5, 1)
    correct(play, roll, difficulty=4)
    assert (sheet(play.silas)["xp"], sheet(play.corvina)["xp"]) == (0, 4)


def test_what_cannot_be_undone_any_more_is_said_and_changes_nothing(play):
    roll = play.roll(9, 8, 7)
    put(play.mo, play.silas, "nature", "A coward", "A hero")
    before = both(play)
    with pytest.raises(Conflict):
        correct(play, roll, difficulty=10)
    assert both(play) == before
    assert Roll.objects.filter(voided_at=None).get() == roll


def test_what_somebody_has_undone_by_hand_stands_in_nobody_s_way(play):
    roll = play.roll(9, 8, 7)
    put(play.mo, play.silas, "nature", "", "A hero")
    void(play, roll)
    assert (sheet(play.silas)["nature"], sheet(play.silas)["known"]) == ("", [])


def test_what_begins_with_a_sheet_follows_a_correction_too(play):
    put(play.mo, play.silas, "xp", 8, 0)
    roll = play.roll(5, 4, 2)
    assert len(marks()) == 1
    noted = correct(play, roll, note="again")
    assert len(marks()) == 1
    right = correct(play, noted, difficulty=4)
    assert marks() == []
    wrong = correct(play, right, difficulty=6)
    assert len(marks()) == 1
    void(play, wrong)
    assert (marks(), sheet(play.silas)["xp"]) == ([], 8)


def test_what_follows_on_a_sheet_alone_goes_with_what_it_follows_from(play):
    put(play.mo, play.silas, "xp", 18, 0)
    roll = play.roll(5, 4, 2)
    assert (sheet(play.silas)["xp"], sheet(play.silas)["nature"]) == (20, "Sage")
    noted = correct(play, roll, note="in the rain")
    assert sheet(play.silas)["nature"] == "Sage"
    void(play, noted)
    assert (sheet(play.silas)["xp"], sheet(play.silas)["nature"]) == (18, "")


def test_a_roll_of_a_version_that_kept_nothing_gives_back_what_its_rules_say(play):
    roll = play.roll(5, 4, willpower=True)
    Roll.objects.filter(pk=roll.pk).update(written=None)
    void(play, correct(play, roll, note="older"))
    assert (sheet(play.silas)["willpower_now"], sheet(play.silas)["xp"], sheet(play.corvina)["xp"]) == (4, 0, 0)
