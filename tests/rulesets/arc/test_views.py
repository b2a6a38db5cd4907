"""Checks in the composer, and that no answer, frame or event tells a player what only GMs know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.access import viewer_of
from campaigns.live.render import render_live
from campaigns.models import Event
from rolls.models import Audience, Roll, RollRequest
from tests.canaries import must_be_free_of_secrets, numbers_of_gms
from tests.dom import parse
from tests.doors import look
from tests.sheets import dress

# KS 9 and US 7 with +100 are 116; with a 5 on the die 121, which is 112 above average.
SILAS = {"control": 9, "skills": [{"id": "t1", "name": "Tamper", "es": 5, "stat": "control"}]}
US, TOTAL, MARGIN, BEFORE = 7, 121, 112, 116
SECRETS = (TOTAL, MARGIN, BEFORE)
GMS_WORDS = {"us", "total", "margin", "numbers", "acting", "ks"}
SKILLED = {"stat": "control", "skill": "tamper"}
PICKING = SKILLED | {"other": 100}


@pytest.fixture
def silas(checks):
    return dress(checks.silas, sheet=SILAS, secret={"us_control": US})


@pytest.fixture(autouse=True)
def the_ear_knows_the_numbers() -> Iterator[None]:
    with numbers_of_gms(*SECRETS):
        yield


def post(person, name, *args, form="roll", **data):
    headers = {"hx-request": "true", "hx-trigger": form}
    url = reverse(name, args=[person.member.campaign.slug, *args])
    return person.client.post(url, {"key": uuid4(), "system": "arc"} | data, headers=headers)


def asked(cast, **data):
    """Request a check of Mo as the GM. Return what Mo's form then sends."""
    terms = {"kind": "check", **PICKING} | data
    assert post(cast.gm, "request_ask", form="request", member=cast.player.member.pk, **terms).status_code == 204
    return terms | {"request": RollRequest.objects.latest("asked_at").pk}


def odds(person, **data):
    url = reverse("odds", args=[person.member.campaign.slug])
    return person.client.get(url, {"system": "arc"} | data).content.decode()


def page(person, cast):
    return person.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()


def words_and_numbers(payload: Any) -> Iterator[Any]:
    """Yield every key and value anywhere in a payload."""
    if isinstance(payload, dict):
        for key, value in payload.items():
            yield key
            yield from words_and_numbers(value)
    elif isinstance(payload, list):
        for value in payload:
            yield from words_and_numbers(value)
    else:
        yield payload


def everything_there_is_of_checks(cast, silas, dice) -> None:
    """Do everything about checks by the forms, as people do; Mo plays Silas, the GM types a guard with the same secret."""
    guard = {"stat": "9", "us": US, "skill": "5", "other": 100}
    for audience in ("table", "self"):
        dice(5, 5)
        mine = {"character": silas.pk}
        assert post(cast.player, "roll", **mine, **asked(cast, audience=audience)).status_code == 204
        corrected = {"threshold": 9, "note": "so", "reason": ""}
        assert post(cast.gm, "roll_correct", Roll.objects.latest("at").pk, **corrected).status_code == 204
        assert post(cast.player, "roll", **mine, **asked(cast, kind="opposed", audience=audience)).status_code == 204
        first = Roll.objects.latest("at")
        dice(5, 5)
        assert post(cast.gm, "roll", kind="opposed", against=first.pk, **guard).status_code == 204
        assert post(cast.gm, "roll_void", Roll.objects.latest("at").pk, reason="").status_code == 204
        assert post(cast.gm, "roll", kind="opposed", against=first.pk, **guard).status_code == 204
    dice(5, 5)
    assert post(cast.gm, "roll", kind="check", audience="gm", **guard).status_code == 204
    assert post(cast.gm, "roll_reveal", Roll.objects.latest("at").pk).status_code == 204
    assert post(cast.gm, "roll", kind="check", **guard).status_code == 204


def test_no_page_and_no_frame_tells_a_player_a_total_or_a_margin(cast, silas, dice):
    everything_there_is_of_checks(cast, silas, dice)
    for person in (cast.player, cast.other_player, cast.spectator):
        page(person, cast)  # the suite's ear (tests/conftest.py) is at each of these answers
        viewer = viewer_of(person.user, {}, cast.campaign.slug)
        for event in Event.objects.seen_by(viewer).with_related().select_related("campaign"):
            must_be_free_of_secrets(render_live(event, viewer.role), person.user.username)
    shown = page(cast.gm, cast)
    for number in (TOTAL, MARGIN):
        assert f">{number}<" in shown or f"+{number}" in shown


def test_no_stream_but_the_gms_holds_what_gives_a_us_away(cast, silas, dice):
    everything_there_is_of_checks(cast, silas, dice)
    told = Event.objects.filter(campaign=cast.campaign).select_related("stream", "stored")
    for event in told.exclude(stream__name="gm"):
        found = set(words_and_numbers(event.described))
        assert not found & GMS_WORDS, (event, found & GMS_WORDS)
        assert not found & {US, *SECRETS, 9 + US}, event
    gms = [event.described for event in told.filter(stream__name="gm") if "numbers" in event.described]
    assert {payload["numbers"]["total"] for payload in gms} == {TOTAL}


def test_a_gm_who_sees_the_page_as_a_player_gets_no_more_than_a_player(cast, silas):
    look(cast, "player")
    assert 'name="us"' not in form(cast.gm)
    url = reverse("odds", args=[cast.campaign.slug])
    assert cast.gm.client.get(url, {"system": "arc", "character": silas.pk, **PICKING}).status_code == 403


def form(person):
    url = reverse("roll_form", args=[person.member.campaign.slug])
    return person.client.get(url, {"system": "arc"}).content.decode()


def test_a_player_is_asked_for_nothing_that_the_gm_sets(cast):
    for person, visible in ((cast.gm, True), (cast.player, False)):
        assert ('name="us"' in form(person)) == visible
        shown = parse(form(person))
        named = {
            node.attrs["name"] for node in shown.walk() if node.attrs.get("type") != "hidden" and "name" in node.attrs
        }
        assert ({"other", "threshold", "level"} <= named) == visible
        assert ({"other", "threshold", "level"} & named == set()) != visible


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("stat", {"stat": "7"}),
        ("stat", {"stat": ""}),
        ("stat", {"stat": "+-7"}),
        ("us", {"us": "3"}),
        ("us", {"us": "x"}),
        ("skill", {"skill": "10"}),
        ("skill", {"skill": "11"}),
        ("skill", {"skill": "9" * 100}),
        ("skill", {"skill": "swimming"}),
        ("other", {"other": "101"}),
        ("other", {"other": "NaN"}),
        ("threshold", {"threshold": "-1"}),
        ("level", {"level": "hopeless"}),
        ("kind", {"kind": "counter"}),
        ("against", {"kind": "opposed", "against": "that one"}),
        ("against", {"kind": "opposed", "against": "00000000-0000-4000-8000-000000000000"}),
        ("kind", {"request": ""}),
        ("kind", {"request": "", "other": "0"}),
        ("faces", {"request": "", "announce": "on", "faces": "5"}),
        ("other", {"request": "", "announce": "on"}),
        ("som", {"kind": "reaction", "som": "0"}),
        ("faces", {"faces": "9"}),
        ("faces", {"faces": "5 5"}),
    ],
)
def test_bad_input_is_named_at_its_field_and_changes_nothing(cast, silas, field, wrong):
    kind = "check" if wrong.get("kind") == "counter" else wrong.get("kind", "check")
    mine = {"character": silas.pk} | asked(cast, kind=kind, stat="", skill="") | SKILLED
    answer = post(cast.player, "roll", **mine | wrong)
    assert answer.status_code == 422
    assert f'data-field="{field}"' in answer.content.decode()
    assert not Roll.objects.exists()


def test_what_a_player_may_not_counter_is_not_there(cast, silas, dice):
    dice(5)
    assert post(cast.gm, "roll", kind="opposed", audience="gm", stat="9", us=US, skill="5").status_code == 204
    hidden = Roll.objects.get()
    assert hidden.audience == Audience.GM
    mine = {"character": silas.pk, "kind": "opposed", "announce": "on"} | SKILLED
    answers = [post(cast.player, "roll", against=against, **mine) for against in (hidden.pk, uuid4())]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].content == answers[1].content
    assert cast.outsider.client.get(reverse("odds", args=[cast.campaign.slug])).status_code == 404


def test_the_card_of_an_opposed_check_says_what_became_of_it(cast, silas, dice):
    dice(5)
    post(cast.player, "roll", character=silas.pk, **asked(cast, kind="opposed"))
    first = Roll.objects.get()
    assert f'data-counter="{first.pk}"' in page(cast.other_player, cast)
    assert "data-counter" not in page(cast.spectator, cast)
    dice(4)
    post(cast.gm, "roll", kind="opposed", against=first.pk, stat="9", us=US, skill="5", other=100)
    shown = page(cast.other_player, cast)
    assert f'data-counter="{first.pk}"' not in shown
    assert "not stopped by" in shown
    post(cast.gm, "roll_void", Roll.objects.latest("at").pk, reason="")
    assert f'data-counter="{first.pk}"' in page(cast.other_player, cast)


def test_what_is_pressed_on_the_sheet_goes_where_it_belongs(cast, silas):
    shown = " ".join(page(cast.player, cast).split())
    assert 'data-trait="control" data-slot="stat"' in shown
    assert 'data-title="name" data-gives="es" data-slot="skill"' in shown and 'data-value="Tamper"' in shown
    assert 'data-trait="us_control"' not in shown
