"""Tokens: shown once, kept as a hash, good for one member of one campaign, for as long as they are one."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone, translation

from api import auth
from api.problems import NO_TOKEN, READS_ONLY
from campaigns.access import token_hash
from campaigns.errors import RateLimited
from campaigns.models import ApiToken, Role
from campaigns.services import members
from campaigns.services.members import change_role, leave
from campaigns.services.play import say
from people.admin import switch_off
from people.models import User
from tests.api.callers import Caller, calls, token_of

pytestmark = pytest.mark.django_db

FORM = {"name": "Discord bot", "scope": "write", "days": "30"}


def made(person, **form):
    """Return the page that answers to making a token."""
    return person.client.post(reverse("tokens", args=[person.member.campaign.slug]), {"key": uuid4()} | FORM | form)


def test_it_is_shown_once_and_kept_as_a_hash(cast):
    key = uuid4()
    page = made(cast.player, key=key).content.decode()
    token = members.api_token(key)
    assert token in page
    assert token in made(cast.player, key=key).content.decode()  # sent again: the same answer
    kept = ApiToken.objects.get()
    assert kept.hash == token_hash(token) and token.startswith(kept.begins) and len(kept.begins) < 20
    later = cast.player.client.get(reverse("tokens", args=[cast.campaign.slug])).content.decode()
    assert token not in later and kept.begins in later and "Discord bot" in later


def test_everybody_sees_their_own_and_a_gm_all_of_them(cast):
    for person, name in ((cast.gm, "canary-gm-token"), (cast.player, "Mo’s")):
        made(person, name=name)
    pages = {
        name: person.client.get(reverse("tokens", args=[cast.campaign.slug])).content.decode()
        for name, person in (("gm", cast.gm), ("player", cast.player), ("other", cast.other_player))
    }
    assert [name for name, page in pages.items() if "Mo’s" in page] == ["gm", "player"]
    assert [name for name, page in pages.items() if "canary" in page] == ["gm"]


def test_its_owner_and_a_gm_revoke_it_and_nobody_else(cast):
    caller = calls(cast.player)
    url = reverse("token_revoke", args=[cast.campaign.slug, token_of(caller).pk])
    assert cast.other_player.client.post(url, {"key": uuid4()}).status_code == 404
    assert caller.get("").status_code == 200
    assert cast.gm.client.post(url, {"key": uuid4()}).status_code == 302
    assert caller.get("").status_code == 401


def test_it_runs_out(cast):
    caller = calls(cast.player, days=1)
    with time_machine.travel(timezone.now() + timedelta(hours=25), tick=False):
        assert caller.get("").status_code == 401


def test_it_ends_with_the_membership_and_does_not_come_back_with_it(cast):
    caller = calls(cast.player)
    leave(cast.player.member, key=uuid4())
    assert caller.get("").status_code == 401
    cast.player.join(cast.gm.member, Role.PLAYER)
    assert caller.get("").status_code == 401
    assert calls(cast.player).get("").status_code == 200


def test_it_ends_with_the_account(cast):
    caller = calls(cast.player)
    switch_off(cast.player.user)
    assert caller.get("").status_code == 401


def test_it_does_no_more_than_its_owner_does_now(cast):
    caller = calls(cast.player)
    change_role(cast.gm.member, cast.player.member, Role.SPECTATOR, expected=Role.PLAYER, key=uuid4())
    assert caller.get("").json()["me"]["role"] == "spectator"
    assert caller.post("/rolls", {"pool": "5"}).status_code == 403


def test_nobody_has_more_than_they_need(cast, monkeypatch):
    monkeypatch.setattr(members, "MOST_TOKENS", 1)
    assert made(cast.player).status_code == 200
    assert made(cast.player).status_code == 422


@pytest.mark.parametrize("wrong", [{"name": ""}, {"scope": "all"}, {"days": "999"}, {"name": "x" * 200}])
def test_a_form_that_cannot_be_used_makes_none(cast, wrong):
    assert made(cast.player, **wrong).status_code == 422
    assert not ApiToken.objects.exists()


def test_that_it_is_used_is_written_down_once_a_minute(cast):
    caller, now = calls(cast.player), timezone.now()
    noted = []
    for seconds in (0, 30, 90):
        with time_machine.travel(now + timedelta(seconds=seconds), tick=False):
            caller.get("")
            noted.append(token_of(caller).used_at)
    assert noted[0] == noted[1] < noted[2]


def test_too_many_requests_are_told_to_wait(cast, monkeypatch):
    monkeypatch.setattr(auth, "MOST_REQUESTS", 2)
    caller = calls(cast.player)
    answers = [caller.get("") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[-1]["Retry-After"] == "10" and answers[-1].json()["status"] == 429


def test_a_program_reads_how_much_it_may_still_do_before_it_is_refused(cast, settings, monkeypatch):
    monkeypatch.setattr(auth, "MOST_REQUESTS", 8)
    settings.RATE_LIMIT = 2
    caller = calls(cast.player)
    answers = [caller.get(""), *(caller.post("/rolls", {"pool": "5"}) for _ in range(3)), caller.get("")]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 200]
    told = [(answer["RateLimit-Limit"], answer["RateLimit-Remaining"]) for answer in answers]
    assert told == [("8", "7"), ("2", "1"), ("2", "0"), ("2", "0"), ("8", "3")]
    assert {answer["RateLimit-Reset"] for answer in answers} == {"10"}
    assert answers[3]["Retry-After"] == "10"


def test_what_a_program_does_is_not_counted_for_its_person_nor_the_other_way_round(cast, settings):
    settings.RATE_LIMIT = 3
    caller, other = calls(cast.player), calls(cast.player)  # two for the person
    rolls = [program.post("/rolls", {"pool": "5"}).status_code for program in (caller, caller, other, caller)]
    assert rolls == [200, 200, 200, 429]
    assert say(cast.player.member, "I’m still here", key=uuid4())
    with pytest.raises(RateLimited):
        say(cast.player.member, "One too many", key=uuid4())


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic abc", "Bearer afterburn_nothing", "Bearer " + "x" * 9000]
)
def test_nothing_else_lets_anybody_in(cast, header):
    answer = Caller("", cast.campaign.slug).client.get(
        f"/api/v1/campaigns/{cast.campaign.slug}", **({"HTTP_AUTHORIZATION": header} if header else {})
    )
    assert answer.status_code == 401 and answer["WWW-Authenticate"] == "Bearer"
    assert answer["Content-Type"] == "application/problem+json"


def test_there_is_no_way_to_make_one_with_one(cast):
    caller = calls(cast.gm)
    page = Caller("", cast.campaign.slug).client.post(
        reverse("tokens", args=[cast.campaign.slug]),
        {"key": uuid4()} | FORM,
        HTTP_AUTHORIZATION=f"Bearer {caller.token}",
    )
    assert page.status_code == 404 and ApiToken.objects.count() == 1


def test_it_answers_in_the_language_of_its_owner_else_in_that_which_is_asked_for(cast):
    caller = calls(cast.player, writes=False)

    def refusal(chosen, asked):
        User.objects.filter(pk=cast.player.user.pk).update(language=chosen)
        return caller.post("/lines", {"text": "Hello"}, **{"Accept-Language": asked}).json()["detail"]

    with translation.override("de"):
        german = str(READS_ONLY)
    assert refusal("de", "en") == refusal("", "de") == german != str(READS_ONLY)
    assert refusal("en-gb", "de") == str(READS_ONLY)


@pytest.mark.parametrize("language", ["de", "en-gb"])
def test_whoever_has_no_token_is_answered_in_the_language_that_they_ask_for(client, language):
    answer = client.get("/api/v1/campaigns", HTTP_ACCEPT_LANGUAGE=language)
    with translation.override(language):
        assert answer.json()["detail"] == str(NO_TOKEN)
