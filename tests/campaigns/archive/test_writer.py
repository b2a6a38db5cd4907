"""A long log is written in steps: what broke off goes on, and until the last of them nobody sees any of it."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.archive import services
from campaigns.errors import Invalid
from campaigns.models import Campaign, Event, Membership
from campaigns.services import play
from rolls.queries.checking import faults
from rolls.services.fairness import mark_all_restored
from tests.campaigns.archive.elsewhere import ELSEWHERE, bring, forged, take, written

pytestmark = pytest.mark.run_on("sqlite", "postgresql")


class Away(Exception):
    """The database was."""


@pytest.fixture
def breaks(monkeypatch):
    """Breaks an import off after so many steps of three lines."""
    monkeypatch.setattr(services, "STEP", 3)
    monkeypatch.setattr(services, "PAUSE", 0)
    whole = services.Steps._write

    def after(number):
        left = [True] * number

        def write(self, lines):
            if not left:
                raise Away
            left.pop()
            whole(self, lines)

        monkeypatch.setattr(services.Steps, "_write", write)

    return after


def _broken_off(cast, lines, breaks):
    breaks(2)
    with pytest.raises(Away):
        bring(cast.outsider.user, written(lines))
    breaks(100)
    return Campaign.objects.get(pk=ELSEWHERE)


def test_what_broke_off_belongs_to_nobody_and_goes_on_when_the_same_file_is_brought(lines, cast, breaks):
    begun = _broken_off(cast, lines, breaks)
    assert Event.objects.filter(campaign=begun).count() == 6
    assert not Membership.objects.active().filter(campaign=begun)
    assert begun.name not in cast.outsider.client.get(reverse("home")).content.decode()
    assert list(faults(begun)) == []
    campaign = bring(cast.removed.user, written(lines))
    assert campaign == begun and [m.user for m in Membership.objects.active().filter(campaign=begun)] == [
        cast.removed.user
    ]
    assert [json.loads(line) for line in take(cast.removed.client, campaign.slug).splitlines()] == lines


def test_what_broke_off_is_not_finished_by_another_file(lines, cast, breaks):
    _broken_off(cast, lines, breaks)
    with pytest.raises(Invalid, match="Import that file again"):
        bring(cast.outsider.user, written(forged(lines[:-1])))
    assert Event.objects.filter(campaign=ELSEWHERE).count() == 6


def test_of_two_who_bring_it_at_once_one_is_told(lines, cast, breaks, monkeypatch):
    breaks(100)
    read, told = services.Steps.write, []

    def another_comes_between(self, some):
        monkeypatch.setattr(services.Steps, "write", read)
        told.append(bring(cast.removed.user, written(lines)))
        read(self, some)

    monkeypatch.setattr(services.Steps, "write", another_comes_between)
    with pytest.raises(Invalid, match="right now"):
        bring(cast.outsider.user, written(lines))
    assert Membership.objects.active().get(campaign=ELSEWHERE).user == cast.removed.user
    assert Event.objects.filter(campaign=ELSEWHERE).count() == len(lines)


def test_a_key_that_somebody_else_uses_meanwhile_is_refused_and_another_finishes_it(lines, cast, breaks, monkeypatch):
    breaks(100)
    read, key = services.Steps.write, uuid4()

    def another_comes_between(self, some):
        play.say(cast.player.member, "Mine", key=key)
        read(self, some)

    with monkeypatch.context() as patch, pytest.raises(Invalid, match="sent with different content"):
        patch.setattr(services.Steps, "write", another_comes_between)
        bring(cast.outsider.user, written(lines), key)
    assert not Membership.objects.active().filter(campaign=ELSEWHERE)
    assert [json.loads(line) for line in take(cast.gm.client, "ashes").splitlines()][-1]["payload"]["words"] == "Mine"
    bring(cast.outsider.user, written(lines))
    assert Event.objects.filter(campaign=ELSEWHERE).count() == len(lines)


def test_a_line_that_amends_one_of_the_same_step_comes_after_it(lines, cast, breaks):
    breaks(100)
    last = max((line for line in lines if line["stream"] == "table"), key=lambda line: line["seq"])
    amended = {"stream": "table", "seq": last["seq"]}
    lines = forged([*lines, *(last | {"seq": last["seq"] + at, "amends": amended} for at in (1, 2, 3))])
    campaign = bring(cast.outsider.user, written(lines))
    told = [json.loads(line)["amends"] for line in take(cast.outsider.client, campaign.slug).splitlines()]
    assert told[-3:] == [amended] * 3


def test_a_restored_backup_says_so_in_an_archive_and_not_in_what_is_still_brought(lines, cast, breaks):
    begun = _broken_off(cast, lines, breaks)
    mark_all_restored()
    assert Event.objects.filter(campaign=begun).count() == 6
    campaign = bring(cast.outsider.user, written(lines), uuid4())
    mark_all_restored()
    assert Event.objects.filter(campaign=campaign).count() == len(lines) + 1
    assert list(faults(campaign)) == []
