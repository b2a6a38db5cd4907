"""`check_log` notices what stands otherwise than the log tells: a fault of each sort is planted in the played campaign."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db.models import F
from django.utils import timezone

from campaigns.models import Clock, Event, EventIndex, EventSubject, Membership, Picture, Role
from campaigns.queries import standing
from campaigns.services.log_entries import reindex
from rolls.models import Procedure
from scale.models import Burn
from tests.sheets import rewrite
from world.models import Page


def test_of_all_that_was_played_everything_stands_as_it_was_told(played, cast):
    assert list(standing.faults(cast.campaign)) == []


PLANTED: dict[str, tuple[Callable[..., object], str]] = {
    "a clock that somebody filled": (
        lambda played, cast: Clock.objects.filter(pk=played.clock.pk).update(filled=F("segments")),
        "filled is",
    ),
    "a clock that is shown to all": (
        lambda played, cast: Clock.objects.filter(pk=played.hidden_clock.pk).update(visibility="visible"),
        "visibility is 'visible', the log gives 'secret'",
    ),
    "a number on a sheet": (
        lambda played, cast: rewrite(played.character, sheet={"perception": 5}),
        "perception is 5, the log gives",
    ),
    "a procedure that is over": (
        lambda played, cast: Procedure.objects.filter(pk=played.procedure.pk).update(closed_at=timezone.now()),
        "it is over, the log gives the other",
    ),
    "a procedure that was not told": (
        lambda played, cast: Procedure.objects.filter(pk=played.procedure.pk).update(version=F("version") + 1),
        "version is",
    ),
    "a player who became a GM": (
        lambda played, cast: Membership.objects.filter(pk=cast.player.member.pk).update(role=Role.GM),
        "role is gm, the log gives player",
    ),
    "somebody who is back": (
        lambda played, cast: Membership.objects.filter(pk=cast.removed.membership.pk).update(left_at=None),
        "by the log they are gone",
    ),
    "a Burn": (
        lambda played, cast: Burn.objects.filter(pk=played.banked.pk).update(state="lost"),
        "state is 'lost', the log gives",
    ),
    "a picture that is gone": (
        lambda played, cast: Picture.objects.filter(pk=played.picture.pk).delete(),
        "the log tells of it, and it is not there",
    ),
    "what a picture shows": (
        lambda played, cast: Picture.objects.filter(pk=played.picture.pk).update(alt="Another"),
        "alt is 'Another', the log gives",
    ),
    "words by which an event is found": (
        lambda played, cast: EventIndex.objects.filter(event__kind="campaigns.said").update(words="elsewhere"),
        "it is found by another words than it says",
    ),
    "an event that nothing finds": (
        lambda played, cast: EventIndex.objects.filter(event__kind="campaigns.said").delete(),
        "nothing finds it",
    ),
    "a person whom an event names": (
        lambda played, cast: EventSubject.objects.filter(key=f"member:{cast.player.member.number}").delete(),
        "it is found by other people than it names",
    ),
    "a character that an event is about": (
        lambda played, cast: EventSubject.objects.filter(key=f"character:{played.character.pk}").delete(),
        "it is not found by the character that it is about",
    ),
    "a note that was not written": (
        lambda played, cast: Page.objects.filter(pk=played.page.pk).update(note="Else"),
        "its note is not as the log gives it",
    ),
    "what only GMs know": (
        lambda played, cast: Page.objects.filter(pk=played.page.pk).update(gm_note="Else"),
        "its GMs' part is not as the log gives it",
    ),
    "a page that is gone": (
        lambda played, cast: Page.objects.filter(pk=played.hidden_page.pk).delete(),
        "the log gives it, and there is none",
    ),
    "a topic beside a subject": (
        lambda played, cast: EventSubject.objects.filter(event__kind="campaigns.said").update(topic="roll"),
        "it is found by something else under what it is about",
    ),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_fault_that_is_planted_is_noticed(planted, played, cast):
    plant, words = PLANTED[planted]
    plant(played, cast)
    assert any(words in fault for fault in standing.faults(cast.campaign))


def test_a_new_index_mends_what_events_are_found_by(played, cast):
    EventIndex.objects.filter(event__kind="campaigns.said").update(words="elsewhere")
    EventSubject.objects.filter(event__kind="campaigns.said").update(topic="roll")
    EventIndex.objects.filter(event__kind="rolls.roll_made").delete()
    EventSubject.objects.filter(key=f"member:{cast.player.member.number}").delete()
    assert reindex().changed
    assert list(standing.faults(cast.campaign)) == []
    assert reindex().changed == 0


def test_the_log_is_read_in_batches_and_once(played, cast, monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr(standing, "BATCH", 100)
    events = Event.objects.filter(campaign=cast.campaign).count()
    with django_assert_max_num_queries(events // 100 + events // 500 + 40):
        assert list(standing.faults(cast.campaign)) == []
