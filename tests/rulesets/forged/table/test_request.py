"""Forged rolls that the GM calls for: what is set, what is the player's, and what the player has to have seen."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.utils import translation

from campaigns.errors import Conflict, Invalid
from rolls.models import Audience, Roll
from rolls.services.requests import Call, ask_for_roll, change_request
from rules.errors import RuleError
from rulesets.forged.terms import ResistanceTerms
from tests.answers import refusal
from tests.rulesets.forged.table.forged import roll, terms


def ask(play, audience=Audience.TABLE, **said):
    return ask_for_roll(play.gm, Call(terms(**said)), member=play.mo.pk, audience=audience, key=uuid4())


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"action": "prowl"}, "Prowl, risky, standard effect"),
        ({"position": "desperate", "effect": "great"}, "An action, desperate, great effect"),
        (
            {"kind": "resistance", "attribute": "resolve", "consequence": "severe harm", "resisting": "avoids"},
            "Resist with Resolve: severe harm is avoided",
        ),
        ({"kind": "resistance"}, "Resist with Prowess: the consequence is reduced"),
        ({"kind": "fortune", "trait": 2, "advantages": 1, "disadvantages": 2}, "Fortune 2 +1 −2"),
    ],
)
def test_a_request_says_what_it_asks_in_words(play, asked, words):
    ask(play, **asked)
    assert play.events()[-1].described["request"]["words"] == words


def test_a_consequence_of_the_menu_is_read_in_each_language(play, cross):
    with translation.override("de"):
        request = ask(play, kind="resistance", consequence="schwerer Schaden (Stufe 3)")
    assert play.events()[-1].described["request"]["words"] == "Resist with Prowess: severe harm (level 3) is reduced"
    said = {"kind": "resistance", "request": request.pk, "consequence": "severe harm (level 3)"}
    made = roll(play, 4, 2, 1, character=cross, **said)
    assert made.event.described["detail"] == "severe harm (level 3) is reduced"
    with translation.override("de"):
        assert made.event.described["detail"] == "schwerer Schaden (Stufe 3) wird verringert"


def test_an_action_that_was_asked_for_in_german_is_rolled_in_english(play, cross):
    with translation.override("de"):
        request = ask(play, action="Schleichen")
    assert play.events()[-1].described["request"]["words"] == "Prowl, risky, standard effect"
    made = roll(play, 4, 2, character=cross, action="Prowl", request=request.pk)
    assert made.ask["action"] == "prowl"


def test_an_action_is_rolled_in_the_position_that_the_gm_has_set(play, cross):
    request = ask(play, Audience.SELF, action="prowl", position="desperate", effect="limited")
    assert request.terms == {"kind": "action", "action": "prowl", "position": "desperate", "effect": "limited"}
    made = roll(
        play, 4, 2, character=cross, request=request.pk, position="desperate", effect="limited", bargain="a witness"
    )
    assert (made.ask["action"], made.ask["position"], made.audience) == ("prowl", "desperate", "self")
    assert made.ask["dice"] == 2
    request.refresh_from_db()
    assert request.closed_at


def test_who_has_no_sheet_types_the_rating_of_what_is_asked_for(play):
    request = ask(play, action="prowl")
    assert roll(play, 4, 2, action="Prowl", rating=2, request=request.pk).event.described["words"] == "Prowl 2"


def test_the_player_chooses_the_action_that_the_gm_leaves_open(play, cross):
    request = ask(play, effect="great")
    assert roll(play, 1, 2, 3, character=cross, action="skirmish", effect="great", request=request.pk)


@pytest.mark.parametrize(
    ("seen", "field"),
    [
        ({"action": "skirmish"}, "action"),
        ({"position": "controlled"}, "position"),
        ({"effect": "great"}, "effect"),
        ({"kind": "fortune"}, "kind"),
    ],
)
def test_nothing_is_rolled_by_who_saw_something_else(play, cross, seen, field):
    request = ask(play, action="prowl", position="desperate", effect="limited")
    wanted = {"action": "prowl", "position": "desperate", "effect": "limited"} | seen
    refused = refusal(Conflict, roll, play, 4, character=cross, request=request.pk, **wanted)
    assert (refused.field, refused.current) == (field, request.terms[field])
    assert not Roll.objects.exists()


def test_a_changed_request_asks_for_what_it_says_now(play, cross):
    request = ask(play, action="prowl")
    change_request(play.gm, request.pk, Call(ResistanceTerms(attribute="resolve")), key=uuid4())
    assert play.events()[-1].described["before"]["words"] == "Prowl, risky, standard effect"
    with pytest.raises(Conflict):
        roll(play, 4, character=cross, action="prowl", request=request.pk)
    made = roll(play, 4, character=cross, kind="resistance", attribute="resolve", request=request.pk)
    assert (made.kind, made.ask["attribute"]) == ("resistance", "resolve")


def test_fortune_is_asked_for_in_dice(play):
    request = ask(play, kind="fortune", trait=3, disadvantages=1)
    with pytest.raises(Conflict):
        roll(play, 1, 2, 3, kind="fortune", trait=3, request=request.pk)
    assert roll(play, 1, 2, kind="fortune", trait=3, disadvantages=1, request=request.pk)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"position": "sitting"}, "position"),
        ({"effect": "loud"}, "effect"),
        ({"action": "x" * 121}, "action"),
        ({"action": "prowl", "rating": 2}, "action"),
        ({"kind": "resistance", "attribute": "beauty"}, "attribute"),
        ({"kind": "resistance", "resisting": "laughs"}, "resisting"),
        ({"kind": "resistance", "consequence": "x" * 121}, "consequence"),
        ({"kind": "fortune", "trait": 101}, "trait"),
        ({"kind": "fortune", "advantages": -1}, "advantages"),
    ],
)
def test_what_the_rules_do_not_know_is_not_asked_for(play, asked, field):
    assert refusal((Invalid, RuleError), ask, play, **asked).field == field
    assert play.kinds() == []
