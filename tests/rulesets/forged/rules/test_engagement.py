"""The engagement roll: one die, one more or less for each factor, and the position that it leaves (public rules)."""

from __future__ import annotations

import pytest

from rules.errors import RuleError
from rules.table import Table
from rulesets.forged.procedures.score import Engage, Opening
from rulesets.forged.rows import Scoundrel


def engage(*factors: str) -> tuple[Engage, Table]:
    procedure = Engage(id="engage")
    table = Table([procedure, Scoundrel(id="cross", name="Cross")])
    for factor in factors:
        procedure.take(table, procedure.acts["turn"], (factor,))
    return procedure, table


def seen(procedure: Engage, table: Table) -> tuple[str, dict[str, str]]:
    """Return the words of the pool, and the chance of each position."""
    more = procedure.card(table, ()).more
    return str(more["pool"]), {str(one["words"]): str(one["chance"]) for one in more["odds"]}


@pytest.mark.parametrize(
    ("factors", "pool"),
    [
        ([], "1 die"),
        (["bold", "friends", "rivals"], "2 dice"),
        (["bold", "friends", "rivals", "rivals"], "3 dice"),
        (["bold", "complex", "larger", "rivals"], "no dice: roll two, the lowest counts"),
        (["complex", "bold", "smaller", "larger", "smaller"], "3 dice"),
    ],
    ids=lambda words: words if isinstance(words, str) else " ",
)
def test_each_factor_is_a_die_and_what_cannot_both_be_so_takes_the_place_of_the_other(factors, pool):
    assert seen(*engage(*factors))[0] == pool


def test_the_odds_are_exact():
    odds = {"desperate": "25 %", "risky": "44 %", "controlled": "28 %", "past the first obstacle": "3 %"}
    assert seen(*engage("bold"))[1] == odds


def test_someone_pushes_for_a_die_and_abilities_add_more_with_the_reason():
    procedure, table = engage()
    cross = table.get(Scoundrel, "cross")
    with pytest.raises(RuleError) as refused:
        procedure.take(table, procedure.acts["more_dice"], (), {"push": None, "more": 1, "why": ""})
    assert refused.value.field == "why"
    procedure.take(table, procedure.acts["more_dice"], (), {"push": cross, "more": 1, "why": "Inside man"})
    assert seen(procedure, table)[0] == "3 dice (Cross pushes +1, Inside man +1)"


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("bad", "Opening position: desperate"),
        ("partial", "Opening position: risky"),
        ("full", "Opening position: controlled"),
        ("critical", "Opening position: controlled, past the first obstacle"),
    ],
)
def test_the_result_lies_on_the_table_as_a_position_until_the_scene_ends(result, words):
    procedure, table = engage()
    procedure.on_roll(table, "engagement", {"result": result})
    [(kind, given)] = table.begun
    opening = kind(**given)
    assert procedure.over and isinstance(opening, Opening) and str(opening.chip_words(table)) == words
    opening.scene_ended(table)
    assert opening.over


def test_a_voided_roll_lets_it_be_rolled_again():
    procedure, table = engage("bold")
    procedure.on_roll(table, "engagement", {"result": "full"})
    procedure.undo_roll(table, "engagement")
    assert {one.act.name for one in procedure.offers(table, {})} == {"turn", "more_dice", "roll"}
