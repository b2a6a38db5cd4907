"""Loads: declared once a score, armour with it, and items up to it (public rules, Load)."""

from __future__ import annotations

import pytest

from rules.acts import Actor
from rules.table import Refused, Table
from rulesets.forged.procedures.score import Loads, items
from rulesets.forged.rows import Item, Scoundrel
from rulesets.forged.rules.downtime import Load

MEMBERS = {1: Actor(characters=frozenset(["cross"])), 2: Actor(characters=frozenset(["nyx"]))}


def loads() -> tuple[Loads, Table]:
    """Return loads of Cross, who has a rope, picks and a barrel and used armour, of Nyx, and of an NPC, who does not choose."""
    procedure = Loads(id="loads")
    things = {
        "rope": Item(name="Rope", load=2, carried=True),
        "picks": Item(name="Lockpicks", load=1),
        "barrel": Item(name="Barrel", load=3),
    }
    cross = Scoundrel(id="cross", name="Cross", items=things, armor=True, special_armor=True)
    others = [Scoundrel(id="nyx", name="Nyx"), Scoundrel(id="npc", name="Bluecoat", is_played=False)]
    return procedure, Table([procedure, cross, *others])


def take(procedure: Loads, table: Table, name: str, who: str = "", *target: object, **asked: object) -> str:
    whom = (table.get(Scoundrel, who),) if who else ()
    return str(procedure.take(table, procedure.acts[name], (*whom, *target), asked))


def seen(procedure: Loads, table: Table) -> tuple[dict[str, str], list[str]]:
    """Return what the card says of each, and what can be done, beside the GM by whom."""
    rows = {str(row.whose): str(row.words) for row in procedure.card(table, ()).rows}
    offers = [
        (one.act.name, *(str(getattr(it, "id", it)) for it in one.target), *map(str, one.members))
        for one in procedure.offers(table, MEMBERS)
    ]
    return rows, [".".join(one) for one in offers]


def test_each_chooses_once_for_their_own_and_a_gm_for_the_rest():
    procedure, table = loads()
    each = [f"choose.{who}.{load}.{member}" for who, member in (("cross", 1), ("nyx", 2)) for load in Load]
    assert seen(procedure, table)[1] == [*each, "rest"]
    assert (
        take(procedure, table, "choose", "cross", Load.LIGHT)
        == "Cross chose a light load: room for 3, armour restored."
    )
    assert [one.who for one in procedure.waits(table)] == ["nyx"] and str(
        procedure.chip_words(table)
    ) == "Loads: 1 of 2 chosen"
    take(procedure, table, "rest")
    assert seen(procedure, table) == (
        {"Cross": "Light: 0 of 3 carried", "Nyx": "Normal: 0 of 5 carried, nothing else on the sheet fits"},
        ["carry.cross.1"],
    )


def test_choosing_restores_armour_and_puts_all_down():
    procedure, table = loads()
    take(procedure, table, "choose", "cross", Load.LIGHT)
    cross = table.get(Scoundrel, "cross")
    assert (cross.load, cross.armor, cross.special_armor, cross.carried) == ("light", False, False, 0)


def test_items_turn_up_as_far_as_the_load_has_room():
    procedure, table = loads()
    take(procedure, table, "choose", "cross", Load.LIGHT)
    cross = table.get(Scoundrel, "cross")
    line = take(procedure, table, "carry", "cross", item="rope")
    assert line == "Cross turned out to carry something: 2 of 3 carried."
    assert [(key, str(words)) for key, words in items(procedure, table, cross)] == [("picks", "Lockpicks, 1 load")]
    take(procedure, table, "carry", "cross", item="picks")
    assert seen(procedure, table)[0]["Cross"] == "Light: 3 of 3 carried, nothing else on the sheet fits"


def test_whoever_comes_later_chooses_too_and_nobody_alone_cannot_begin():
    procedure, table = loads()
    table.get(Scoundrel, "npc").is_played = True
    assert [one.who for one in procedure.waits(table)] == ["cross", "nyx", "npc"]
    with pytest.raises(Refused, match="No character in this campaign"):
        take(Loads(id="none"), Table([Loads(id="none")]), "open")
