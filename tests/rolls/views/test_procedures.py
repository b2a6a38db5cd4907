"""Forms and buttons of what several people settle together, and the card on the table page."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.models import Campaign, Role
from campaigns.services import play as play_services
from rolls.models import Procedure, RollRequest
from rolls.registry import RULESETS, procedures_of
from rolls.services.procedures import open_procedure
from rules.procedures import OPEN
from tests import dice
from tests.dom import parse
from tests.doors import send
from tests.rolls.steps import newest_step, pressed
from tests.rolls.wager import WAGER

LOCK = {
    "pool": "perception + alertness",
    "difficulty": "6",
    "goal": "5",
    "most": "",
    "on_botch": "ends",
    "reason": "the lock",
}


def show(person, cast, name, *args):
    return person.client.get(reverse(name, args=[cast.campaign.slug, *args]))


def begin(person, cast, character=None, kind="extended", **typed):
    own = {"character": character.pk} if character else {}
    return send(person, "procedure_open", "storyteller", kind, **own, **typed)


def card(person, cast):
    """Return the procedures on a person's table page, without buttons that they may not press."""
    found = parse(show(person, cast, "table").content.decode()).by_id("procedures")
    return re.sub(r"\s+", " ", str(found))


@pytest.mark.parametrize("kind", ["extended", "opposed", "conflict"])
def test_a_gm_finds_a_form_for_each_kind_and_players_for_their_own(cast, play, kind):
    assert "data-closes" in show(cast.gm, cast, "procedure_new", "storyteller", kind).content.decode()
    answer = show(cast.player, cast, "procedure_new", "storyteller", kind)
    assert answer.status_code == (403 if kind == "conflict" else 200)
    if kind == "extended":
        html = answer.content.decode()
        assert "Silas Grey" in html and "Vesper" not in html and "Corvina" not in html


def test_a_form_that_is_drawn_from_its_act_has_chosen_whom_the_press_was_on(cast, play, monkeypatch):
    storyteller = RULESETS["storyteller"]
    monkeypatch.setattr(storyteller, "procedures", {**storyteller.procedures, "wager": WAGER})
    address = reverse("procedure_new", args=[cast.campaign.slug, "storyteller", "wager"])
    form = parse(cast.gm.client.get(address, {"a": play.vesper.pk}).content.decode())
    chosen = [one.attrs["value"] for one in form.walk() if one.tag == "option" and "selected" in one.attrs]
    assert chosen == [str(play.vesper.pk)]


def test_a_form_that_is_drawn_from_its_act_asks_each_for_what_they_may_say(cast, play):
    names = []
    for who in (cast.gm, cast.player):
        form = parse(show(who, cast, "procedure_new", "storyteller", "attack").content.decode())
        fields = {one.attrs["name"]: one for one in form.walk() if "name" in one.attrs}
        assert [one.children for one in form.walk() if one.tag == "legend"] == [["Attacker"], ["Target"], ["Damage"]]
        assert fields["a_pool"].attrs["placeholder"] == "dexterity + firearms, or 5"
        assert next(one.children for one in fields["target"].walk() if one.tag == "option") == ["someone else"]
        names.append({*fields})
    assert names[0] - names[1] == {"a_name", "difficulty", "soak", "mortal"} and not names[1] - names[0]
    begin(cast.player, cast, kind="attack", a_character=play.silas.pk, a_pool="3", target_name="Dog", difficulty="9")
    assert Procedure.objects.get().state["attack"]["difficulty"] == 6, "what is not asked of somebody does not count"


def test_a_form_that_is_drawn_from_its_act_shows_what_stands_and_what_is_chosen(cast, play):
    form = parse(show(cast.gm, cast, "procedure_new", "storyteller", "conflict").content.decode())
    boxes = {one.attrs["value"]: "checked" in one.attrs for one in form.walk() if one.attrs.get("name") == "characters"}
    assert boxes == {str(one.pk): one.owner_id is not None for one in (play.silas, play.corvina, play.vesper)}
    assert not any("is-half" in one.attrs.get("class", "") for one in form.walk()), "one that stands alone has the row"


def test_kinds_that_there_are_not_have_no_form(cast, play):
    for system, kind in (("storyteller", "parade"), ("forged", "extended"), ("nothing", "extended")):
        assert show(cast.gm, cast, "procedure_new", system, kind).status_code == 404
        assert send(cast.gm, "procedure_open", system, kind).status_code == 404


def test_what_is_wrong_is_said_at_its_field_and_nothing_is_begun(cast, play):
    for typed, field, words in (
        ({"goal": "51"}, "goal", "1 to 50"),
        ({"goal": ""}, "goal", "1 to 50"),
        ({"pool": "juggling"}, "pool", "juggling"),
        ({"on_botch": "x"}, "on_botch", "from the list"),
    ):
        answer = begin(cast.gm, cast, play.silas, **LOCK | typed)
        assert answer.status_code == 422 and f'data-field="{field}"' in answer.content.decode(), typed
        assert words in answer.content.decode()
    answer = begin(cast.gm, cast, kind="conflict", names="nobody")
    assert answer.status_code == 422 and 'data-field="names"' in answer.content.decode()
    answer = begin(cast.gm, cast, kind="conflict", characters=["x"])
    assert answer.status_code == 422 and 'data-field="characters"' in answer.content.decode()
    assert not Procedure.objects.exists()


def test_a_player_announces_and_the_gm_sets_it_with_what_was_announced_filled_in(cast, play):
    assert begin(cast.player, cast, play.silas, **LOCK).status_code == 204
    procedure = Procedure.objects.get()
    for person, words in (
        (cast.gm, "Set terms…"),
        (cast.player, "Call it off"),
        (cast.spectator, "Waiting for the GM"),
    ):
        assert words in card(person, cast)
    assert not {"submit", "hx-get"} & set(re.findall(r"[\w-]+", card(cast.spectator, cast)))
    for person in (cast.player, cast.other_player, cast.spectator):
        assert show(person, cast, "procedure_form", procedure.pk, "set").status_code == 403
    html = show(cast.gm, cast, "procedure_form", procedure.pk, "set").content.decode()
    assert 'value="Perception + Alertness"' in html and 'value="5"' in html
    terms = LOCK | {"difficulty": "8"} | pressed(procedure, "set")
    assert send(cast.player, "procedure_act", procedure.pk, **terms).status_code == 403
    assert send(cast.gm, "procedure_act", procedure.pk, **terms).status_code == 204
    assert RollRequest.objects.get().terms["difficulty"] == 8
    answer = send(cast.gm, "procedure_act", procedure.pk, **terms)
    assert answer.status_code == 409 and "extended action was set" in answer.content.decode()


def test_the_odds_of_a_roll_that_a_gm_makes_for_somebody_are_those_of_their_sheet(cast, play):
    begin(cast.gm, cast, play.silas, **LOCK)
    asked = {"system": "storyteller", "pool": "perception + alertness", "request": str(RollRequest.objects.get().pk)}
    odds = cast.gm.client.get(reverse("odds", args=[cast.campaign.slug]), asked | {"character": str(play.vesper.pk)})
    assert "5 dice" in odds.content.decode()
    assert "Roll for Mo" in show(cast.gm, cast, "table").content.decode()


def test_a_conflict_is_begun_moved_taken_back_and_ended_by_its_buttons(cast, play):
    dice.load(5, 9)
    given = {"characters": [play.silas.pk, play.corvina.pk], "names": ""}
    assert begin(cast.gm, cast, kind="conflict", **given).status_code == 204
    procedure = Procedure.objects.get()
    key = procedure.state["participants"][0]["character"]
    assert send(cast.gm, "procedure_act", procedure.pk, **pressed(procedure, f"done:{key}")).status_code == 204
    for act, status in ((f"done:{key}", 409), ("x", 409), ("done:99", 409), ("?", 422), ("open", 404)):
        answer = send(cast.gm, "procedure_act", procedure.pk, act=act)
        assert answer.status_code == status, act
    assert send(cast.gm, "procedure_back", procedure.pk, step=newest_step(procedure)).status_code == 204
    assert Procedure.objects.get().state["participants"][0]["status"] == "to_act"
    assert send(cast.gm, "procedure_back", procedure.pk, step="x").status_code == 422
    assert send(cast.gm, "procedure_close", procedure.pk).status_code == 204
    assert "Conflict" not in card(cast.gm, cast)
    answer = send(cast.gm, "procedure_act", procedure.pk, **pressed(procedure, f"done:{key}"))
    assert (answer.status_code, "This is over." in answer.content.decode()) == (409, True)
    for name in ("set", "join"):
        assert show(cast.gm, cast, "procedure_form", uuid4(), name).status_code == 404
        assert show(cast.gm, cast, "procedure_form", procedure.pk, name).status_code == {"set": 404, "join": 409}[name]


def test_what_people_write_stays_text(cast, play):
    begin(cast.gm, cast, kind="conflict", characters=[], names="<i>Thug</i> 5", reason="<b>now</b>")
    for person in (cast.gm, cast.player, cast.spectator):
        html = show(person, cast, "table").content.decode()
        assert "&lt;i&gt;Thug&lt;/i&gt;" in html and "<i>Thug" not in html and "<b>now" not in html


def test_a_token_lies_beside_what_is_under_way_and_its_card_opens_from_it(cast):
    play_services.start_session(cast.gm.member, "", key=uuid4())
    play_services.open_scene(cast.gm.member, "Roof", key=uuid4())
    given = {"name": "Tied up", "dice": 3}
    open_procedure(cast.gm.member, "descriptors", "scene_descriptor", given, key=uuid4())
    drawn = parse(show(cast.player, cast, "table").content.decode())
    token = str(drawn.by_id("tokens"))
    assert "Tied up" in token and "<details>" in token
    assert "Tied up" not in str(drawn.by_id("procedures"))


def test_where_a_player_has_nobody_to_choose_a_sentence_stands_in_the_forms_place(cast):
    """This holds for every opening form of every game: there is no button under an empty list."""
    Campaign.objects.filter(pk=cast.campaign.pk).update(systems=sorted(RULESETS))
    empty = re.compile(r"<select[^>]*>\s*</select>")
    seen = []
    for system, kind, rules in procedures_of(sorted(RULESETS)):
        if OPEN in rules.forms and rules.opened_by == Role.PLAYER:
            html = show(cast.player, cast, "procedure_new", system, kind).content.decode()
            seen += [kind] if "None of your characters can do this" in html else []
            assert not (empty.search(html) and "<button" in html), f"{system} {kind}"
    assert {"contest", "refreshment", "check", "action", "flashback", "extended"} <= set(seen)
