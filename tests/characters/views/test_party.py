"""The party on the table page: who is played, as far as each of us may see, and what is pressed there."""

import re
from dataclasses import replace
from uuid import uuid4

import pytest

from campaigns.live.render import render_live
from campaigns.models import Event, Role
from characters.services.cards import (
    Card,
    card_of,
    card_version,
    change_character,
    lock_sheet,
    make_character,
    retire_character,
)
from characters.services.fields import add_row, mark_resources
from characters.views.in_play import party
from tests.answers import queries
from tests.cast import viewer
from tests.characters.operations import HTMX, at, page


@pytest.fixture
def corvina(cast):
    return make_character(cast.other_player.member, Card("Corvina", owner=cast.other_player.member), key=uuid4())


def table(person, cast):
    return page(person, "table", cast).content.decode()


def marks(person, cast, character, **data):
    url = at("character_marks", cast, character.pk)
    return person.client.post(url, {"key": uuid4(), **data}, **HTMX, HTTP_HX_TRIGGER="party-marks")


def shown(person):
    return {one["name"]: one for one in party(viewer(person))}


def words(one):
    found = {}
    for item in one["resources"]:
        drawn = item.get("figure") or item.get("cell")
        found[item["label"]] = (
            drawn["words"] if drawn else [[cell["value"] for cell in row["cells"]] for row in item["rows"]]
        )
    return found


def test_each_sees_who_is_played_and_no_more_of_them_than_they_may(cast, silas, corvina, npc, hidden):
    for person in (cast.gm, cast.player, cast.other_player, cast.spectator):
        own = "Silas Grey" if person is cast.player else "Corvina" if person is cast.other_player else ""
        assert list(shown(person)) == [name for name in ("Corvina", "Silas Grey") if name != own]
    for person in (cast.gm, cast.player, cast.other_player, cast.spectator):
        for one in shown(person).values():
            reads = person is cast.gm
            assert bool(one["resources"]) == bool(one["panel_url"]) == reads
            assert bool(one["hand_url"]) == one["asks"] == reads


def test_the_wound_penalty_stands_beside_the_name(cast, silas):
    mark_resources(cast.player.member, silas, {"lethal": 4}, key=uuid4())
    assert words(shown(cast.gm)["Silas Grey"]) == {
        "Health": "Wounded: 4 lethal, \N{MINUS SIGN}2 dice",
        "Willpower": "3",
        "Blood": "10",
    }
    mark_resources(cast.gm.member, silas, {"aggravated": 3}, key=uuid4())
    assert (
        words(shown(cast.gm)["Silas Grey"])["Health"] == "Incapacitated: 3 aggravated, 4 lethal, \N{MINUS SIGN}5 dice"
    )


def test_every_system_says_what_it_keeps_in_sight(cast, all_systems):
    mo = cast.player.member
    made = {
        name: make_character(mo, Card(name, owner=mo), system=name, key=uuid4())
        for name in ("descriptors", "arc", "forged")
    }
    add_row(mo, made["descriptors"], "injuries", {"name": "Burnt hand", "dice": 2}, key=uuid4())
    mark_resources(mo, made["forged"], {"trauma_cold": 1}, key=uuid4())
    found = shown(cast.gm)
    assert words(found["descriptors"]) == {
        "Will": "9",
        "Power": "0 of 6 crossed off",
        "Out of the scene": "no",
        "Injuries": [["Burnt hand", 2]],
    }
    assert words(found["arc"]) == {"State of mind": "5: calm", "Burden": "No burden: 0 of 30 kg", "Unconscious": "no"}
    forged = words(found["forged"])
    assert (forged["Stress"], forged["Trauma"], forged["Severe harm"]) == ("0", "Cold", [])


def glances(html, character):
    """Return what stands beside a name, by the id of its element: the state and the values, as people read them."""
    element = rf'<span[^>]* id="((?:party-state|bar)-{character.pk}[^"]*)">(.*?)(?:</svg>|</span>\s*$)'
    told = {found[1]: re.sub(r"<[^>]+>", "", found[2]) for found in re.finditer(element, html, re.S | re.M)}
    return {name: " ".join(words.split()) for name, words in told.items()}


@pytest.mark.parametrize(
    ("system", "rows", "marks", "state", "gauges"),
    [
        (
            "storyteller",
            {},
            {"lethal": 4, "willpower_now": -1},
            "Wounded \N{MINUS SIGN}2",
            ["Willpower 2/3", "Blood 10/10"],
        ),
        ("forged", {"harm_3": {"name": "Broken leg"}}, {"stress": 7}, "Level 3 harm", ["Stress 7/9"]),
        ("forged", {"harm_1": {"name": "Cut"}}, {"trauma_cold": 1}, "Level 1 harm, Cold", ["Stress 0/9"]),
        ("descriptors", {"injuries": {"name": "Burn", "dice": 2}}, {"will": -2}, "1 Injury", ["Will 7", "Power 0/6"]),
        ("descriptors", {}, {"out_of_scene": 1}, "Out of the scene", ["Will 9", "Power 0/6"]),
        ("arc", {"carried": {"name": "Ore", "weight": "30.5"}}, {"som": -2}, "Shaken", ["Overloaded: 30.5 of 30 kg"]),
        ("arc", {}, {"unconscious": 1}, "Unconscious", ["No burden: 0 of 30 kg"]),
    ],
)
def test_each_is_told_in_words_and_as_an_open_page_is_told(cast, all_systems, system, rows, marks, state, gauges):
    mo = cast.player.member
    moth = make_character(mo, Card("Moth", owner=mo), system=system, key=uuid4())
    guard = make_character(cast.gm.member, Card("Guard"), system=system, key=uuid4())
    for character in (moth, guard):
        before = Event.objects.latest("id").pk
        for name, row in rows.items():
            add_row(cast.gm.member, character, name, row, key=uuid4())
        mark_resources(cast.gm.member, character, marks, key=uuid4())
        told = glances(table(cast.gm, cast), character)
        assert [words for words in told.values() if words] == [state, *gauges]
        events = Event.objects.filter(pk__gt=before).order_by("id")
        live = glances("".join(render_live(event, Role.GM) for event in events), character)
        assert live and live.items() <= told.items()


def test_the_retired_are_not_in_the_party(cast, silas, corvina):
    retire_character(cast.player.member, silas, key=uuid4())
    assert list(shown(cast.gm)) == ["Corvina"]


def test_whoever_only_looks_presses_nothing(cast, silas):
    looking = replace(viewer(cast.gm), real=cast.gm.member)
    (one,) = party(looking)
    assert one["resources"] and not (one["panel_url"] or one["hand_url"] or one["asks"])
    lock_sheet(cast.gm.member, silas, key=uuid4())
    assert shown(cast.gm)["Silas Grey"]["panel_url"]


def test_a_press_is_told_to_all_who_may_see_it_and_drawn_in_its_place(cast, silas):
    assert marks(cast.gm, cast, silas, more="lethal").status_code == 204
    event = Event.objects.latest("id")
    assert event.stream.name == cast.player.member.stream
    html = render_live(event, Role.PLAYER)
    for part in ("party-{}-figure-health", "party-state-{}", "bar-{}-health"):
        assert f'id="{part.format(silas.pk)}"' in html
    assert "<form" not in html and "<button" not in html
    assert marks(cast.player, cast, silas, less="lethal").status_code == 204
    assert f'id="party-state-{silas.pk}">Unhurt<' in table(cast.gm, cast)


def test_what_cannot_be_is_said_where_it_was_pressed(cast, silas):
    answer = marks(cast.player, cast, silas, less="lethal")
    assert answer.status_code == 422 and answer["HX-Retarget"] == "#party-marks-errors"
    assert "0 to 7" in answer.content.decode()


def test_of_rows_and_of_what_has_no_order_the_dialog_asks_for_more(cast, all_systems):
    mo = cast.player.member
    ana = make_character(mo, Card("Ana", owner=mo), system="forged", key=uuid4())
    add_row(mo, ana, "harm_1", {"name": "Bruised"}, key=uuid4())
    url = at("character_marks", cast, ana.pk)
    harm = cast.gm.client.get(url, {"resource": "harm_1"}, **HTMX).content.decode()
    assert 'name="column-name"' in harm and 'value="Bruised"' in harm
    trauma = cast.gm.client.get(url, {"resource": "trauma"}, **HTMX).content.decode()
    assert 'value="trauma_haunted"' in trauma
    assert cast.gm.client.get(url, {"resource": "notes"}, **HTMX).status_code == 422
    assert cast.gm.client.get(url, {"resource": "trauma"}).status_code == 302
    assert cast.other_player.client.get(url, {"resource": "trauma"}, **HTMX).status_code == 403


def test_an_opened_sheet_is_seen_by_all_and_pages_are_told_to_look_again(cast, silas):
    assert not shown(cast.other_player)["Silas Grey"]["resources"]
    card = replace(card_of(silas), opened=True)
    change_character(cast.player.member, silas, card, expected=card_version(silas), key=uuid4())
    assert "data-party" in render_live(Event.objects.latest("id"), Role.PLAYER)
    assert shown(cast.spectator)["Silas Grey"]["resources"]
    assert not shown(cast.spectator)["Silas Grey"]["panel_url"]
    anew = cast.spectator.client.get(at("party", cast)).content.decode()
    assert "Willpower" in anew and "<button" not in anew


def test_the_page_takes_as_many_queries_however_many_there_are(cast, silas):
    url = at("table", cast)
    cast.gm.client.get(url)
    few = queries(cast.gm.client, url)
    for name in "abcdef":
        make_character(cast.other_player.member, Card(name, owner=cast.other_player.member), key=uuid4())
    assert queries(cast.gm.client, url) == few
