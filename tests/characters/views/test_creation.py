"""The ways to a new character: step by step, of a template, an NPC in haste."""

from __future__ import annotations

import json
import re
from uuid import uuid4

import pytest
from django.utils import translation

from campaigns.models import Campaign
from characters.models import Character, CharacterTemplate
from characters.rulesets import budget_of
from characters.services.cards import Card, make_character
from characters.services.creation import change_template, keep_template
from characters.services.fields import set_field
from characters.sheets import SHEETS
from characters.sheets.fields import Text
from rolls.registry import RULESETS
from tests.canaries import canary
from tests.characters.operations import SECRET_NAME, at, page, send, text

SEVEN = {"hunt": 2, "prowl": 2, "sway": 2, "wreck": 1}


def sent(person, cast, system, /, **data):
    """Press the button of a guided page."""
    return send(person, "character_guided", cast, system, htmx=False, **{"name": "Thorn", "known": "card", **data})


def asked(person, cast, system, /, **data):
    """Send the form for its preview, and return the server's answer."""
    return send(person, "character_guided", cast, system, **data)


# The guided page


@pytest.mark.parametrize("system", list(RULESETS))
def test_each_system_has_its_page_with_what_is_left(cast, system):
    told = text(page(cast.player, "character_guided", cast, system))
    assert "Create character" in told
    for pot in budget_of(cast.campaign, system).reckon({}).pots:
        assert pot.label in told


@pytest.mark.parametrize("system", list(RULESETS))
def test_its_steps_hold_every_section_once_and_in_order(cast, system):
    answer = page(cast.player, "character_guided", cast, system)
    sections, steps = answer.context["sections"], answer.context["steps"]
    assert [one for step in steps for one in step["sections"]] == sections
    assert steps[0]["label"].startswith("Card") and 1 < len(steps) < 6
    for number, step in enumerate(steps, start=1):
        assert f'href="#step-{number}"' in answer.content.decode() and step["label"]


def test_a_system_that_the_campaign_does_not_play_is_not_there(cast):
    Campaign.objects.update(systems=["arc"])
    assert page(cast.player, "character_guided", cast, "forged").status_code == 404
    assert page(cast.player, "character_guided", cast, "nonsense").status_code == 404


def test_a_player_makes_a_whole_sheet_and_lands_on_it(cast):
    key = str(uuid4())
    answer = sent(cast.player, cast, "forged", key=key, **SEVEN, **{"items-1-name": "Rope", "items-1-load": 2})
    assert answer.status_code == 302 and answer["Location"] == at("character", cast, key)
    thorn = Character.objects.get()
    assert (thorn.owner, thorn.system, thorn.value("hunt")) == (cast.player.member, "forged", 2)
    assert [(row["name"], row["load"]) for row in thorn.rules.rows(thorn.values, "items")] == [("Rope", 2)]


def test_over_the_budget_nothing_is_made_and_everything_typed_is_there_again(cast):
    typed = {
        "look": "Grey coat",
        "items-4-name": "A fifth thing",
        "abilities-0-words": "?",
        "abilities-0-name": "Ambush",
    }
    answer = sent(cast.player, cast, "forged", **SEVEN | {"wreck": 2}, **typed)
    assert answer.status_code == 422 and not Character.objects.exists()
    told = text(answer)
    assert "1 too many: 8 of 7 spent." in told
    assert all(f'value="{words}"' in told for words in ("Thorn", "Grey coat", "A fifth thing", "Ambush"))
    assert re.findall(r'name="(\w+)" id="[\w-]+" value="2" checked', told) == ["hunt", "prowl", "wreck", "sway"]


def test_a_number_out_of_range_is_said_at_its_field(cast):
    answer = sent(cast.player, cast, "arc", build=9)
    assert answer.status_code == 422
    assert "Build goes from 1 to 8 here." in text(answer)
    answer = sent(cast.player, cast, "forged", hunt=3)
    assert "Hunt goes from 0 to 2 here." in text(answer)


def test_a_row_without_a_name_is_asked_for_one(cast):
    answer = sent(cast.player, cast, "descriptors", **{"descriptors-0-dice": 4})
    assert answer.status_code == 422 and "Enter a name, or clear the row." in text(answer)


def test_only_what_is_asked_for_is_read(cast):
    sent(cast.player, cast, "arc", us_build=5, som=10, gm_notes="mine")
    ana = Character.objects.get()
    assert (ana.number("us_build"), ana.number("som"), ana.value("gm_notes")) == (1, 6, "")


def test_while_it_is_filled_in_the_server_says_where_the_budget_stands(cast):
    told = text(
        asked(cast.player, cast, "storyteller", strength=5, dexterity=5, stamina=5, **{"powers-0-name": "Shadows"})
    )
    assert "Physical <b>0</b>" in told and "paid with 25 freebie points" in told
    assert "10 freebie points too many" in told and "data-field" not in told
    assert 'id="standing-physical" hx-swap-oob="true"' in told
    assert "Powers <b>2</b>" in told
    assert re.search('<div hx-swap-oob="innerHTML:#budget-words"> *Freebie points: 10 too many', told)
    assert not Character.objects.exists()


def test_what_several_sections_draw_from_is_shown_above_them_once(cast):
    shared = text(page(cast.player, "character_guided", cast, "forged"))
    assert shared.count("<b>7</b>") == 1 and 'id="standing-prowess"' in shared
    own = text(page(cast.player, "character_guided", cast, "storyteller"))
    assert re.search(r'id="standing-physical">\s*<p class="quiet">\s*<b>7</b>', own)


def test_while_it_is_filled_in_a_number_out_of_range_is_said_too(cast):
    assert '<li data-field="build">Build goes from 1 to 8 here.</li>' in text(asked(cast.player, cast, "arc", build=9))


def test_more_rows_come_beside_those_that_are_there(cast):
    told = text(asked(cast.player, cast, "arc", more="skills", **{"skills-2-name": "", "skills-0-name": "Climbing"}))
    assert [f"skills-{number}-name" in told for number in range(7)] == [False, False, False, True, True, True, False]
    whole = sent(cast.player, cast, "arc", more="skills", **{"skills-2-name": "", "skills-0-name": "Climbing"})
    assert whole.status_code == 200 and 'value="Climbing"' in text(whole) and "skills-5-name" in text(whole)
    assert not Character.objects.exists()


def test_there_are_no_more_rows_than_a_sheet_holds(cast):
    told = text(asked(cast.player, cast, "arc", more="skills", **{"skills-78-name": ""}))
    assert [f"skills-{number}-name" in told for number in (78, 79, 80)] == [False, True, False]
    assert "skills-" not in text(asked(cast.player, cast, "arc", more="skills", **{"skills-79-name": ""}))


def test_rows_beyond_what_a_sheet_holds_are_not_made_up(cast):
    assert sent(cast.player, cast, "arc", **{"skills-999-name": "X"}).status_code == 302
    assert Character.objects.get().rules.rows(Character.objects.get().values, "skills") == []


def test_a_gm_may_go_beyond_the_budget(cast):
    assert sent(cast.gm, cast, "forged", **SEVEN | {"hunt": 4}).status_code == 422
    assert sent(cast.gm, cast, "forged", beyond="on", **SEVEN | {"hunt": 4}).status_code == 302
    assert Character.objects.get().value("hunt") == 4


# What a campaign gives


def test_gms_set_the_budgets_of_the_systems_they_play(cast):
    Campaign.objects.update(systems=["forged"])
    assert "Freebie" not in text(page(cast.gm, "creation_settings", cast))
    points = {"forged.actions": 9, "forged.most_action": 3, "forged.abilities": 2}
    assert send(cast.gm, "creation_settings", cast, htmx=False, **points).status_code == 302
    assert "9</b>" in text(page(cast.player, "character_guided", cast, "forged"))
    wrong = send(cast.gm, "creation_settings", cast, htmx=False, **points | {"forged.most_action": 9})
    assert wrong.status_code == 422 and 'value="9"' in text(wrong)


# Templates


@pytest.fixture
def guard(cast):
    npc = make_character(cast.gm.member, Card(SECRET_NAME, "Guard", shown=False), system="arc", key=uuid4())
    npc = set_field(cast.gm.member, npc, "gm_notes", canary("gm", "template"), expected="", key=uuid4())
    return keep_template(cast.gm.member, npc, key=uuid4())


def test_a_player_sees_nothing_of_a_template_that_is_not_offered(cast, guard):
    assert SECRET_NAME not in text(page(cast.player, "character_new", cast))
    assert page(cast.player, "character_from_template", cast, guard.pk).status_code == 404
    assert send(cast.player, "character_from_template", cast, guard.pk, htmx=False, name="X").status_code == 404


def test_a_player_makes_a_character_of_what_is_offered_and_none_of_its_secrets_come_to_light(cast, guard):
    change_template(cast.gm.member, guard, name="Guard", offered=True, key=uuid4())
    assert "Guard" in text(page(cast.player, "character_new", cast))
    assert "Guard" in text(page(cast.player, "character_from_template", cast, guard.pk))
    key = str(uuid4())
    data = {"key": key, "name": "Bolt", "known": "sheet"}
    assert send(cast.player, "character_from_template", cast, guard.pk, htmx=False, **data).status_code == 302
    # The suite's ear (tests/conftest.py) is at these answers.
    for person in (cast.player, cast.other_player):
        assert page(person, "character", cast, key).status_code == 200
    assert canary("gm", "template") in Character.objects.get(pk=key).secret["gm_notes"]


def test_gms_keep_rename_offer_and_drop_templates(cast, silas):
    assert send(cast.gm, "character_templates", cast, htmx=False, character=str(silas.pk)).status_code == 302
    kept = CharacterTemplate.objects.get()
    assert "Silas Grey" in text(page(cast.gm, "character_templates", cast))
    assert (
        send(cast.gm, "character_template", cast, kept.pk, htmx=False, name="Archivist", offered="on").status_code
        == 302
    )
    kept.refresh_from_db()
    assert (kept.name, kept.offered) == ("Archivist", True)
    refused = send(cast.gm, "character_template", cast, kept.pk, htmx=False, name="")
    assert refused.status_code == 422 and "This field is required." in text(refused)
    dropped = {"htmx": False, "key": str(uuid4())}
    for _ in range(2):
        assert send(cast.gm, "character_template_drop", cast, kept.pk, **dropped).status_code == 302
    assert not CharacterTemplate.objects.exists()


def test_what_is_sent_again_after_the_template_was_dropped_gets_the_first_answer(cast, silas):
    keeping = {"htmx": False, "key": str(uuid4()), "character": str(silas.pk)}
    assert send(cast.gm, "character_templates", cast, **keeping).status_code == 302
    send(cast.gm, "character_template_drop", cast, CharacterTemplate.objects.get().pk)
    assert send(cast.gm, "character_templates", cast, **keeping).status_code == 302
    assert not CharacterTemplate.objects.exists()


def test_a_sheet_can_be_kept_from_the_page_of_its_card(cast, silas):
    assert f'name="character" value="{silas.pk}"' in text(page(cast.gm, "character_card", cast, silas.pk))
    assert "Keep as a template" not in text(page(cast.player, "character_card", cast, silas.pk))


def test_the_sheet_of_somebody_elsewhere_cannot_be_kept(cast, silas):
    Character.objects.update(campaign=Campaign.objects.create(slug="elsewhere", name="Elsewhere", systems=["arc"]))
    make_character(cast.gm.member, Card("Somebody"), key=uuid4())
    answer = send(cast.gm, "character_templates", cast, htmx=False, character=str(silas.pk))
    assert answer.status_code == 422 and not CharacterTemplate.objects.exists()


# NPCs in haste


def test_a_name_and_enter_make_a_hidden_npc_and_put_it_at_hand(cast):
    key = str(uuid4())
    answer = send(cast.gm, "npc_new", cast, key=key, name="Old Marrow")
    at_hand = json.loads(answer["HX-Trigger"])["afterburn:hand"]
    assert answer.status_code == 204 and at_hand == {"url": f"{at('table', cast)}?character={key}", "pool": ""}
    made = Character.objects.get()
    assert made.is_hidden and made.is_npc and made.system == "storyteller"
    assert "Old Marrow" in text(cast.gm.client.get(at_hand["url"]))


@pytest.mark.parametrize(
    ("typed", "name", "pool"),
    [
        ("Guard pool 5", "Guard", "5"),
        ("Agent 47 Pool 12", "Agent 47", "12"),
        ("Agent 47", "Agent 47", ""),
        ("pool 5", "pool 5", ""),
        ("Foundry warden, pool 5", "Foundry warden", "5"),
        ("Foundry warden: Pool: 5", "Foundry warden", "5"),
        (" Foundry warden , ", "Foundry warden", ""),
        ("Foundry warden,pool 5;", "Foundry warden", "5"),
    ],
)
def test_one_line_says_who_it_is_and_what_they_roll(cast, typed, name, pool):
    answer = send(cast.gm, "npc_new", cast, name=typed, shown="on")
    assert json.loads(answer["HX-Trigger"])["afterburn:hand"]["pool"] == pool
    assert Character.objects.get().name == name


@pytest.mark.parametrize("typed", ["Marrow, hidden", "Marrow, pool 5, hidden", "Marrow: Hidden; pool 5"])
def test_the_same_line_says_that_players_do_not_know_them(cast, typed):
    send(cast.gm, "npc_new", cast, name=typed, shown="on")
    made = Character.objects.get()
    assert made.name == "Marrow" and made.is_hidden


@pytest.mark.parametrize("typed", ["Something hidden", "Hidden", "Marrow, the hidden"])
def test_a_name_may_have_that_word(cast, typed):
    send(cast.gm, "npc_new", cast, name=typed, shown="on")
    assert Character.objects.get().name == typed and not Character.objects.get().is_hidden


def test_without_a_script_the_npc_is_at_hand_all_the_same(cast):
    answer = send(cast.gm, "npc_new", cast, htmx=False, name="Old Marrow", shown="on", of="system:arc")
    assert answer.status_code == 302 and Character.objects.get().shown
    assert Character.objects.get().system == "arc"


def test_an_npc_of_a_template_or_a_crew_is_made_as_fast(cast, guard):
    send(cast.gm, "npc_new", cast, name="Bolt", of=f"template:{guard.pk}")
    bolt = Character.objects.get(name="Bolt")
    assert (bolt.system, bolt.concept, bolt.is_hidden) == ("arc", "Guard", True)
    send(cast.gm, "npc_new", cast, name="The Wick", of="crew", shown="on")
    assert Character.objects.get(name="The Wick").is_crew


@pytest.mark.parametrize("data", [{"name": ""}, {"name": "X", "of": "template:1"}, {"name": "X", "of": "system:chess"}])
def test_an_npc_that_cannot_be_is_refused_at_the_form(cast, data):
    answer = send(cast.gm, "npc_new", cast, **data)
    assert answer.status_code == 422 and not Character.objects.exists()


def test_where_there_is_one_kind_of_sheet_nobody_is_asked_for_it(cast):
    Campaign.objects.update(systems=["arc"])
    assert "Sheet" not in text(cast.gm.client.get(at("npc_new", cast), HTTP_HX_REQUEST="true"))
    send(cast.gm, "npc_new", cast, name="Bolt")
    assert Character.objects.get().system == "arc"


def test_the_way_to_it_is_on_the_list_and_on_the_table_for_gms_alone(cast):
    for name in ("characters", "table"):
        assert at("npc_new", cast) in text(page(cast.gm, name, cast))
        assert at("npc_new", cast) not in text(page(cast.player, name, cast))


# What is not spent yet is said before a sheet is finished.


def test_what_is_not_spent_is_said_beside_the_button_and_as_one_types(cast):
    assert "Action dots: 7 of 7 not spent yet." in text(page(cast.player, "character_guided", cast, "forged"))
    told = asked(cast.player, cast, "forged", **SEVEN, **{"abilities-0-name": "Ghost"}).content.decode()
    assert 'hx-swap-oob="innerHTML:#unspent"' in told and "not spent yet" not in told
    assert "Action dots: 5 of 7 not spent yet." in text(asked(cast.player, cast, "forged", hunt=2))


@pytest.mark.parametrize("system", list(RULESETS))
def test_a_sheet_says_what_is_not_spent_before_it_is_marked_as_complete(cast, system):
    Campaign.objects.update(systems=[system])
    mo = cast.player.member
    thorn = make_character(mo, Card("Thorn", owner=mo), system=system, key=uuid4())
    url = at("character_mark", cast, thorn.pk)
    pots = [pot for pot in budget_of(cast.campaign, system).reckon(thorn.sheet).pots if pot.left]
    told = text(cast.player.client.get(url))
    assert bool(pots) is (system != "descriptors")  # which gives as much as one likes
    assert all(f"{pot.label}: {pot.left} of {pot.of} not spent yet." in told for pot in pots)
    assert f'hx-get="{url}"' in cast.player.client.get(url.removesuffix("mark/")).content.decode()
    assert cast.other_player.client.get(url).status_code == 403


def test_an_npc_has_no_points_that_could_be_left(cast, npc):
    url = at("character_mark", cast, npc.pk)
    assert not text(cast.gm.client.get(url)).strip()
    assert f'hx-get="{url}"' not in cast.gm.client.get(url.removesuffix("mark/")).content.decode()


@pytest.mark.parametrize(
    ("system", "word", "line", "german"),
    [
        ("forged", "Fixer", "Knows who can get it", "Vermittler"),
        ("storyteller", "Loner", "Trusts no plan", "Eigenbrötler"),
        ("descriptors", "An old debt", "You pay", "Eine alte Schuld"),
        ("arc", "Swordplay", "A blade, and room", "Schwertkampf"),
        ("arc", "Never strike first", "A fight is what others begin", "Nie zuerst zuschlagen"),
    ],
)
def test_suggestions_have_a_line_each_and_are_read_in_the_readers_language(cast, system, word, line, german):
    html = page(cast.player, "character_guided", cast, system).content.decode()
    assert f'data-gives="{word}"' in html and line in html and 'data-gives="Selma"' in html
    with translation.override("de"):
        assert any(german in dict(field.explained) for field in texts_of(SHEETS[system]))


def texts_of(sheet):
    in_rows = [column for rows in sheet.lists.values() for column in rows.columns]
    return [field for field in (*sheet.fields.values(), *in_rows) if isinstance(field, Text)]
