"""Rolls that the GM calls for, and who is told of them."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.template.loader import render_to_string

from campaigns.errors import Blocked, Conflict, Invalid, NotFound
from campaigns.models import Role, Viewer
from rolls.events import request_words
from rolls.models import Audience, Roll
from rolls.queries.requests import asked_for, open_requests
from rolls.services.requests import Call, ask_for_roll, change_request, close_request
from rolls.services.roll_making import words_of
from rolls.services.rolls import void_roll
from rulesets.forged import terms as forged
from rulesets.storyteller.terms import StorytellerInput
from tests.answers import refusal
from tests.cast import seat_at
from tests.rulesets.uninstall import uninstall
from tests.stored import reread, store


def call(reason="", traits="", **terms):
    return Call(StorytellerInput(traits=tuple(traits.split("+")) if traits else (), **terms), reason=reason)


def ask(play, member=None, audience=Audience.TABLE, **terms):
    return ask_for_roll(play.gm, call(**terms), member=member and member.pk, audience=audience, key=uuid4())


def test_a_request_sets_traits_difficulty_kind_and_audience(play):
    request = ask(play, play.mo, audience=Audience.SELF, traits="perc+alert", difficulty=8, kind="soak")
    assert request_words(asked_for(request)) == "Perception + Alertness, difficulty 8, soak"
    assert request.terms == {"traits": ["perception", "alertness"], "difficulty": 8, "kind": "soak", "automatic": False}
    roll = play.roll(9, 9, 9, 9, 9, difficulty=8, kind="soak", request=request.pk, dice=None)
    assert (roll.audience, roll.kind, words_of(roll)) == ("self", "soak", "Perception + Alertness")
    assert reread(request).closed_at


def test_the_difficulty_may_change_before_the_dice_fall(play):
    request = ask(play, play.mo)
    change_request(play.gm, request.pk, call(difficulty=8), key=uuid4())
    assert refusal(Conflict, play.roll, 9, request=request.pk).current == 8
    assert play.roll(9, request=request.pk, difficulty=8)
    assert play.events()[1].described["before"]["words"] == "A roll, difficulty 6"
    with pytest.raises(Blocked):
        change_request(play.gm, request.pk, call(difficulty=9), key=uuid4())


def test_what_is_asked_by_rules_that_are_not_installed_any_more_is_a_roll_by_these(play, monkeypatch):
    ask(play, play.mo, traits="perc+alert")
    uninstall(monkeypatch, "storyteller")
    assert play.events()[-1].described["request"]["words"] == "A roll (storyteller)"


def test_a_request_to_everybody_stays_until_each_player_has_rolled(play):
    request = ask(play)
    play.roll(5, request=request.pk)
    with pytest.raises(Blocked):
        play.roll(5, request=request.pk)
    waits_for = play.events()[-1].payload["request"]["waits_for"]
    assert [person["name"] for person in waits_for] == ["Other Player"]
    rolled = play.events()[-1].payload["request"]["rolled"]
    assert [person["name"] for person in rolled] == ["Mo"]
    (asked,) = open_requests(seat_at(play.other))
    drawn = render_to_string("rolls/_request.html", {"asked": asked})
    assert "Rolled: Mo<" in drawn and "Still to roll: Other Player<" in drawn
    play.roll(5, by=play.other, request=request.pk)
    assert play.kinds()[-1] == "rolls.request_closed"


def test_a_roll_that_was_taken_back_is_asked_for_again(play):
    request = ask(play)
    roll = play.roll(5, request=request.pk)
    void_roll(play.gm, roll.pk, key=uuid4())
    assert len(play.events()[-1].payload["request"]["waits_for"]) == 2
    assert play.roll(5, request=request.pk)


def test_a_request_may_let_a_large_pool_through(play):
    request = ask(play, play.mo, automatic=True)
    assert play.roll(dice=6, automatic=True, request=request.pk).faces == []


def test_the_gm_drops_a_request(play):
    request = ask(play, play.mo)
    close_request(play.gm, request.pk, key=uuid4())
    assert play.events()[-1].payload["dropped"]
    for operation in (
        lambda: play.roll(5, request=request.pk),
        lambda: close_request(play.gm, request.pk, key=uuid4()),
    ):
        with pytest.raises(Blocked):
            operation()


def test_others_are_not_asked(play):
    request = ask(play, play.mo)
    for request_id in (request.pk, uuid4()):
        with pytest.raises(NotFound):
            play.roll(5, by=play.other, request=request_id)


@pytest.mark.parametrize(
    ("seen", "field"),
    [
        ({"difficulty": 7, "kind": "soak"}, None),
        ({"difficulty": 7, "kind": "soak", "traits": ("perc", "alert")}, None),
        ({"difficulty": 7}, "kind"),
        ({"kind": "soak"}, "difficulty"),
        ({"difficulty": 7, "kind": "soak", "traits": ("perception", "occult")}, "pool"),
        ({"difficulty": 7, "kind": "soak", "dice": 5}, "pool"),
    ],
)
def test_who_saw_something_else_than_is_asked_for_looks_again(play, seen, field):
    request = ask(play, play.mo, traits="perception+alertness", difficulty=7, kind="soak")
    if field is None:
        assert play.roll(9, 9, 9, 9, 9, request=request.pk, **{"dice": None} | seen)
        return
    assert refusal(Conflict, play.roll, 9, 9, 9, 9, 9, request=request.pk, **{"dice": None} | seen).field == field
    assert not Roll.objects.exists()


def test_the_gm_may_ask_for_a_roll_by_other_rules_instead(play):
    request = ask(play, play.mo)
    change_request(play.gm, request.pk, Call(forged.FortuneTerms()), key=uuid4())
    refused = refusal(Conflict, play.roll, 5, request=request.pk)
    assert (refused.field, refused.current) == ("system", "forged")
    assert play.events()[-1].described["before"]["words"] == "A roll, difficulty 6"


def test_rules_that_the_campaign_does_not_play_by_are_not_asked_for(play):
    store(play.campaign, systems=["arc"])
    assert refusal(Invalid, ask, play).field == "system"


def test_spectators_and_strangers_are_not_asked(play):
    with pytest.raises(Invalid):
        ask(play, play.watcher)
    with pytest.raises(NotFound):
        ask_for_roll(play.gm, call(), member=0, key=uuid4())


def test_what_is_asked_in_private_is_told_to_each_for_themselves(play):
    request = ask(play, audience=Audience.GM)
    assert play.kinds() == []
    for member in (play.mo, play.other):
        waits_for = play.events(member.stream)[0].payload["request"]["waits_for"]
        assert waits_for == [{"member": member.pk, "name": member.name}]
        assert play.events(member.stream)[-1].payload["request"]["rolled"] == []
    assert len(play.events("gm")[0].payload["request"]["waits_for"]) == 2

    roll = play.roll(9, request=request.pk)
    assert roll.audience == "gm"
    assert play.kinds() == []
    assert [person["name"] for person in play.events(play.other.stream)[-1].payload["request"]["waits_for"]] == [
        "Other Player"
    ]


def test_a_page_shows_what_its_viewer_was_told(play):
    ask(play, play.mo, audience=Audience.SELF, reason="seen by Mo")
    ask(play, reason="everybody")
    reasons = {
        name: [r["reason"] for r in open_requests(seat_at(getattr(play, name)))]
        for name in ("gm", "mo", "other", "watcher")
    }
    assert reasons == {
        "gm": ["seen by Mo", "everybody"],
        "mo": ["seen by Mo", "everybody"],
        "other": ["everybody"],
        "watcher": ["everybody"],
    }
    assert [r["reason"] for r in open_requests(Viewer(play.campaign, None, Role.SPECTATOR))] == ["everybody"]
