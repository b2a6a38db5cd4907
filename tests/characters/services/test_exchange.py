"""Sheets that leave one table and come in at another: equal, and never with more than their reader may see."""

from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.errors import Forbidden, Invalid
from campaigns.models import Campaign, Membership
from campaigns.services.campaigns import create_campaign
from characters.models import Character
from characters.services.cards import Card, make_character
from characters.services.creation import import_character, may_bring
from characters.services.fields import add_row, set_field
from characters.sheets import SHEETS
from characters.sheets.exchange import EVERYTHING, read
from characters.sheets.fields import Visibility
from characters.views.creation import sheet_file
from rolls.registry import RULESETS
from rulesets.forged.rules.downtime import HEAT_BOXES
from tests.canaries import canary
from tests.cast import seat_at
from tests.characters.operations import told
from tests.characters.sheets.test_exchange import sheets
from tests.sheets import put
from tests.stored import store


def brought(file, may=EVERYTHING, key=None):
    return read(file, may, key or uuid4())


@pytest.fixture
def elsewhere(cast):
    """Return the GM of another table who is no member here."""
    create_campaign(cast.outsider.user, name="Elsewhere", systems=list(RULESETS), key=uuid4())
    return Membership.objects.get(user=cast.outsider.user)


@pytest.mark.parametrize("name", SHEETS)
@given(data=st.data())
@settings(max_examples=4)
def test_a_character_made_exported_and_imported_into_another_campaign_is_equal(cast, elsewhere, patience, name, data):
    is_crew = name == "crew"
    card, system = Card("Silas Grey", "Archivist"), "forged" if is_crew else name
    made = make_character(cast.gm.member, card, system=system, is_crew=is_crew, key=uuid4())
    # Of a full track of heat a wanted level follows where it is brought.
    made.hold(data.draw(sheets(name).filter(lambda values: values.get("heat", 0) < HEAT_BOXES)))
    made.disposition = 0 if is_crew else data.draw(st.integers(-5, 5))
    made.save()
    file = sheet_file(made, seat_at(cast.gm.member))
    key = uuid4()
    there = import_character(elsewhere, card, brought(file, key=key), key=key)
    assert (there.pk, there.campaign) == (key, elsewhere.campaign)
    assert sheet_file(Character.objects.get(pk=there.pk), seat_at(elsewhere)) == file


def test_the_table_hears_of_an_imported_character_as_of_any_other(cast):
    mine = brought(_file("arc", {"build": 7}))
    key = uuid4()
    ana = import_character(cast.player.member, Card("Ana", owner=cast.player.member), mine, key=key)
    assert import_character(cast.player.member, Card("Ana", owner=cast.player.member), mine, key=key) == ana
    (event,) = told()
    assert (event.kind, event.stream.name) == ("characters.character_made", "table")
    assert "build" not in str(event.payload) and ana.value("build") == 7


def test_an_imported_character_whose_name_looks_like_anothers_has_a_number(cast):
    names = []
    for _ in range(2):
        key = uuid4()
        file = brought(_file("arc", {"build": 7}), key=key)
        names.append(import_character(cast.player.member, Card("Ana", owner=cast.player.member), file, key=key).name)
    assert names == ["Ana", "Ana (2)"]


def test_nobody_exports_more_than_they_may_see(cast, silas):
    secrets = {"notes": (cast.player, canary("mo", "notes")), "gm_notes": (cast.gm, canary("gm", "sheet"))}
    for field, (who, words) in secrets.items():
        silas = set_field(who.member, silas, field, words, expected="", key=uuid4())
    silas = Character.objects.get(pk=silas.pk)
    mine, gms = sheet_file(silas, seat_at(cast.player.member)), sheet_file(silas, seat_at(cast.gm.member))
    assert mine["values"]["notes"] == canary("mo", "notes") and "gm_notes" not in mine["values"]
    assert gms["values"]["gm_notes"] == canary("gm", "sheet") and "notes" not in gms["values"]
    for other in (cast.other_player, cast.spectator):
        assert set(sheet_file(silas, seat_at(other.member))["values"]) == {"description", "journal", "pronouns"}
    assert "notes" not in sheet_file(silas, seat_at(cast.player.member, real=cast.gm.member))["values"]


def test_unknown_scores_leave_with_gms_alone(cast, ana):
    ana = set_field(cast.gm.member, ana, "us_build", 3, expected=1, key=uuid4())
    assert sheet_file(ana, seat_at(cast.gm.member))["values"]["us_build"] == 3
    assert not [name for name in sheet_file(ana, seat_at(cast.player.member))["values"] if name.startswith("us_")]


def test_a_link_to_somebody_unknown_leaves_without_a_name(cast, npc):
    corvin = make_character(cast.gm.member, Card(canary("gm", "npc"), shown=False), key=uuid4())
    store(npc, opened=True)
    put(npc, {"links": [{"id": "1", "to": str(corvin.pk), "words": "sees"}]})
    assert sheet_file(npc, seat_at(cast.player.member))["rows"]["links"] == [{"to": "", "words": "sees"}]
    assert sheet_file(npc, seat_at(cast.gm.member))["rows"]["links"][0]["to"] == canary("gm", "npc")


def test_a_link_goes_to_whoever_is_called_so_here_and_is_known(cast, silas, hidden):
    rows = [{"to": "Silas Grey", "words": "a"}, {"to": hidden.name, "words": "b"}, {"to": "Nobody", "words": "c"}]
    file = _file("arc", {}) | {"rows": {"links": rows}}
    found = import_character(cast.player.member, Card("Ana", owner=cast.player.member), brought(file), key=uuid4())
    assert [row["to"] for row in found.rules.rows(found.values, "links")] == [str(silas.pk), "", ""]
    npc = import_character(cast.gm.member, Card("Ana", shown=False), brought(file), key=uuid4())
    assert [row["to"] for row in npc.rules.rows(npc.values, "links")][1] == str(hidden.pk)


@pytest.mark.parametrize("field", ["us_build", "gm_notes"])
def test_players_bring_no_secrets_even_past_the_form(cast, field):
    value = 2 if field == "us_build" else "x"
    with pytest.raises(Forbidden):
        card = Card("Ana", owner=cast.player.member)
        import_character(cast.player.member, card, brought(_file("arc", {field: value})), key=uuid4())
    assert not Character.objects.exists()


def test_what_a_gm_noted_of_an_npc_does_not_become_a_players_notes(cast):
    card = Card("Ana", owner=cast.player.member)
    with pytest.raises(Forbidden):
        import_character(cast.gm.member, card, brought(_file("arc", {"notes": "she lies"})), key=uuid4())


def test_players_import_no_npcs_and_nothing_of_systems_that_are_not_played(cast):
    with pytest.raises(Forbidden):
        import_character(cast.player.member, Card("Ana"), brought(_file("arc", {})), key=uuid4())
    Campaign.objects.update(systems=["forged"])
    with pytest.raises(Invalid):
        card = Card("Ana", owner=cast.player.member)
        import_character(cast.player.member, card, brought(_file("arc", {})), key=uuid4())
    assert not Character.objects.exists()


def test_only_an_npc_has_a_disposition(cast):
    file = brought(_file("arc", {"disposition": -2}))
    with pytest.raises(Invalid, match="disposition: "):
        import_character(cast.player.member, Card("Ana", owner=cast.player.member), file, key=uuid4())
    assert import_character(cast.gm.member, Card("Ana"), file, key=uuid4()).disposition == -2


def test_who_may_bring_what():
    assert may_bring(True, for_oneself=True) == EVERYTHING
    assert may_bring(True, for_oneself=False) == EVERYTHING - {Visibility.PRIVATE}
    assert may_bring(False, for_oneself=True) == EVERYTHING - {Visibility.SECRET}


def test_a_row_added_here_stands_beside_those_that_came(cast):
    file = _file("arc", {}) | {"rows": {"skills": [{"name": "Climbing", "es": 4}]}}
    ana = import_character(cast.player.member, Card("Ana", owner=cast.player.member), brought(file), key=uuid4())
    ana = add_row(cast.player.member, ana, "skills", {"name": "Riding"}, key=uuid4())
    assert [row["name"] for row in ana.rules.rows(ana.values, "skills")] == ["Climbing", "Riding"]


def _file(system, values):
    head = {"format": "afterburn-sheet", "version": 1, "system": system, "name": "Ana"}
    return head | {"values": values, "rows": {}}
