"""The composer's chips: what stands in the roll form is saved, shown to whoever saved it, and put into the form again."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.urls import reverse

from rolls.models import SavedRoll
from tests.dom import parse
from tests.doors import send
from tests.rolls.usual import ROLLS


def table(person, play):
    return person.client.get(reverse("table", args=[play.campaign.slug])).content.decode()


def chips(html):
    """Return {name: the fields it fills in} of the chips."""
    found = [node for node in parse(html).walk() if "data-again" in node.attrs]
    return {_words(node): json.loads(node.attrs["data-fields"]) for node in found}


def _words(node):
    return "".join(child for child in node.children if isinstance(child, str)).strip()


@pytest.fixture
def form(play):
    return {
        "called": "Sneak",
        "character": play.silas.pk,
        "system": "storyteller",
        "pool": "perception + alertness",
        "difficulty": "7",
        "modifier": "0",
        "audience": "self",
        "note": "tonight",
        "faces": "1 2 3 4 5",
        "request": uuid4(),
    }


def test_what_stands_in_the_roll_form_is_saved_without_what_is_for_one_roll(play, cast, form):
    assert send(cast.player, "roll_save", **form).status_code == 204
    kept = {"pool": "perception + alertness", "difficulty": "7", "modifier": "0", "audience": "self"}
    assert SavedRoll.objects.get().fields == kept
    assert chips(table(cast.player, play)) == {"Sneak": kept}
    for person in (cast.gm, cast.other_player, cast.spectator):
        assert "Sneak" not in table(person, play)


def test_what_cannot_be_saved_says_why_and_changes_nothing(play, cast, form):
    for wrong, status in (({"called": ""}, 422), ({"difficulty": "99"}, 422), ({"character": play.corvina.pk}, 404)):
        assert send(cast.player, "roll_save", **form | wrong).status_code == status
    assert not SavedRoll.objects.exists()


def test_a_saved_roll_is_removed(play, cast, form):
    send(cast.player, "roll_save", **form)
    saved = SavedRoll.objects.get().pk
    assert send(cast.gm, "roll_forget", saved).status_code == 404
    assert send(cast.player, "roll_forget", saved).status_code == 204
    kept = reverse("kept_rolls", args=[play.campaign.slug, play.silas.pk])
    assert chips(cast.player.client.get(kept).content.decode()) == {}


def test_what_is_sent_again_after_the_saved_roll_was_removed_gets_the_first_answer(play, cast, form):
    form["key"], key = uuid4(), uuid4()
    send(cast.player, "roll_save", **form)
    saved = SavedRoll.objects.get().pk
    assert send(cast.player, "roll_forget", saved, key=key).status_code == 204
    assert send(cast.player, "roll_save", **form).status_code == 204
    assert send(cast.player, "roll_forget", saved, key=key).status_code == 204
    assert not SavedRoll.objects.exists()


def test_only_who_plays_a_character_is_told_what_is_at_hand_for_it(play, cast):
    kept = reverse("kept_rolls", args=[play.campaign.slug, play.silas.pk])
    assert cast.player.client.get(kept).status_code == 200
    for person in (cast.gm, cast.other_player):
        assert person.client.get(kept).status_code == 404


@pytest.mark.parametrize("system", ROLLS)
def test_what_was_rolled_by_any_rules_is_asked_for_again_by_its_form(usual, system):
    usual.roll(system)
    character, slug = usual.characters[system].pk, usual.cast.campaign.slug
    client = usual.cast.player.client
    (again,) = chips(client.get(reverse("kept_rolls", args=[slug, character])).content.decode()).values()
    asked = {"against": "2"} | again | {"system": system, "character": character}
    if system == "arc":
        del asked["against"]
    assert 'class="odds-bar"' in client.get(reverse("odds", args=[slug]), asked).content.decode()
