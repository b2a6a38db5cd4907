"""Whatever the payload of an archive say: its log is refused by line, or every page of it can be read."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.archive.reader import Wrong, indexed
from campaigns.kinds import kinds
from campaigns.models import Event
from campaigns.views.log import FORMS
from rolls.queries.checking import faults
from tests.campaigns.archive.elsewhere import bring, forged, take, written
from tests.campaigns.archive.hostile import ODD, numbered, odd_lines
from tests.flows.matrix import MATRIX, SAME

NAMED = {"scene_number": 1, "name": "grace", "system": "storyteller", "picture": "0" * 64}


def _sent(saved):
    """Return a log in which nearly every fact of every kind of event is wrong."""
    lines = [json.loads(line) for line in saved.splitlines()]
    odd = list(odd_lines(lines))
    # Of some kinds nothing is told but who did it.
    assert len({line["kind"] for line in odd}) > len(kinds()) - 20 and len(odd) > 300
    # The third session begins after all of these, so that its replay begins with their results.
    begins = next(line for line in lines if line["kind"] == "campaigns.session_started")
    last = begins | {"session": 3, "uid": str(uuid4()), "payload": begins["payload"] | {"number": 3}}
    return written(forged(numbered([*lines, *odd, last])))


def _addresses(campaign):
    """Yield the addresses of all pages of a campaign; those of sessions and events for some of them."""
    uids = Event.objects.filter(campaign=campaign).order_by("pk").values_list("uid", flat=True)
    some = list(zip((1, 2, 3), uids[5:], strict=False)) + [(2, uid) for uid in uids[::150]]
    for name, (how, _, wanted) in MATRIX.items():
        words = [SAME.get(word, word) for word in wanted.split()]
        for number, uid in (some if {"number", "uid"} & {*words} else some[:1]) if "GET" in how else ():
            values = NAMED | {"number": number, "uid": uid, "member_id": 1}
            yield reverse(name, kwargs={"slug": campaign.slug} | {word: values.get(word) or uuid4() for word in words})
    for form in FORMS:
        yield f"{reverse('log_export', args=[campaign.slug])}?as={form}"


def test_every_page_of_an_archive_can_be_asked_for_whatever_its_payload_say(moved):
    saved, newcomer = moved
    campaign = bring(newcomer.user, _sent(saved))
    for address in dict.fromkeys(_addresses(campaign)):
        answer = newcomer.client.get(address)
        assert answer.status_code < 500, address
        assert not answer.streaming or answer.getvalue(), address
    assert "This entry can’t be shown" in take(newcomer.client, campaign.slug, **{"as": "csv"})
    for number in (1, 2, 3):
        further = reverse("replay_events", args=[campaign.slug, number])
        while further:
            further = newcomer.client.get(further).json()["further"]
    assert list(faults(campaign))


def test_what_pages_read_by_name_is_refused_where_it_cannot_be_read(moved):
    """Each kind with such a fact is tried with one."""
    lines = {line["kind"]: line for line in map(json.loads, moved[0].splitlines())}
    for kind, fact in {
        "campaigns.said": "words",
        "campaigns.said_amended": "words",
        "campaigns.scene_opened": "now",
        "campaigns.event_refiled": "of",
        "campaigns.moment_pinned": "of",
        "campaigns.recap_published": "words",
        "campaigns.member_removed": "who",
        "campaigns.clock_ticked": "clock",
        "characters.xp_awarded": "entry",
        "rolls.roll_made": "proof",
        "scale.burn_offered": "burns",
        "scale.moved": "scale",
        "rolls.epoch_committed": "epoch",
    }.items():
        line = lines[kind]
        indexed(line)
        with pytest.raises(Wrong, match="isn’t what entries of its kind hold"):
            indexed(line | {"payload": line["payload"] | {fact: ODD[-1]}})
