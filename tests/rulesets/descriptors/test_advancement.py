"""XP, Advances and what each change costs (descriptors.txt): floor(XP / 5), one Advance a die."""

from uuid import uuid4

import pytest

from campaigns.models import Campaign
from characters.queries.ledger import offers_of
from characters.services.fields import add_row
from tests.characters.xp import buy, has, kept, make_abigail, named, now, read, standing


@pytest.fixture
def abigail(cast):
    return make_abigail(cast)


def test_every_five_xp_are_an_advance(cast, abigail):
    assert standing(abigail) == (4, "Advances", "1 of 5 XP towards the next")
    for name in ("Owes Bob", "Fears dogs", "Sings"):
        _, abigail = buy(cast, abigail, "new", name=name)
    assert standing(abigail) == (1, "Advance", "1 of 5 XP towards the next")


@pytest.mark.parametrize(
    ("words", "cost"),
    [
        ("Fencing 2D to 3D", 2),
        ("Fencing 2D to 1D", 2),
        ("New Descriptor, 1D", 1),
        ("New Key", 1),
    ],
)
def test_changes_cost_what_the_rules_say(abigail, words, cost):
    assert named(abigail, words).cost == cost


def test_a_raise_is_written_on_the_sheet_with_what_it_cost(cast, abigail):
    entry, abigail = buy(cast, abigail, named(abigail, "Fencing 2D to 3D").name)
    (row,) = abigail.rules.rows(abigail.values, "descriptors")
    assert (row["dice"], abigail.value("advances_spent"), has(abigail)) == (3, 2, 2)
    assert read(entry) == ("spent", 2, "Advances", "Fencing 2D to 3D")
    assert named(abigail, "Fencing 3D to 4D").cost == 3


def test_a_new_descriptor_a_key_and_the_way_to_the_background_and_back(cast, abigail):
    _, abigail = buy(cast, abigail, "new", name="Owes Bob", category="Relationships")
    _, abigail = buy(cast, abigail, "key", name="Revenge", framework="motivation")
    assert abigail.rules.rows(abigail.values, "keys")[0]["framework"] == "motivation"
    _, abigail = buy(cast, abigail, named(abigail, "Owes Bob: 1D to Background").name)
    assert [row["name"] for row in abigail.rules.rows(abigail.values, "background")] == ["Owes Bob"]
    _, abigail = buy(cast, abigail, named(abigail, "Owes Bob: Background to 1D").name)
    assert [(row["name"], row["dice"]) for row in abigail.rules.rows(abigail.values, "descriptors")] == [
        ("Fencing", 2),
        ("Owes Bob", 1),
    ]
    assert has(abigail) == 0
    assert [read(entry)[-1] for entry in reversed(abigail.ledger.filter(kind="spend"))] == [
        "New Descriptor, 1D: Owes Bob",
        "New Key: Revenge",
        "Owes Bob: 1D to Background",
        "Owes Bob: Background to 1D",
    ]


def test_advances_leave_alone_what_passes_unless_a_campaign_says_otherwise(cast, abigail):
    """descriptors.txt, Advances, line 27, speaks of Descriptors alone; a die of an Injury costs the same if it is for sale."""
    for rows, name in (("injuries", "Torn arm"), ("stuck", "Tied up")):
        abigail = add_row(cast.player.member, abigail, rows, {"name": name, "dice": 2}, key=uuid4())
    assert not [one for one in offers_of(now(abigail)) if one.words.startswith(("Torn arm", "Tied up"))]
    Campaign.objects.update(settings={"descriptors": {"advances_change_temporary": True}})
    _, abigail = buy(cast, abigail, named(abigail, "Torn arm 2D to 1D").name)
    assert [row["dice"] for row in abigail.rules.rows(abigail.values, "injuries")] == [1]
    assert {one.words for one in offers_of(abigail)} >= {"Torn arm 1D to 2D", "Tied up 2D to 3D"}


def test_the_log_keeps_names_and_numbers_of_what_is_bought(cast, abigail):
    _, abigail = buy(cast, abigail, "new", name="Owes Bob", category="Relationships")
    _, abigail = buy(cast, abigail, named(abigail, "Owes Bob: 1D to Background").name)
    _, abigail = buy(cast, abigail, named(abigail, "Owes Bob: Background to 1D").name)
    buy(cast, abigail, "key", name="Revenge", framework="motivation")
    assert kept() == {"Mo", "Gm", "Abigail", "the bridge", "Fencing", "Owes Bob", "Relationships", "Revenge"}
