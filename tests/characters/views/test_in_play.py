"""What matters of a character in play: beside the dice of whoever has it at hand, in a GM's dialog, and live."""

from __future__ import annotations

import re
from types import SimpleNamespace
from uuid import uuid4

import pytest

from campaigns.live.render import render_live
from campaigns.models import Event, Role
from characters.models import Character
from characters.services.cards import Card, lock_sheet, make_character
from characters.services.fields import add_row, mark_resources, set_field
from characters.sheets.fields import Number, Visibility
from characters.sheets.sheet import Group, Layout, Resource, Sheet
from characters.views.in_play import hand_of, open_resources, party
from tests.canaries import canary
from tests.cast import viewer
from tests.characters.operations import HTMX, at, change, send
from tests.characters.operations import page as got
from tests.characters.test_live_sheet import play
from tests.dom import apply, parse
from tests.following import differing, follow, plain
from tests.stored import reread

SYSTEMS = ("storyteller", "descriptors", "arc", "forged")
OWN = {
    "storyteller": {"Health", "Willpower", "Blood"},
    "descriptors": {"Will", "Power", "Out of the scene", "Injuries", "Stuck Scene Descriptors", "Keys"},
    "arc": {"State of mind", "Movement", "Burden", "Size", "Unconscious"},
    "forged": {
        *("Stress", "Trauma", "Severe harm", "Moderate harm", "Lesser harm", "Healing clock"),
        *("Armour", "Special armour", "Load", "Room left", "Coin", "Stash"),
    },
}


def made(cast, system):
    mo = cast.player.member
    return make_character(mo, Card("Wren", "", mo), system=system, key=uuid4())


def page(person, cast, **query):
    return got(person, "table", cast, **query).content.decode()


@pytest.mark.parametrize("system", SYSTEMS)
def test_whoever_has_a_character_at_hand_has_all_that_matters_in_play(cast, all_systems, system):
    wren = made(cast, system)
    shown = hand_of(viewer(cast.player))["in_play"]
    assert {item["label"] for item in (*shown["resources"], *shown["own"])} == OWN[system]
    html = page(cast.player, cast)
    assert f'data-marks="{shown["mark_url"]}"' in html and f'id="in-play-{wren.pk}"' in html
    ids = [node.attrs["id"] for node in parse(html).walk() if node.attrs.get("id")]
    assert len(ids) == len(set(ids)), "an id stands twice, and the socket would change only the first"
    assert f'id="in-play-{wren.pk}"' not in page(cast.other_player, cast)


def test_a_box_says_in_words_which_it_is_and_how(cast, all_systems):
    wren = made(cast, "descriptors")
    send(cast.player, "character_marks", cast, wren.pk, more="power_3")
    (button,) = [node for node in parse(page(cast.player, cast)).walk() if node.attrs.get("data-of") == "power_3"]
    assert " ".join(re.sub("<[^>]*>", " ", str(button)).split()) == "Power box 3, 3 crossed off"
    assert send(cast.player, "character_marks", cast, wren.pk, less="power_3").status_code == 204
    assert not reread(wren).value("power_3")


def test_a_number_of_few_boxes_is_one_slider_and_others_are_stepped(cast, all_systems):
    wren = made(cast, "forged")
    nodes = [*parse(page(cast.player, cast)).walk()]
    sliders = {node.attrs["data-of"]: node.attrs for node in nodes if node.attrs.get("role") == "slider"}
    assert {*sliders} == {"stress", "healing", "coin"}
    assert (sliders["stress"]["aria-valuenow"], sliders["stress"]["aria-valuemax"]) == ("0", "9")
    assert {node.attrs["data-of"] for node in nodes if node.attrs.get("data-mark") == "more"} == {"stash"}
    assert send(cast.player, "character_marks", cast, wren.pk, more="stress", by="4").status_code == 204
    for by in ("0", "-1", "13", "one"):
        assert send(cast.player, "character_marks", cast, wren.pk, more="stress", by=by).status_code == 422
    assert reread(wren).number("stress") == 4


def test_a_health_level_says_what_a_press_makes_of_it(cast):
    wren = made(cast, "storyteller")
    mark_resources(cast.player.member, wren, {"bashing": 1, "lethal": 1}, key=uuid4())
    levels = [
        node.attrs for node in parse(page(cast.player, cast)).walk() if "health-level" in node.attrs.get("class", "")
    ]
    told = [tuple(level.get(f"data-{name}") for name in ("less", "more", "by")) for level in levels]
    assert told[:4] == [
        ("lethal", "aggravated", "1"),
        ("bashing", "lethal", "1"),
        (None, "bashing", "1"),
        (None, "bashing", "2"),
    ]
    assert send(cast.player, "character_marks", cast, wren.pk, less="bashing", more="lethal", by="1").status_code == 204
    wren.refresh_from_db()
    assert (wren.number("bashing"), wren.number("lethal")) == (0, 2)


def test_a_track_shows_as_many_boxes_as_it_has(cast, all_systems):
    wren = made(cast, "descriptors")
    set_field(cast.player.member, wren, "power_boxes", 4, expected=6, key=uuid4())
    boxes = [node for node in parse(page(cast.player, cast)).walk() if node.attrs.get("data-box")]
    assert [box.attrs["data-box"] for box in boxes if "hidden" not in box.attrs] == ["1", "2", "3", "4"]


def test_rows_are_marked_by_so_much_and_taken_off_as_they_were_seen(cast, all_systems):
    wren, key = made(cast, "descriptors"), uuid4()
    add_row(cast.player.member, wren, "injuries", {"name": "Burnt hand", "dice": 2}, key=key)
    assert send(cast.player, "character_marks", cast, wren.pk, more=f"injuries/{key.hex}/dice").status_code == 204
    wren.refresh_from_db()
    assert wren.value(f"injuries/{key.hex}/dice") == 3
    assert send(cast.player, "character_marks", cast, wren.pk, more=f"injuries/{key.hex}/name").status_code == 422
    assert send(cast.player, "character_marks", cast, wren.pk, more="injuries/4f2a/dice").status_code == 422
    gone = {"rows": "injuries", "row": key.hex, "column-name": "Burnt hand"}
    for seen, status in ((2, 409), (3, 204)):
        sent = send(cast.player, "row_remove", cast, wren.pk, **gone | {"column-dice": seen})
        assert sent.status_code == status


def test_a_locked_sheet_has_nothing_to_press(cast, all_systems):
    wren = made(cast, "descriptors")
    assert "data-marks" in page(cast.player, cast)
    lock_sheet(cast.gm.member, wren, key=uuid4())
    assert "data-marks" not in page(cast.player, cast)


def test_a_gm_opens_the_same_from_the_party_for_somebody_who_is_away(cast, all_systems):
    wren = made(cast, "forged")
    (one,) = [one for one in party(viewer(cast.gm)) if one["name"] == "Wren"]
    answer = cast.gm.client.get(one["panel_url"], **HTMX).content.decode()
    assert f'id="in-play-{wren.pk}"' in answer and 'data-of="stress"' in answer
    assert {*OWN["forged"]} <= {node.attrs.get("aria-label") for node in parse(answer).walk()}
    assert got(cast.gm, "character_in_play", cast, wren.pk).status_code == 302
    for person in (cast.player, cast.other_player):
        assert not [one for one in party(viewer(person)) if one["panel_url"]]
    assert cast.other_player.client.get(at("character_in_play", cast, wren.pk), **HTMX).status_code == 403
    assert cast.outsider.client.get(at("character_in_play", cast, wren.pk), **HTMX).status_code == 404


def test_a_choice_is_made_in_the_dialog_and_never_over_somebody_elses(cast, all_systems):
    wren = made(cast, "forged")
    url = at("character_marks", cast, wren.pk)
    asked = cast.player.client.get(url, {"resource": "load"}, **HTMX).content.decode()
    assert 'value="heavy"' in asked and 'name="briefly"' in asked
    field = at("character_field", cast, wren.pk)
    set_field(cast.gm.member, wren, "load", "light", expected="", key=uuid4())
    late = {"field": "load", "expected": "", "value": "heavy", "briefly": "yes", "key": uuid4()}
    answer = cast.player.client.post(field, late, **HTMX, HTTP_HX_TRIGGER="mark-choice")
    assert answer.status_code == 409 and answer["HX-Retarget"] == "#mark-choice-errors"
    assert "Light" in answer.content.decode()


def test_the_load_that_is_chosen_says_what_there_is_room_for(cast, all_systems):
    wren = made(cast, "forged")
    set_field(cast.player.member, wren, "load", "normal", expected="", key=uuid4())
    add_row(cast.player.member, wren, "items", {"name": "Rope", "load": 2, "carried": True}, key=uuid4())
    assert "3 of 5 free" in page(cast.player, cast)


def test_a_crew_stands_behind_the_party_and_every_player_marks_it(cast, all_systems):
    crew = make_character(cast.gm.member, Card("The Wick"), is_crew=True, key=uuid4())
    wren = made(cast, "forged")
    for person in (cast.gm, cast.player, cast.other_player, cast.spectator):
        *others, shown = party(viewer(person))
        assert [one["name"] for one in others] == ([] if person is cast.player else ["Wren"])
        assert shown["name"] == "The Wick"
        assert [item["label"] for item in shown["resources"]] == ["Heat", "Wanted level", "Coin"]
        assert bool(shown["panel_url"]) == (person is not cast.spectator)
        assert not shown["hand_url"] and not shown["asks"]
    assert send(cast.other_player, "character_marks", cast, crew.pk, more="heat").status_code == 204
    assert "party-" + str(crew.pk) in render_live(Event.objects.latest("id"), Role.SPECTATOR)
    change(cast.gm.member, crew, shown=False)
    assert [one["name"] for one in party(viewer(cast.other_player))] == ["Wren"] and wren.plays


def test_what_only_gms_may_know_is_in_nobody_elses_panel(cast, all_systems):
    wren = made(cast, "arc")
    set_field(cast.player.member, wren, "control", 9, expected=5, key=uuid4())
    set_field(cast.gm.member, wren, "us_control", 7, expected=1, key=uuid4())
    set_field(cast.gm.member, wren, "gm_notes", canary("gm", "notes"), expected="", key=uuid4())
    html = page(cast.player, cast)
    assert "us_control" not in html and "canary" not in html
    assert "us_control" in page(cast.gm, cast, character=wren.pk)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.thorough
def test_following_the_table_shows_of_a_sheet_what_reloading_it_shows(cast, all_systems, npc, patience, system, opened):
    """Rows that are added, changed and removed; boxes, figures and numbers: with the character at hand and in the party."""
    wren = made(cast, system)
    if opened:
        change(cast.gm.member, wren, opened=True)
    looking, query = ("gm", "player", "other_player"), {"character": str(wren.pk)}
    before = {who: parse(plain(page(getattr(cast, who), cast, **query))) for who in looking}
    first = Event.objects.latest("id").pk
    play(cast, Character.objects.get(pk=wren.pk), npc)
    for who, followed in before.items():
        person = getattr(cast, who)
        touched, reloaded = follow(followed, person, cast.campaign, first), parse(plain(page(person, cast, **query)))
        # The feed of the page shows the newest lines alone.
        named = {name for name in touched if not name.startswith("event-")}
        assert not differing(named, followed, reloaded), who
        mine = {name for name in touched & reloaded.by_ids().keys() if str(wren.pk) in name}
        assert bool(mine) == (opened or who != "other_player"), who


def test_an_injury_stands_on_every_open_page_as_soon_as_it_is_there_and_goes_with_it(cast, all_systems):
    wren, key = made(cast, "descriptors"), uuid4()
    open_page = parse(plain(page(cast.player, cast)))
    add_row(cast.gm.member, wren, "injuries", {"name": "Burnt hand", "dice": 2}, key=key)
    apply(open_page, render_live(Event.objects.latest("id"), Role.PLAYER))
    row = f"character-{wren.pk}-injuries-{key.hex}"
    assert "Burnt hand" in str(open_page.by_id(row))
    wren.refresh_from_db()
    mark_resources(cast.player.member, wren, {f"injuries/{key.hex}/dice": -1}, key=uuid4())
    apply(open_page, render_live(Event.objects.latest("id"), Role.PLAYER))
    assert "data-value='1'" in str(open_page.by_id(row))
    gone = {"rows": "injuries", "row": key.hex, "column-name": "Burnt hand", "column-dice": "1"}
    send(cast.gm, "row_remove", cast, wren.pk, **gone)
    apply(open_page, render_live(Event.objects.latest("id"), Role.PLAYER))
    assert not open_page.by_id(row)


def test_a_resource_that_even_those_without_the_sheet_may_see_is_in_sight(cast):
    """Public values of a sheet are shown to everyone."""
    luck = Number("luck", "Luck", visibility=Visibility.PUBLIC)
    hidden = Number("doom", "Doom", visibility=Visibility.SECRET)
    layout = Layout(resources=(Resource("luck"), Resource("doom")))
    rules = Sheet("coins", [Group("all", "All", (luck, hidden))], layout=layout)
    assert [one.name for one in open_resources(SimpleNamespace(rules=rules))] == ["luck"]
