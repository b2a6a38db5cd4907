"""A whole campaign from another server: taken in as it was written, checked line by line, and read as an archive."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from campaigns.archive import services
from campaigns.errors import Blocked, Invalid
from campaigns.models import Campaign, Event, GameSession, Membership
from campaigns.services import campaigns, erasing
from rolls.queries.checking import faults
from tests.campaigns.archive.elsewhere import ELSEWHERE, bring, forged, take, written

pytestmark = pytest.mark.run_on("sqlite", "postgresql")


def test_what_is_brought_is_what_was_saved_to_the_byte(moved):
    saved, newcomer = moved
    campaign = bring(newcomer.user, saved)
    assert campaign.name == "Ashes" and campaign.archived_at and campaign.imported_at
    assert take(newcomer.client, campaign.slug) == saved
    assert {m.name for m in campaign.memberships.exclude(user=newcomer.user)} > {"Gm", "Mo", "Other Player"}
    assert not campaign.memberships.active().exclude(user=newcomer.user)


def test_it_is_as_it_was_written_and_so_says_the_command(moved, capsys):
    saved, newcomer = moved
    campaign = bring(newcomer.user, saved)
    assert list(faults(campaign)) == []
    call_command("check_log", campaign.slug)
    assert "all as they were written" in capsys.readouterr().out


PAGES = ("table", "log", "members", "sessions", "campaign_settings", "characters", "clocks", "storylines", "statistics")


def test_its_pages_can_be_read(moved):
    saved, newcomer = moved
    campaign = bring(newcomer.user, saved)
    pages = [reverse(name, args=[campaign.slug]) for name in PAGES]
    for session in GameSession.objects.filter(campaign=campaign):
        pages += [
            reverse(name, args=[campaign.slug, session.number]) for name in ("session", "verify", "session_lines")
        ]
    pages += [
        reverse("log_event", args=[campaign.slug, uid]) for uid in Event.objects.values_list("uid", flat=True)[:9]
    ]
    for page in pages:
        answer = newcomer.client.get(page)
        assert answer.status_code == 200, page
        assert b"cannot be drawn" not in answer.getvalue(), page
    assert b"was played on another server" in newcomer.client.get(pages[1]).content


def test_sessions_scenes_and_who_did_what_are_found_again(lines, cast):
    campaign = bring(cast.outsider.user, written(lines))
    (session,) = GameSession.objects.filter(campaign=campaign)
    assert (str(session), str(session.scenes.get())) == ("Session 1: One", "Scene 1, Door")
    mo = Membership.objects.get(campaign=campaign, abroad=cast.player.member.pk)
    assert (mo.name, mo.role, mo.user) == ("Mo", "player", None)
    for filters in ({"words": "hello"}, {"who": mo.pk, "topic": "talk"}, {"session": session.pk, "topic": "talk"}):
        page = cast.outsider.client.get(reverse("log", args=[campaign.slug]), filters)
        assert b"Hello" in page.content and b"psst" not in page.content


def test_it_stays_an_archive(lines, cast):
    campaign = bring(cast.outsider.user, written(lines))
    gm = Membership.objects.get(campaign=campaign, user=cast.outsider.user)
    for operation in (campaigns.reopen_campaign, campaigns.start_watching):
        with pytest.raises(Blocked, match="archive from another server"):
            operation(gm, key=uuid4())
    assert cast.gm.client.get(reverse("log", args=[campaign.slug])).status_code == 404
    assert b"Reopen" not in cast.outsider.client.get(reverse("campaign_settings", args=[campaign.slug])).content


def test_words_are_erased_in_it_by_the_numbers_of_its_people_and_in_no_other_campaign(lines, cast):
    campaign = bring(cast.outsider.user, written(lines))
    gm = Membership.objects.get(campaign=campaign, user=cast.outsider.user)
    mo = Membership.objects.get(campaign=campaign, abroad=cast.player.member.pk)
    erasing.erase_words(gm, mo, key=uuid4())
    told = take(cast.outsider.client, campaign.slug)
    assert "Hello" not in told and "psst" not in told
    assert "Hello" in take(cast.gm.client, "ashes")
    assert list(faults(campaign)) == []
    last = json.loads(told.splitlines()[-1])
    assert last["actor"] == last["payload"]["by"]["member"] == gm.number
    assert gm.number not in {line["actor"] for line in lines}


def test_who_brought_it_can_delete_their_account_and_nobody_elsewhere_is_renamed(lines, cast):
    campaign = bring(cast.outsider.user, written(lines))
    page = reverse("profile_delete")
    assert cast.player.client.post(page, {"password": "a-long-password", "key": uuid4()}).status_code == 302
    assert '"name": "Mo"' in take(cast.outsider.client, campaign.slug)
    assert '"name": "Mo"' not in take(cast.gm.client, "ashes")


def test_a_campaign_that_is_here_is_not_brought_again(lines, cast):
    with pytest.raises(Invalid, match="already on this server"):
        bring(cast.outsider.user, take(cast.gm.client, "ashes"))
    key = uuid4()
    campaign = bring(cast.outsider.user, written(lines), key)
    assert bring(cast.outsider.user, written(lines), key) == campaign
    with pytest.raises(Invalid, match="already on this server"):
        bring(cast.gm.user, written(lines))


def test_a_key_that_was_used_for_another_file_or_by_somebody_else_is_refused_before_anything_is_written(lines, cast):
    key, said = uuid4(), uuid4()
    campaigns.create_campaign(cast.gm.user, name="Hers", systems=["storyteller"], key=said)
    with pytest.raises(Invalid, match="sent with different content"):
        bring(cast.outsider.user, written(lines), said)
    assert not Campaign.objects.filter(pk=ELSEWHERE).exists()
    bring(cast.outsider.user, written(lines), key)
    for user, text in ((cast.outsider.user, written(forged(lines[:-1]))), (cast.gm.user, written(lines))):
        with pytest.raises(Invalid, match="sent with different content"):
            bring(user, text, key)


def test_the_page_takes_a_file_or_says_line_by_line_what_is_wrong(lines, cast):
    address = reverse("campaign_import")
    assert address.encode() in cast.outsider.client.get(reverse("home")).content
    assert cast.outsider.client.get(address).status_code == 200
    for text, status, words in ((b"{\n{\n", 422, "Line 2: it isn’t the JSON".encode()), (b"", 422, b"file is empty")):
        form = {"file": SimpleUploadedFile("log.jsonl", text), "key": uuid4()}
        answer = cast.outsider.client.post(address, form)
        assert answer.status_code == status and words in answer.content
    form = {"file": SimpleUploadedFile("log.jsonl", written(lines).encode()), "key": uuid4()}
    answer = cast.outsider.client.post(address, form)
    assert answer["Location"] == reverse("log", args=[Campaign.objects.get(pk=ELSEWHERE).slug])


def test_only_here_and_only_with_an_account_more_can_be_sent_at_once(cast, client, settings):
    settings.LARGEST_BODY, settings.LARGEST_LOG = 1000, 3000
    address = reverse("campaign_import")

    def status(of, size, to=address):
        return of.post(to, {"file": SimpleUploadedFile("log.jsonl", b"x" * size), "key": uuid4()}).status_code

    assert status(cast.outsider.client, 2000) == 422
    assert status(cast.outsider.client, 4000) == 413
    assert status(client, 2000) == 413
    assert status(cast.outsider.client, 2000, reverse("campaign_new")) == 413


def test_a_log_longer_than_a_batch_keeps_its_order(lines, cast, monkeypatch):
    monkeypatch.setattr(services, "STEP", 3)
    monkeypatch.setattr(services, "PAUSE", 0)
    campaign = bring(cast.outsider.user, written(lines))
    told = [json.loads(line) for line in take(cast.outsider.client, campaign.slug).splitlines()]
    assert told == lines
