"""Characters that are made with something on their sheet: within the budget, and of templates."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Forbidden, Invalid, NotFound
from characters.models import Character, CharacterTemplate
from characters.rulesets import given
from characters.services.cards import Card, make_character
from characters.services.creation import (
    change_creation,
    change_template,
    drop_template,
    keep_template,
    make_from_template,
    make_guided,
)
from characters.services.fields import add_row, set_field
from tests.characters.operations import SECRET_NAME, told
from tests.stored import store

SEVEN = {"hunt": 2, "prowl": 2, "sway": 2, "wreck": 1}


def guided(by, system="forged", beyond=False, key=None, owner=None, **values):
    card = Card("Thorn", "", owner or by)
    return make_guided(by, card, values, system=system, beyond=beyond, key=key or uuid4())


# Within the budget


def test_a_whole_sheet_is_made_in_one_operation(cast):
    thorn = guided(cast.player.member, **SEVEN, abilities=[{"name": "Ambush", "words": "From the dark."}], vice="Faith")
    thorn.refresh_from_db()
    assert [thorn.value(name) for name in SEVEN] == [2, 2, 2, 1]
    assert [row["name"] for row in thorn.rules.rows(thorn.values, "abilities")] == ["Ambush"]
    assert [event.kind for event in told()] == ["characters.character_made"]


def test_a_gm_may_go_beyond_the_budget_and_a_player_may_not(cast):
    assert guided(cast.gm.member, beyond=True, **SEVEN | {"wreck": 4}).value("wreck") == 4
    with pytest.raises(Forbidden, match="Only a GM"):
        guided(cast.player.member, beyond=True, **SEVEN)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"us_build": 3}, "isn’t asked for"),
        ({"som": 10}, "isn’t asked for"),
        ({"build": 11}, "goes from 1 to 10"),
        ({"skills": [{"name": "", "es": 1}]}, "can’t be empty"),
        ({"skills": [{"name": "A"}] * 200}, " fit"),
        ({"nonsense": 1}, "isn’t asked for"),
    ],
)
def test_what_cannot_stand_there_makes_nothing(cast, values, words):
    for by in (cast.player.member, cast.gm.member):
        with pytest.raises(Invalid, match=words):
            guided(by, "arc", **values)
    assert not Character.objects.exists()


def test_what_follows_from_the_choices_is_on_the_sheet_too(cast):
    silas = guided(cast.player.member, "storyteller", courage=4, self_control=4)
    assert (silas.number("willpower"), silas.number("willpower_now")) == (4, 4)
    store(cast.campaign, settings={"descriptors": {"start_will": 7}})
    assert guided(cast.player.member, "descriptors").number("will") == 7


# What the campaign gives


def test_a_campaign_gives_its_own_budget_and_everybody_hears_of_it(cast):
    change_creation(cast.gm.member, {"forged": {"actions": 8, "most_action": 2}}, key=uuid4())
    assert guided(cast.player.member, **SEVEN | {"wreck": 2}).value("wreck") == 2
    change = {"name": "forged.actions", "before": 7, "after": 8}
    assert told("table")[0].payload["changes"] == [change]


def test_what_is_decided_as_it_was_is_told_to_nobody(cast):
    change_creation(cast.gm.member, given(cast.campaign, ["forged", "arc"]), key=uuid4())
    assert told() == []


@pytest.mark.parametrize("points", [{"actions": -1}, {"actions": 1001}, {"most_action": 5}, {"nonsense": 1}])
def test_a_budget_that_cannot_be_is_refused(cast, points):
    with pytest.raises(Invalid):
        change_creation(cast.gm.member, {"forged": points}, key=uuid4())
    cast.campaign.refresh_from_db()
    assert "creation" not in cast.campaign.settings


# Templates


@pytest.fixture
def guard(cast, silas):
    """Return a template of an NPC of the arc rules whom players do not know."""
    npc = make_character(cast.gm.member, Card(SECRET_NAME, "Guard", shown=False), system="arc", key=uuid4())
    for field, value, seen in (("build", 7, 5), ("us_build", 4, 1), ("disposition", -2, 0), ("notes", "mine", "")):
        npc = set_field(cast.gm.member, npc, field, value, expected=seen, key=uuid4())
    npc = add_row(cast.gm.member, npc, "skills", {"name": "Halberd", "es": 6}, key=uuid4())
    npc = add_row(cast.gm.member, npc, "links", {"to": str(silas.pk), "words": "watches him"}, key=uuid4())
    return keep_template(cast.gm.member, npc, key=uuid4())


def offer(cast, template, offered=True, name="Guard"):
    return change_template(cast.gm.member, template, name=name, offered=offered, key=uuid4())


def test_an_npc_of_a_template_has_its_whole_sheet(cast, guard):
    made = make_from_template(cast.gm.member, guard, Card("Bolt", shown=False), key=uuid4())
    assert [made.value(name) for name in ("build", "us_build", "disposition")] == [7, 4, -2]
    assert [row["name"] for row in made.rules.rows(made.values, "skills")] == ["Halberd"]


def test_a_template_keeps_no_private_notes_and_no_links(cast, guard):
    assert "notes" not in guard.values and "links" not in guard.values
    made = make_from_template(cast.gm.member, guard, Card("Bolt"), key=uuid4())
    assert made.value("notes") == "" and made.rules.rows(made.values, "links") == []


def test_players_take_only_what_is_offered_to_them(cast, guard):
    with pytest.raises(NotFound):
        make_from_template(cast.player.member, guard, Card("Ana", "", cast.player.member), key=uuid4())
    offer(cast, guard)
    made = make_from_template(cast.player.member, guard, Card("Ana", "", cast.player.member), key=uuid4())
    assert made.owner == cast.player.member and made.number("build") == 7 and made.disposition == 0
    assert made.secret["us_build"] == 4
    offer(cast, guard, offered=False)
    assert not CharacterTemplate.objects.open_to(cast.player.member)


def test_players_hear_nothing_of_templates(cast, guard):
    offer(cast, guard)
    drop_template(cast.gm.member, guard.pk, key=uuid4())
    assert {event.stream.name for event in told() if event.kind == "characters.template_changed"} == {"gm"}
    assert not CharacterTemplate.objects.exists()


def test_the_template_of_a_crew_makes_crews_and_is_the_gms_own(cast, crew):
    kept = offer(cast, keep_template(cast.gm.member, crew, key=uuid4()))
    assert make_from_template(cast.gm.member, kept, Card("The Ash"), key=uuid4()).is_crew
    assert kept not in CharacterTemplate.objects.open_to(cast.player.member)
