"""What happens to the sheets of those whom others may not read is no event for these."""

from __future__ import annotations

from uuid import uuid4

from characters.models import Character
from characters.services.fields import set_field
from rolls.models import Audience, Procedure
from rolls.services.rolls import make_roll
from rulesets.descriptors.terms import DescriptorsInput
from tests import dice as loaded
from tests.rulesets.descriptors.procedures.contests import begin, card, chip, use


def edit(table, by, character: Character, field: str, value: object) -> None:
    there = table.now(character)
    set_field(by, there, field, value, expected=there.value(field), key=uuid4())


def public(table) -> list[str]:
    return [event.kind for event in table.events()]


def version(procedure: Procedure) -> int:
    return Procedure.objects.get(pk=procedure.pk).version


def test_a_power_track_is_told_to_no_table_that_may_not_read_it(fighters):
    contest = begin(fighters, b=fighters.warden)
    before, shown = (public(fighters), version(contest)), card(fighters, fighters.player)
    edit(fighters, fighters.gm, fighters.warden, "power_1", True)
    assert (public(fighters), version(contest)) == before
    assert card(fighters, fighters.player) == shown


def test_what_was_corrected_last_stays_said_while_a_track_changes(fighters):
    contest = begin(fighters, b=fighters.warden)
    use(fighters, fighters.player, contest, "a", chip(fighters.abigail))
    edit(fighters, fighters.player, fighters.abigail, "descriptors/r1/name", "Sabre")
    before, shown = public(fighters), card(fighters, fighters.player)
    assert shown["staged"].notes
    edit(fighters, fighters.gm, fighters.warden, "power_1", True)
    assert public(fighters) == before
    assert card(fighters, fighters.player) == shown


def test_a_private_contest_that_writes_on_a_sheet_is_no_event_of_a_public_one(fighters):
    table = fighters
    Character.objects.filter(pk=table.bob.pk).update(owner=table.player)
    public_one = begin(table, b=table.bob)
    before = (public(table), version(public_one))
    loaded.unload()
    loaded.load(9, 8, 7, 3, 2)
    asked = DescriptorsInput(character=table.abigail.pk, pool="3", against="2", versus="Bob")
    make_roll(table.player, asked, audience=Audience.SELF, key=uuid4())
    loaded.unload()
    private = table.campaign.procedures.exclude(pk=public_one.pk).get()
    table.do(table.player, private, "cross", whom="b")
    assert table.now(table.bob).value("power_3") is True
    assert (public(table), version(public_one)) == before


def test_what_a_table_may_read_of_a_sheet_is_told_to_it(fighters):
    contest = begin(fighters, b=fighters.warden)
    use(fighters, fighters.player, contest, "a", chip(fighters.abigail))
    before = version(contest)
    edit(fighters, fighters.player, fighters.abigail, "descriptors/r1/dice", 4)
    assert version(contest) == before + 1
