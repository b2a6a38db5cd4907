"""An event as HTML: by role, from its own payload, without a query."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.conf import settings
from django.utils import timezone

from campaigns.live import render
from campaigns.live.render import render_line, render_live
from campaigns.models import Event, EventPayload, Role
from campaigns.services import play
from campaigns.services.log_entries import amend_words, pin
from tests.stored import store


@pytest.fixture
def said(cast):
    event = play.say(cast.player.member, "Once <u>upon</u> a time", key=uuid4())
    return Event.objects.with_related().select_related("campaign").get(pk=event.pk)


@pytest.mark.parametrize("role", Role)
def test_it_needs_no_query(said, role, django_assert_num_queries):
    with django_assert_num_queries(0):
        render_live(said, role)


def test_a_line_is_called_by_its_uid_and_never_by_a_number_of_the_database(said):
    line = render_line(said, Role.PLAYER)
    assert f'id="event-{said.uid}"' in line
    assert f'"{said.pk}"' not in line and f'event-{said.pk}"' not in line


def test_the_line_stands_in_what_is_sent_live(said):
    assert render_line(said, Role.PLAYER) in render_live(said, Role.PLAYER)


def test_where_its_template_has_no_live_part_the_line_is_all_there_is(said):
    assert render_live(said, Role.PLAYER) == render_line(said, Role.PLAYER) != ""


def test_where_it_has_one_that_follows_the_line(cast):
    play.start_session(cast.gm.member, "", key=uuid4())
    event = Event.objects.with_related().select_related("campaign").get(kind="campaigns.session_started")
    line, live = render_line(event, Role.PLAYER), render_live(event, Role.PLAYER)
    assert live.startswith(line) and 'id="session-title"' in live.removeprefix(line)


def test_no_template_of_an_event_has_an_empty_live_part():
    """An empty part would be drawn for every event of its kind, for every role."""
    found = [
        path
        for folder in ("templates", "rulesets", "scale")
        for path in (settings.BASE_DIR / folder).rglob("events/*.html")
    ]
    empty = re.compile(r"{% partialdef live %}\s*{% endpartialdef")
    assert found and [path.name for path in found if empty.search(path.read_text())] == []


def test_what_people_write_makes_no_element_of_its_own(said):
    assert "<u>" not in render_live(said, Role.PLAYER)


def test_the_actor_is_called_as_they_were_called_then(said, cast):
    store(cast.player.user, display_name="Renamed")
    fresh = Event.objects.with_related().select_related("campaign").get(pk=said.pk)
    assert "Mo" in render_line(fresh, Role.PLAYER)
    assert "Renamed" not in render_line(fresh, Role.PLAYER)


def test_templates_are_told_the_role_and_nothing_of_the_person(said, monkeypatch):
    told = []
    plain = render.render_to_string
    monkeypatch.setattr(render, "render_to_string", lambda name, context: told.append(context) or plain(name, context))
    render_live(said, Role.SPECTATOR)
    assert {context["role"] for context in told} == {"spectator"}
    assert all(set(context) <= {"event", "payload", "name", "role", "campaign", "body"} for context in told)


def test_an_event_without_a_line_leaves_no_empty_one(said, monkeypatch):
    monkeypatch.setattr(render, "_partial", lambda *_: "")
    assert render_line(said, Role.PLAYER) == ""


def again(event):
    return Event.objects.with_related().select_related("campaign").get(pk=event.pk)


def test_a_line_that_was_drawn_already_is_not_drawn_again(said, monkeypatch):
    line = render_line(said, Role.PLAYER)
    monkeypatch.setattr(render, "render_to_string", None)
    assert render_line(again(said), Role.PLAYER) == line


def test_it_is_drawn_anew_for_another_role_another_time_zone_and_another_name_of_the_table(cast, said):
    line = render_line(said, Role.PLAYER)
    with timezone.override("Pacific/Auckland"):
        assert render_line(said, Role.PLAYER) != line
    store(cast.campaign, slug="embers")
    assert "/c/embers/" in render_line(again(said), Role.PLAYER)


def test_it_is_drawn_anew_when_something_became_of_it(cast):
    play.start_session(cast.gm.member, "", key=uuid4())
    said = again(play.say(cast.player.member, "Once upon a time", key=uuid4()))
    render_line(said, Role.PLAYER)
    amend_words(cast.player.member, said.uid, "Twice upon a time", key=uuid4())
    amended = render_line(again(said), Role.PLAYER)
    assert "Twice upon a time" in amended
    pin(cast.player.member, said.uid, key=uuid4())
    assert render_line(again(said), Role.PLAYER) != amended


def test_words_that_were_erased_are_in_no_line_any_more(said):
    assert "upon" in render_line(said, Role.PLAYER)
    EventPayload.objects.filter(event=said).update(payload=said.payload | {"words": ""})
    assert "upon" not in render_line(again(said), Role.PLAYER)


def test_only_so_many_bytes_of_lines_are_kept(said, monkeypatch):
    plain = render_line(said, Role.PLAYER)
    monkeypatch.setattr(render, "render_to_string", lambda *_: "x" * (render.KEPT // 2))
    first = [render_line(said, role) for role in (Role.GM, Role.SPECTATOR)]
    monkeypatch.setattr(render, "render_to_string", lambda *_: plain)
    assert [render_line(said, role) for role in (Role.SPECTATOR, Role.GM)] == [first[1], plain]
