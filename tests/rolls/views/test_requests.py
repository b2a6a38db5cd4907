"""The GM's form to ask for a roll by any rules, and the button that answers."""

from __future__ import annotations

import json
import re
from uuid import uuid4

import pytest
from django.urls import reverse

from characters.models import Character
from rolls.events import request_words
from rolls.models import Roll, RollRequest
from rolls.queries.requests import asked_for
from rolls.registry import RULESETS
from rolls.services.requests import Call, ask_for_roll
from rulesets.arc import terms as arc
from rulesets.descriptors import terms as descriptors
from rulesets.forged import terms as forged
from rulesets.storyteller import terms as storyteller
from tests import dice
from tests.dom import parse
from tests.doors import send
from tests.stored import store

ASKS = {
    "storyteller": storyteller.StorytellerInput(traits=("wits",), difficulty=9, kind="soak", automatic=True),
    "descriptors": descriptors.DescriptorsInput(against="Shield wall 4", versus="the guard"),
    "arc": arc.ArcInput(stat="control", skill="tamper", threshold=12, other=-2),
    "forged": forged.ActionTerms(action="prowl", position="desperate", effect="great"),
}


def show(person, cast, request=None, **query):
    url = reverse("request_form", args=[cast.campaign.slug, request.pk]) if request else None
    return person.client.get(url or reverse("request_new", args=[cast.campaign.slug]), query)


def fields(html):
    """Return what a browser would send of the rules' own fields, hidden ones included."""
    found = {}
    for part in parse(html).by_id("request-fields").walk():
        name = part.attrs.get("name")
        if part.tag == "select":
            options = [option for option in part.walk() if option.tag == "option"]
            chosen = [option for option in options if "selected" in option.attrs] or options
            found[name] = chosen[0].attrs["value"]
        elif part.attrs.get("type") != "checkbox" and name:
            found[name] = part.attrs.get("value", "")
        elif "checked" in part.attrs:
            found[name] = "on"
    return found


def labels(html):
    """Return the labels of the fields, by their names."""
    found = {}
    for label in re.findall(r"<label.*?</label>", html, re.S):
        name = re.search(r'name="(\w+)"', label)
        words = re.search(r"<span[^>]*>(.*?)</span>\s*<(?:input|select)", label, re.S)
        if name and words:
            found[name[1]] = re.sub(r"<[^>]+>", "", words[1]).strip()
    return found


def having(html, attribute):
    return [node.attrs for node in parse(html).walk() if attribute in node.attrs]


def test_spectators_are_not_among_those_who_can_be_asked(cast):
    words = show(cast.gm, cast).content.decode()
    assert f">{cast.player.member.name}</option>" in words
    assert f">{cast.spectator.member.name}</option>" not in words


@pytest.mark.parametrize("system", ASKS)
def test_the_form_that_changes_a_request_says_what_is_asked_now(cast, system):
    asked = ask_for_roll(cast.gm.member, Call(ASKS[system], reason="a noise"), key=uuid4())
    typed = fields(show(cast.gm, cast, asked).content.decode())
    before = asked.terms
    assert send(cast.gm, "request_change", asked.pk, system=system, **typed).status_code == 204
    asked.refresh_from_db()
    assert (asked.terms, asked.system) == (before, system)


@pytest.mark.parametrize("system", ASKS)
def test_an_untouched_form_asks_for_the_usual_roll(cast, system):
    typed = fields(show(cast.gm, cast, system=system).content.decode())
    answer = send(cast.gm, "request_ask", system=system, **typed)
    if system == "descriptors":
        assert (answer.status_code, "against" in answer.content.decode()) == (422, True)
        return
    assert answer.status_code == 204
    assert (
        request_words(asked_for(RollRequest.objects.get()))
        == {
            "storyteller": "A roll, difficulty 6",
            "arc": "A check, average threshold",
            "forged": "An action, risky, standard effect",
        }[system]
    )


def test_a_character_that_is_chosen_sets_the_rules(cast):
    owner = cast.player.member
    silas = Character.objects.create(campaign=cast.campaign, name="Silas", system="arc", owner=owner)
    html = show(cast.gm, cast).content.decode()
    assert f'value="{owner.pk}:{silas.pk}">Silas ({owner.name})</option>' in html.replace('" >', '">')
    chosen = {"member": f"{owner.pk}:{silas.pk}"}
    answer = show(cast.gm, cast, **chosen, system="forged", keeps="on").content.decode()
    assert [part["type"] for part in having(answer, "name") if part["name"] == "system"] == ["hidden"]
    typed = fields(answer)
    assert "stat" in typed
    assert 'id="request-fields"' not in show(cast.gm, cast, **chosen, system="arc", keeps="on").content.decode()
    assert send(cast.gm, "request_ask", system="arc", **chosen, **typed).status_code == 204
    request = RollRequest.objects.get()
    assert (request.member, request.character) == (owner, silas)
    html = show(cast.gm, cast, request).content.decode()
    assert [part["type"] for part in having(html, "name") if part["name"] == "system"] == ["hidden"]


@pytest.fixture
def mixed(cast):
    """Return a table at which Silas goes by the rules of `arc` and Corvina by those of `forged`."""
    for name, system, whose in (("Silas", "arc", cast.player), ("Corvina", "forged", cast.other_player)):
        Character.objects.create(campaign=cast.campaign, name=name, system=system, owner=whose.member)
    return cast


def test_the_form_says_who_every_player_is_by_these_rules(mixed):
    mo, other = mixed.player.member, mixed.other_player.member
    for system, asked in (("arc", mo.name), ("forged", other.name)):
        html = show(mixed.gm, mixed, system=system).content.decode()
        assert f"Asks {asked}." in html and "data-game" not in html
    html = show(mixed.gm, mixed, system="arc", member=other.pk).content.decode()
    assert "Asks " not in html


def test_every_player_of_a_mixed_table_is_asked_for_their_own_game_in_one_press(mixed):
    html = show(mixed.gm, mixed).content.decode()
    assert [part["value"] for part in having(html, "value") if part.get("name") == "game"] == ["arc", "forged"]
    assert html.count("Asks ") == 2
    typed = fields(html)
    assert {"arc-stat", "forged-action"} <= typed.keys() and not {"stat", "action"} & typed.keys()
    typed = {**typed, "game": ["arc", "forged"], "member": "", "reason": "a noise", "forged-action": "prowl"}
    for wrong, field in (({"arc-threshold": "many"}, "arc-threshold"), ({"forged-action": "7"}, "forged-action")):
        answer = send(mixed.gm, "request_ask", **typed | wrong)
        assert (answer.status_code, f'data-field="{field}"' in answer.content.decode()) == (422, True)
        assert not RollRequest.objects.exists()
    assert send(mixed.gm, "request_ask", **typed).status_code == 204
    assert [(one.system, one.reason) for one in RollRequest.objects.order_by("system")] == [
        ("arc", "a noise"),
        ("forged", "a noise"),
    ]


def test_the_ids_of_the_fields_of_several_games_are_their_own(mixed):
    html = show(mixed.gm, mixed).content.decode()
    named = [part["id"] for part in having(html, "id")]
    assert len(named) == len({*named})
    assert {part["list"] for part in having(html, "list")} <= {*named}


def test_a_game_that_is_not_installed_is_refused_among_several(mixed):
    answer = send(mixed.gm, "request_ask", game=["arc", "juggling"])
    assert (answer.status_code, "juggling" in answer.content.decode()) == (422, True)
    assert not RollRequest.objects.exists()


def test_rules_are_chosen_where_there_are_several(cast):
    assert b'name="system"' in show(cast.gm, cast).content
    asked = ask_for_roll(cast.gm.member, Call(ASKS["forged"]), key=uuid4())
    assert "stat" in fields(show(cast.gm, cast, asked, system="arc").content.decode())
    store(cast.campaign, systems=["arc"])
    named = having(show(cast.gm, cast).content.decode(), "name")
    assert [part["type"] for part in named if part["name"] == "system"] == ["hidden"]


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"system": "juggling"}, "system"),
        ({"system": "forged", "position": "sitting"}, "position"),
        ({"system": "arc", "threshold": "many"}, "threshold"),
        ({"system": "arc", "stat": "7"}, "stat"),
        ({"system": "descriptors", "against": "shield wall"}, "against"),
        ({"reason": "x" * 201}, "reason"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_at_its_field(cast, typed, field):
    answer = send(cast.gm, "request_ask", **typed)
    assert answer.status_code == 422
    assert field in answer.content.decode()
    assert not RollRequest.objects.exists()


def test_a_name_that_players_do_not_know_is_not_offered(cast):
    for name, shown in (("Orsolya", True), ("Umbra", False)):
        Character.objects.create(campaign=cast.campaign, name=name, shown=shown)
    offered = show(cast.gm, cast, system="descriptors").content.decode()
    assert ("Orsolya" in offered, "Umbra" in offered) == (True, False)


@pytest.mark.parametrize("system", ASKS)
def test_the_button_holds_what_goes_into_the_roll_form(cast, system):
    asked = ask_for_roll(cast.gm.member, Call(ASKS[system]), member=cast.player.member.pk, key=uuid4())
    page = cast.player.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    (button,) = having(page, "data-request")
    assert (button["data-request"], button["data-system"]) == (str(asked.pk), system)
    typed = RULESETS[system].table.kind_of_request(asked.terms).request_fields(asked.terms)
    assert json.loads(button["data-terms"]) == typed
    form = cast.player.client.get(reverse("roll_form", args=[cast.campaign.slug]), {"system": system}).content.decode()
    named = {part["name"] for part in having(form, "name")}
    assert typed.keys() | {"request"} <= named


@pytest.mark.parametrize(
    ("system", "called"),
    [
        ("arc", {"kind": "Roll type", "level": "Threshold", "threshold": "Another threshold", "stat": "Stat"}),
        (
            "forged",
            {
                "position": "Position",
                "consequence": "Consequence",
                "attribute": "Attribute",
                "disadvantages": "Disadvantages",
            },
        ),
    ],
)
def test_a_field_is_called_the_same_where_one_rolls_and_where_a_gm_asks(cast, system, called):
    asks = labels(show(cast.gm, cast, system=system).content.decode())
    rolls = labels(
        cast.gm.client.get(reverse("roll_form", args=[cast.campaign.slug]), {"system": system}).content.decode()
    )
    assert called.items() <= asks.items() and called.items() <= rolls.items()
    assert "" not in {*asks.values(), *rolls.values()}


def test_the_button_is_all_that_it_takes_to_roll(cast):
    asked = ask_for_roll(cast.gm.member, Call(ASKS["forged"]), member=cast.player.member.pk, key=uuid4())
    dice.load(4, 2)
    rolled = asked.terms | {"system": "forged", "action": "prowl 2", "request": asked.pk}
    assert send(cast.player, "roll", **rolled | {"position": "risky"}).status_code == 409
    assert send(cast.player, "roll", **rolled).status_code == 204
    assert Roll.objects.get().ask["position"] == "desperate"


def test_the_form_begins_with_the_rules_that_were_asked_for_last(cast):
    for system in ("arc", "forged"):
        ask_for_roll(cast.gm.member, Call(ASKS[system]), key=uuid4())
    assert "position" in fields(show(cast.gm, cast).content.decode())


def test_the_form_of_other_rules_is_for_the_only_one_who_goes_by_them(cast, play):
    url = reverse("roll_form", args=[cast.campaign.slug])
    wanted = {"system": "arc", "character": str(play.silas.pk)}
    assert "Rolling for" not in cast.player.client.get(url, wanted).content.decode()
    tibor = Character.objects.create(campaign=play.campaign, name="Tibor", system="arc", owner=play.mo)
    page = cast.player.client.get(url, wanted).content.decode()
    assert "<b>Tibor</b>" in page and f'name="character" value="{tibor.pk}"' in page
    back = cast.player.client.get(url, {"system": "storyteller", "character": str(play.silas.pk)}).content.decode()
    assert "Rolling for" not in back and f'name="character" value="{play.silas.pk}"' in back
    Character.objects.create(campaign=play.campaign, name="Dorina", system="arc", owner=play.mo)
    assert "Rolling for" not in cast.player.client.get(url, wanted).content.decode(), "one of two nobody has chosen"


def test_whom_a_gm_calls_on_goes_with_the_form(cast, play):
    page = show(cast.gm, cast, character=str(play.silas.pk)).content.decode()
    chosen = [option.get("value") for option in having(page, "selected")]
    assert f"{play.mo.pk}:{play.silas.pk}" in chosen
    assert not any(
        str(play.silas.pk) in option["value"] for option in having(show(cast.gm, cast).content.decode(), "selected")
    )
