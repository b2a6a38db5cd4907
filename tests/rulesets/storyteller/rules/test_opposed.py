"""Opposed actions: what is announced, set and called off, and whoever rolls, in whatever order."""

from __future__ import annotations

import pytest
from django.utils import translation

from rules.errors import RuleError
from rules.procedures import SOMEONE, named
from rules.table import Held, Table
from rulesets.storyteller.procedures.opposed import OnTie, Opposed, Until
from rulesets.storyteller.rows import Person, Side
from rulesets.storyteller.settings import DEFAULTS
from tests.answers import refusal
from tests.rulesets.storyteller.rules.playing import SILAS, asked, offered, roll, take


def begun(**terms):
    sides = {"a": Side(name="Silas", character="silas"), "b": Side(name="Vesper", character="vesper", dice=4)}
    contest = Opposed(id="contest", **sides | terms)
    silas = Person(id="silas", name="Silas", values=Held(wits=2, lethal=2))
    vesper = Person(id="vesper", name="Vesper", opened=False, values=Held(wits=3))
    return contest, Table([contest, silas, vesper], settings=DEFAULTS)


@pytest.mark.parametrize(
    ("until", "on_tie", "totals", "line", "still"),
    [
        ("once", "defender", (), "no one has rolled yet.", ["a.1", "b.1"]),
        ("once", "defender", ((3, 2),), "Silas 3, Vesper 2. Silas won by 1.", []),
        ("once", "defender", ((2, 2),), "Silas 2, Vesper 2. Vesper won the tie.", []),
        ("once", "again", ((2, 2),), "Silas 2, Vesper 2.", ["a.2", "b.2"]),
        ("once", "again", ((2, 2), (1, 3)), "Silas 3, Vesper 5. Vesper won by 2.", []),
        ("once", "defender", ((3, None),), "Silas 3.", ["b.1"]),
        ("first", "again", ((3, 2), (1, 2)), "Silas 4, Vesper 4.", ["a.3", "b.3"]),
        ("first", "again", ((3, 2), (3, 2)), "Silas 6, Vesper 4. Silas won by 2.", []),
        ("first", "again", ((5, 5),), "Silas 5, Vesper 5.", ["a.2", "b.2"]),
        ("first", "defender", ((5, 5),), "Silas 5, Vesper 5. Vesper won the tie.", []),
        ("margin", "defender", ((4, 0), (1, 0)), "Silas 5, Vesper 0. Silas won by 5.", []),
        ("margin", "defender", ((4, 4),), "Silas 4, Vesper 4.", ["a.2", "b.2"]),
        ("once", "defender", ((-1, 0),), "Silas 0, Vesper 0. Vesper won the tie.", []),
        ("once", "again", ((None, 2), (3, 1)), "Vesper 3.", ["a.1"]),
    ],
)
def test_two_sides_are_compared(until, on_tie, totals, line, still):
    contest, table = begun(until=Until(until), on_tie=OnTie(on_tie))
    fell = ((f"{side}.{at}", one) for at, pair in enumerate(totals, 1) for side, one in zip("ab", pair, strict=True))
    roll(contest, table, *fell)
    assert (str(contest.stands(table)), asked(contest, table)) == (f"Opposed action: {line}", still)
    assert (contest.over, len(contest.waits(table))) == (not still, len(still))
    names = ", ".join("Silas" if one[0] == "a" else "Vesper" for one in still)
    end = f" Still to roll: {names}." if still else ""
    assert str(contest.told_rolls(table, again=True)) == f"Opposed action recounted: {line}{end}"


def test_a_player_announces_it_and_it_is_set_or_called_off():
    contest, table = begun()
    silas, vesper = table.get(Person, "silas"), table.get(Person, "vesper")
    line = take(contest, table, "open", by=SILAS, a_character=silas, a_pool="wits", b_character=vesper, b_pool="wits")
    assert line == "Silas announced an opposed action: Wits, difficulty 6, against Vesper (Wits, difficulty 6)."
    assert (offered(contest, table), asked(contest, table)) == ({"withdraw:silas": (1,), "set": ()}, [])
    there = table.trial()
    take(there.get(Opposed, "contest"), there, "withdraw", "silas", by=SILAS)
    assert there.get(Opposed, "contest").over
    line = take(contest, table, "set", a_pool="wits", b_pool="4", b_difficulty=5, until=Until.FIRST, goal=3)
    assert line == (
        "Silas’s opposed action was set: Wits, difficulty 6, against Vesper (4 dice, difficulty 5). "
        "First to 3 successes. The resisting side wins a tie."
    )
    assert (offered(contest, table), asked(contest, table)) == ({}, ["a.1", "b.1"])


@pytest.mark.parametrize(
    ("a", "b", "known", "to_all"),
    [
        ({"traits": ["wits"]}, {"traits": ["wits"]}, [13, 29, 58], None),
        ({"traits": ["wits"]}, {"dice": 1}, [25, 50, 25], None),
        ({"traits": ["wits"]}, {"character": None, "dice": 1}, [25, 50, 25], [25, 50, 25]),
        ({}, {"dice": 4}, None, None),
        ({"dice": 31}, {"dice": 4}, None, None),
    ],
)
def test_odds_are_known_to_those_who_know_both_pools(a, b, known, to_all):
    """Silas has two dice, of which wounds take one; Vesper has three, and a sheet that is not for all."""
    a, b = {"name": "Silas", "character": "silas"} | a, {"name": "Vesper", "character": "vesper"} | b
    contest, table = begun(a=Side(**a), b=Side(**b))
    for there, widths in ((table, known), (table.seen(), to_all)):
        odds = there.get(Opposed, "contest").odds(there)
        assert (odds and [part["w"] for part in odds["parts"]]) == widths
    roll(contest, table, ("a.1", 2), ("b.1", 1))
    assert contest.odds(table) is None


def test_odds_know_what_has_been_rolled_and_a_side_without_a_name_is_someone_in_the_reader_s_language():
    contest, table = begun(a=Side(dice=1), b=Side(dice=1))
    roll(contest, table, ("a.1", 1))
    assert [part["w"] for part in contest.odds(table)["parts"]] == [50, 50, 0]
    for language, name in (("en-gb", "Someone"), ("de", "Jemand")):
        with translation.override(language):
            assert name in str(contest.stands(table))
            # The form of its terms proposes the word, which is no name either.
            assert named(name) == named(" ") == contest.a.name == SOMEONE


def test_a_quick_npc_opposes_others_with_its_dice():
    contest, table = begun()
    table.add(rat := Person(id="rat", name="Rat", is_played=False, pool=5))
    take(contest, table, "open", a_name="The tide", a_pool="3", b_character=rat)
    assert contest.b.dice == 5


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"by": SILAS, "a_pool": "3", "b_pool": "3"}, "a_character"),
        ({"a_pool": "101", "b_pool": "3"}, "a_pool"),
        ({"a_pool": "3", "b_pool": ""}, "b_pool"),
    ],
)
def test_what_makes_no_two_sides_is_refused(given, field):
    contest, table = begun()
    silas = table.get(Person, "silas")
    assert refusal(RuleError, take, contest, table, "open", **given).field == field
    with pytest.raises(RuleError, match="both sides"):
        take(contest, table, "open", a_character=silas, b_character=silas)
