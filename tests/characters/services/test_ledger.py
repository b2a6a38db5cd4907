"""XP given, spent at the rules' prices and given back; and in whose streams it is told."""

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Forbidden, Invalid, NotFound
from characters.models import LedgerEntry
from characters.services.cards import lock_sheet, retire_character
from characters.services.fields import set_field
from characters.services.ledger import award_xp, refund_advance
from tests.answers import refusal
from tests.characters.operations import last, lines, told
from tests.characters.xp import buy, give, has, make_abigail, make_thorn, named, now, read


@pytest.fixture
def abigail(cast, all_systems):
    return make_abigail(cast)


@pytest.fixture
def thorn(cast, all_systems):
    return make_thorn(cast)


# Given


def test_xp_go_to_everybody_who_was_chosen_and_stand_on_their_sheets(cast, silas, abigail, thorn):
    give(cast, 3, silas, abigail, thorn)
    assert [now(one).value(field) for one, field in ((silas, "xp"), (abigail, "xp"), (thorn, "playbook_xp"))] == [
        3,
        24,
        3,
    ]
    entry = silas.ledger.get()
    assert (read(entry), entry.by) == (("earned", 3, "XP", "the bridge"), cast.gm.member)
    awarded = [event for event in told() if event.kind == "characters.xp_awarded"]
    assert {event.stream.name for event in awarded} == {cast.player.member.stream}
    assert str(entry.event) in {str(event.uid) for event in awarded}


def test_an_award_a_purchase_and_its_refund_are_one_line_each_in_the_log(cast, abigail):
    first = last()
    give(cast, 2, abigail)
    entry, _ = buy(cast, abigail, named(abigail, "Fencing 2D to 3D").name)
    refund_advance(cast.gm.member, abigail, entry.pk, key=uuid4())
    assert lines(first) == [
        "Abigail earned 2 XP (Advances): the bridge",
        "Abigail spent 2 Advances: Fencing 2D to 3D",
        "Abigail got 2 Advances back for “Fencing 2D to 3D”",
    ]


@pytest.mark.parametrize("amount", [0, -1, 101])
def test_amounts_have_an_end(cast, silas, amount):
    assert refusal(Invalid, give, cast, amount, silas).field == "amount" and not LedgerEntry.objects.exists()


def test_nobody_and_nothing_is_no_award(cast, silas):
    with pytest.raises(Invalid):
        award_xp(cast.gm.member, [], 1, reason="x", key=uuid4())
    with pytest.raises(Invalid):
        award_xp(cast.gm.member, [silas], 1, reason="  ", key=uuid4())


def test_one_who_has_left_play_keeps_all_from_being_given(cast, silas, thorn):
    retire_character(cast.player.member, thorn, key=uuid4())
    with pytest.raises(Invalid):
        give(cast, 1, silas, thorn)
    assert now(silas).value("xp") == 0 and not LedgerEntry.objects.exists()


def test_what_an_npc_earns_is_told_to_gms_alone(cast, npc):
    give(cast, 1, npc)
    assert told()[-1].stream.name == "gm"


# Spent


def test_more_than_there_is_buys_nothing(cast, abigail):
    for _ in range(3):
        _, abigail = buy(cast, abigail, "new", name="Something")
    with pytest.raises(Invalid, match=r"This costs 2 Advances\. You have 1"):
        buy(cast, abigail, named(abigail, "Fencing 2D to 3D").name)
    assert now(abigail).value("advances_spent") == 3


def test_a_price_that_was_seen_before_the_sheet_changed_is_not_paid(cast, abigail):
    offer = named(abigail, "Fencing 2D to 3D").name
    buy(cast, abigail, offer)
    with pytest.raises(Conflict):
        buy(cast, abigail, offer)


@pytest.mark.parametrize("given", [{}, {"name": ""}, {"name": "x" * 121}])
def test_what_is_asked_for_has_to_be_given(cast, abigail, given):
    with pytest.raises(Invalid):
        buy(cast, abigail, "new", **given)


def test_nobody_spends_on_a_locked_sheet(cast, abigail):
    lock_sheet(cast.gm.member, abigail, key=uuid4())
    with pytest.raises(Forbidden):
        buy(cast, abigail, "new", name="x")


# Given back


def test_a_gm_gives_back_what_was_bought(cast, abigail):
    entry, _ = buy(cast, abigail, named(abigail, "Fencing 2D to 3D").name)
    buy(cast, abigail, "new", name="Owes Bob")
    refund = refund_advance(cast.gm.member, abigail, entry.pk, key=uuid4())
    abigail = now(abigail)
    assert abigail.rules.rows(abigail.values, "descriptors")[0]["dice"] == 2
    assert (abigail.value("advances_spent"), has(abigail)) == (1, 3)
    assert (read(refund), refund.undoes) == (("refunded", 2, "Advances", "Fencing 2D to 3D"), entry)
    with pytest.raises(Conflict):
        refund_advance(cast.gm.member, abigail, entry.pk, key=uuid4())


def test_rows_that_were_moved_come_back_as_they_were(cast, abigail):
    before = abigail.sheet["descriptors"]
    _, abigail = buy(cast, abigail, named(abigail, "Fencing 2D to 1D").name)
    entry, abigail = buy(cast, abigail, named(abigail, "Fencing: 1D to Background").name)
    refund_advance(cast.gm.member, abigail, entry.pk, key=uuid4())
    (row,) = now(abigail).sheet["descriptors"]
    assert row == {**before[0], "dice": 1} and "background" not in now(abigail).sheet


def test_what_was_written_since_is_not_undone(cast, abigail):
    entry, abigail = buy(cast, abigail, named(abigail, "Fencing 2D to 3D").name)
    dice = f"descriptors/{abigail.sheet['descriptors'][0]['id']}/dice"
    set_field(cast.player.member, abigail, dice, 5, expected=3, key=uuid4())
    spent = now(abigail).value("advances_spent")
    with pytest.raises(Conflict, match="has changed Fencing: Dice since"):
        refund_advance(cast.gm.member, abigail, entry.pk, key=uuid4())
    assert now(abigail).value("advances_spent") == spent and not LedgerEntry.objects.filter(kind="refund").exists()


def test_awards_are_not_given_back_nor_what_belongs_to_others(cast, abigail, thorn):
    award = abigail.ledger.get()
    with pytest.raises(Invalid):
        refund_advance(cast.gm.member, abigail, award.pk, key=uuid4())
    for character, entry in ((thorn, award.pk), (abigail, uuid4())):
        with pytest.raises(NotFound):
            refund_advance(cast.gm.member, character, entry, key=uuid4())
