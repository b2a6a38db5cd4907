"""Erasing everybody's words where everything has happened once: of what they wrote nothing is left but what things are called."""

from __future__ import annotations

import re
from itertools import cycle
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.urls import reverse

from campaigns.kinds import kind_of, kinds
from campaigns.models import Event
from campaigns.schema import texts
from campaigns.services.erasing import erase_words
from campaigns.text import ERASED
from campaigns.views.log import FORMS
from tests.canaries import canary
from tests.stored import stored_words

CANARY = r"canary-[a-z]+-[a-z]+"

NAMES = {
    *(
        canary("gm", what)
        for what in ("ambush", "clock", "deleted", "line", "npc", "oracle", "page", "result", "table")
    ),
    *(canary("mo", what) for what in ("bought", "handout", "key", "made", "pool", "versus")),
}
"""Names in the played campaign: of characters, clocks, rows of sheets, what rolls are of; and an oracle's text."""

NOTHING_TYPED = {
    *(
        "campaign_archived",
        "campaign_made",
        "campaign_changed",
        "campaign_reopened",
        "campaign_moved",
        "watching_changed",
    ),
    *("sample_changed", "session_planned", "dates_proposed", "date_answered"),
    *("invitation_made", "invitation_revoked", "member_joined", "member_left", "member_removed", "role_changed"),
    *("session_started", "session_titled", "session_ended", "scene_opened", "scene_titled", "scene_closed"),
    "closing_told",
    "cover_changed",
    *(
        "storyline_changed",
        "oracle_changed",
        "table_changed",
        "table_rolled",
        "moment_pinned",
        "moment_unpinned",
        "log_restored",
        "words_erased",
    ),
    *("boundaries_changed", "picture_seen", "handout_changed", "webhook_changed", "webhook_stopped"),
    *("clock_changed", "clock_archived", "clocks_ordered", "clock_template_changed"),
    *("character_made", "character_changed", "character_retired", "character_returned", "character_died"),
    *("character_deleted", "portrait_changed", "sheet_marked", "template_changed", "creation_changed"),
    *("claim_made", "claim_decided", "roll_followed", "order_rolled", "settings_changed"),
    *("epoch_committed", "epoch_revealed", "blind_revealed", "witness_asked", "witness_given"),
}
"""Kinds that hold nothing that anybody typed but what something is called, as docs/architecture.md says."""


@pytest.fixture
def erased(played, cast):
    for person in (cast.player, cast.other_player, cast.gm):
        erase_words(cast.gm.member, person.member, key=uuid4())
    return cast


def test_of_all_that_is_told_somebody_has_said_whether_people_type_in_it():
    for name, kind in kinds().items():
        assert bool(kind.typed or kind.copied) != (name.partition(".")[2] in NOTHING_TYPED), name


def test_erasing_knows_of_every_text_that_a_schema_names(played):
    for event in Event.objects.all().select_related("stored"):
        kind = kind_of(event.kind)
        places = [*kind.copied, *(place for place, _ in (kind.typed(event.payload) if kind.typed else ()))]
        known = {re.sub(r"\.\d+(?=\.|$)", ".*", ".".join(place.path)) for place in places}
        assert set(texts(kind.schema, event.payload)) <= known, event.kind


def test_nothing_that_anybody_wrote_is_left_but_what_things_are_called(played, cast, request):
    assert len(stored_words(CANARY) - NAMES) > 15
    request.getfixturevalue("erased")
    assert stored_words(CANARY) == NAMES


def test_nobody_can_take_it_away_and_the_log_is_as_it_was_written(erased, capsys):
    url = reverse("log_export", args=[erased.campaign.slug])
    for form, person in zip(FORMS, cycle((erased.gm, erased.player, erased.other_player)), strict=False):
        taken = person.client.get(url, {"as": form}).getvalue().decode()
        assert ERASED.strip("[]") in taken and set(re.findall(CANARY, taken)) <= NAMES
    call_command("check_log", erased.campaign.slug)
    assert "all as they were written" in capsys.readouterr().out
