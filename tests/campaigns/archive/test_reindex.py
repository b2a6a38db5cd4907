"""What is kept beside the events comes anew from what the events say: filings, pins, recaps, sessions."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.archive import services
from campaigns.models import GameSession, Pin, Recap, Scene, SceneOverride
from campaigns.services import log_entries as filing
from campaigns.services import log_entries as moments
from campaigns.services import play
from tests.campaigns.archive.elsewhere import bring, forged, take, written

pytestmark = pytest.mark.run_on("sqlite", "postgresql")


def _brought(cast):
    """Return an archive of the cast's own campaign, imported as on another server."""
    lines = [json.loads(line) for line in take(cast.gm.client, "ashes").splitlines()]
    return bring(cast.outsider.user, written(forged(lines)))


def _kept(campaign):
    filings = SceneOverride.objects.filter(event__campaign=campaign).select_related("event__stream", "scene__session")
    pins = Pin.objects.filter(campaign=campaign).select_related("by", "session")
    recaps = Recap.objects.filter(session__campaign=campaign).select_related("session")
    sessions = GameSession.objects.filter(campaign=campaign)
    scenes = Scene.objects.filter(session__campaign=campaign).select_related("session")
    return {
        "filings": {(f.event.uid, f.event.stream.name, f.scene.session.number, f.scene.number) for f in filings},
        "pins": {(p.uid, p.session.number, p.by.number, p.at) for p in pins},
        "recaps": {(r.session.number, r.draft, r.words) for r in recaps},
        "published": {r.session.number for r in recaps if r.published_at},
        "sessions": {(s.number, s.title, s.started_at) for s in sessions},
        "scenes": {(s.session.number, s.number, s.title, s.opened_at) for s in scenes},
    }


def test_all_of_it_is_in_the_archive_as_it_was_there(played, cast):
    there, here = _kept(cast.campaign), _kept(_brought(cast))
    assert there == here
    assert all(there.values()) and len(there["pins"]) > 3 and len(there["filings"]) > 1


def test_what_was_put_back_or_taken_off_is_not_kept(cast):
    gm, mo = cast.gm.member, cast.player.member
    play.start_session(gm, "One", key=uuid4())
    first = play.open_scene(gm, "Door", key=uuid4())
    play.close_scene(gm, key=uuid4())
    play.open_scene(gm, "Roof", key=uuid4())
    said, other = (play.say(mo, words, key=uuid4()) for words in ("Hello", "Bye"))
    for event in (said, other):
        filing.refile(gm, event.uid, first, key=uuid4())
        moments.pin(mo, event.uid, key=uuid4())
    filing.refile(gm, said.uid, None, key=uuid4())
    moments.unpin(mo, said.uid, key=uuid4())
    kept = _kept(_brought(cast))
    assert [uid for uid, *_ in kept["filings"]] == [uid for uid, *_ in kept["pins"]] == [other.uid]


def test_a_moment_that_was_moved_is_pinned_where_it_went(cast):
    gm = cast.gm.member
    play.start_session(gm, "One", key=uuid4())
    scene = play.open_scene(gm, "Door", key=uuid4())
    play.end_session(gm, key=uuid4())
    play.start_session(gm, "Two", key=uuid4())
    said = play.say(gm, "Hello", key=uuid4())
    moments.pin(gm, said.uid, key=uuid4())
    filing.refile(gm, said.uid, scene, key=uuid4())
    ((uid, session, *_),) = _kept(_brought(cast))["pins"]
    assert (uid, session) == (said.uid, 1)


def test_no_more_pins_are_kept_than_a_page_can_show(cast, monkeypatch):
    monkeypatch.setattr(services, "MOST_PINS", 2)
    gm = cast.gm.member
    play.start_session(gm, "One", key=uuid4())
    for words in ("One", "Two", "Three"):
        moments.pin(gm, play.say(gm, words, key=uuid4()).uid, key=uuid4())
    assert len(_kept(_brought(cast))["pins"]) == 2


def test_a_draft_stays_with_gms_and_what_was_not_told_to_all_is_a_draft(cast):
    gm = cast.gm.member
    session = play.start_session(gm, "One", key=uuid4())
    seen = play.recap_version(play.recap_of(session))
    play.write_recap(gm, session, "Told to all", publish=True, expected=seen, key=uuid4())
    lines = [json.loads(line) for line in take(cast.gm.client, "ashes").splitlines()]
    told = next(line for line in lines if line["kind"] == "campaigns.recap_published")
    hidden = max((line for line in lines if line["stream"] == "gm"), key=lambda line: line["seq"])
    more = told | {"stream": "gm", "seq": hidden["seq"] + 1, "payload": told["payload"] | {"words": "For GMs"}}
    campaign = bring(cast.outsider.user, written(forged([*lines, more])))
    ((_, draft, words),) = _kept(campaign)["recaps"]
    assert (draft, words) == ("For GMs", "Told to all")
    page = cast.outsider.client.get(reverse("session", args=[campaign.slug, 1])).content
    assert b"Told to all" in page
