"""What everybody knows of an opponent may be pressed by everybody: what was told at the table, and nothing else of the sheet."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Invalid, NotFound
from characters.services.fields import set_field
from rolls.models import Procedure
from tests.rulesets.descriptors.procedures.contests import begin, chip, put, ready, rolled, row, use, words

pytestmark = pytest.mark.usefixtures("scene")
SECRET = {"id": "i9", "at": 9, "name": "A hidden wound", "dice": 3}


def chips(person, procedure, whom):
    url = reverse("procedure_on_card", args=[person.member.campaign.slug, procedure.pk, "use"])
    return " ".join(person.client.get(url, {"whom": whom}).content.decode().split())


def hurt(table, dice, name="a broken arm"):
    """Let Bob, who has lost to Abigail, take an Injury of 2 that everyone sees. Return its id."""
    contest = rolled(table, dice, (9, 8, 2), (6, 4))
    table.do(table.player, contest, "make_none", whom="a")
    table.do(table.other, contest, "injure", whom="b", name=name)
    return table.now(table.bob).values["injuries"][-1]["id"]


def test_an_injury_that_was_told_and_what_stood_in_a_pool_are_chips_for_the_other_player(cast, fighters, dice):
    table = fighters
    there = hurt(table, dice)
    shown = chips(cast.player, begin(table), "a")
    assert ">a broken arm <b>2D</b></button>" in shown and f'"chips": "{table.bob.pk}/injuries/{there}"' in shown
    assert "Shield wall" in shown, "it stood in the pool"
    assert "Pride" not in shown and "Broken arm <b>" not in shown, "and these were never told"


def test_what_sticks_is_one_too(cast, fighters):
    table = fighters
    tied = table.begin(table.gm, "scene_descriptor", name="Tied up", dice=3)
    table.do(table.player, tied, "stick", to=table.bob.pk, payer=table.abigail.pk)
    assert ">Tied up <b>3D</b></button>" in chips(cast.player, begin(table), "a")


def test_it_is_used_without_an_accept_and_gives_its_owner_will(fighters, dice):
    table = fighters
    there = hurt(table, dice)
    contest = begin(table)
    use(table, table.player, contest, "a", f"{table.bob.pk}/injuries/{there}")
    use(table, table.other, contest, "b", chip(table.bob, 2))
    assert words(table) == [["their a broken arm 2D"], ["Pride 2D"]]
    before = table.will(table.bob)
    dice(9, 8, 2, 6)
    ready(table, contest)
    assert table.will(table.bob) == before - 1 + 1


def test_what_serves_the_other_side_in_this_roll_is_no_chip_where_a_descriptor_counts_once(cast, fighters):
    table, contest = fighters, begin(fighters)
    use(table, table.other, contest, "b", chip(table.bob))
    assert "Shield wall" not in chips(cast.player, contest, "a")
    table.decide(once_per_roll=False)
    assert "Shield wall" in chips(cast.player, contest, "a")


def test_what_nobody_was_told_is_no_chip_and_cannot_be_sent(cast, fighters):
    table = fighters
    contest = begin(table)
    for source in (chip(table.bob), chip(table.bob, rows="injuries"), f"{table.bob.pk}/descriptors/none"):
        with pytest.raises((NotFound, Invalid)):
            use(table, table.player, contest, "a", source)
    assert words(table) == [[], []]


def test_what_was_changed_in_secret_stands_there_as_it_was_told(cast, fighters, dice):
    table = fighters
    there = hurt(table, dice)
    contest, bob = begin(table), table.now(table.bob)
    before = chips(cast.player, contest, "a")
    set_field(table.gm, bob, f"injuries/{there}/dice", 5, expected=2, key=uuid4())
    put(table.now(bob), descriptors=[*table.now(bob).sheet["descriptors"], row(9, "Never told", 4)])
    after = chips(cast.player, contest, "a")
    assert ">a broken arm <b>2D</b></button>" in before and ">a broken arm <b>2D</b></button>" in after
    assert "Never told" not in after and "5D" not in after


def test_a_private_contest_tells_the_table_of_nothing(cast, fighters, dice):
    table = fighters
    hurt(table, dice)
    Procedure.objects.filter(kind="contest").update(stream=table.other.stream)
    shown = chips(cast.player, begin(table), "a")
    assert "broken arm" not in shown and "Shield wall" not in shown


def test_a_healer_begins_the_recovery_of_an_injury_that_all_know_of(cast, fighters, dice):
    table = fighters
    there = hurt(table, dice)
    put(table.now(table.bob), injuries=[*table.now(table.bob).sheet["injuries"], SECRET])
    url = reverse("procedure_new", args=[table.campaign.slug, "descriptors", "recovery"])
    shown = cast.player.client.get(url).content.decode()
    assert "Bob: a broken arm 2D" in shown and SECRET["name"] not in shown
    given = {"helpers": [str(table.abigail.pk)], "override": False}
    with pytest.raises(Invalid):
        table.begin(table.player, "recovery", injury=f"{table.bob.pk}/{SECRET['id']}", **given)
    begun = table.begin(table.player, "recovery", injury=f"{table.bob.pk}/{there}", **given)
    use(table, table.player, begun, "a", chip(table.abigail))
    dice(9, 8, 7, 2, 2)
    table.do(table.player, begun, "ready", whom="a")
    assert ("a broken arm", 2) not in table.rows(table.bob, "injuries")
