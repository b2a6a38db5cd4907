"""What open pages are sent of clocks: for each role the same elements that a fresh page draws."""

import re
from uuid import uuid4

from django.template.loader import render_to_string

from campaigns.live.render import render_line, render_live
from campaigns.models import ClockKind, Event, Role
from campaigns.queries.clocks import clocks_of
from campaigns.services import clocks
from campaigns.services.clocks import Rival
from tests.campaigns.clocks.play import KNOWN, SECRET, VISIBLE, change, viewer

PART = re.compile(r'<template data-remove="([^"]+)"></template>|(<li class="clock .*?</li>)', re.DOTALL)


class Page:
    """The clocks of somebody's open table page, kept up by what the socket brings."""

    def __init__(self, who):
        self.viewer = viewer(who)
        self.clocks = {}

    def apply(self, event):
        for removed, element in PART.findall(render_live(event, self.viewer.role)):
            if removed:
                self.clocks.pop(removed, None)
            else:
                self.clocks[re.search(r'id="([^"]+)"', element)[1]] = element

    def fresh(self):
        context = {
            "role": self.viewer.role.value,
            "campaign": self.viewer.campaign,
            "actions": "campaigns/_clock_actions.html",
        }
        drawn = [render_to_string("campaigns/_clock.html", context | {"clock": c}) for c in clocks_of(self.viewer)]
        return [PART.search(element)[2] for element in drawn]

    def kept(self):
        return sorted(self.clocks.values(), key=lambda element: int(re.search(r'data-order="(\d+)"', element)[1]))


def operations(cast, make, tick):
    """Do every operation on clocks, one after the other, and yield after each."""
    gm = cast.gm.member
    yield (first := make("First", 4, owner="crew"))
    yield (hidden := make("Hidden", 4, visibility=SECRET))
    yield make("Known", 3, visibility=KNOWN)
    yield (second := make("Second", 2, owner=f"member:{cast.player.member.pk}"))
    yield make("Next", 4, kind=ClockKind.LINKED, after=first)
    yield (pair := make("Escape", 4, kind=ClockKind.RACING, rival=Rival("The watch", 6)))
    yield tick(pair.rival, 6)
    yield tick(pair, 4)
    yield tick(hidden, 2)
    yield tick(first, 4)
    yield tick(first, -1)
    known = first.campaign.clocks.get(name="Known")
    yield tick(known, 2)
    yield tick(known, 1)
    yield tick(known, -1)
    yield clocks.move_clock(gm, known, up=True, key=uuid4())
    yield clocks.move_clock(gm, second, up=True, key=uuid4())
    yield change(cast, hidden, visibility=VISIBLE)
    yield change(cast, first, visibility=KNOWN)
    yield change(cast, pair.rival, visibility=SECRET)
    yield clocks.archive_clock(gm, second, key=uuid4())
    yield clocks.restore_clock(gm, second, key=uuid4())


def test_live_equals_reload_for_every_operation_and_role(cast, make, tick):
    pages = [Page(who) for who in (cast.gm, cast.player, cast.spectator)]
    last = Event.objects.latest("pk").pk
    for _ in operations(cast, make, tick):
        events = list(Event.objects.filter(pk__gt=last).order_by("pk").with_related())
        for page in pages:
            for event in events:
                if page.viewer.streams is None or event.stream.name in page.viewer.streams:
                    page.apply(event)
            assert page.kept() == page.fresh(), f"after {events[-1].kind} for the {page.viewer.role}"
        last = events[-1].pk
    assert all(page.clocks for page in pages)


def test_a_clock_is_ticked_by_those_whose_it_is_and_hidden_from_the_others(cast, make):
    member = cast.player.member.pk
    make("Mine", 4, owner=f"member:{member}")
    event = Event.objects.latest("pk")
    assert f'data-member="{member}" hidden' in render_live(event, Role.PLAYER)
    assert "<form" not in render_live(event, Role.SPECTATOR)
    assert "<form" in render_live(event, Role.GM) and "data-member" not in render_live(event, Role.GM)


def line(who):
    """Return the text of the last line that a person sees."""
    event = [
        e
        for e in Event.objects.order_by("pk").with_related()
        if viewer(who).streams is None or e.stream.name in viewer(who).streams
    ][-1]
    return " ".join(re.sub(r"<[^>]+>", " ", render_line(event, viewer(who).role)).split())


def test_lines_say_what_happened(cast, make, tick):
    clock = make("Dawn", 4, kind=ClockKind.MISSION, owner="crew")
    assert "added the clock “Dawn” (0 of 4, mission timer, the crew)." in line(cast.player)
    tick(clock, 1, reason="A bell.", by=cast.player)
    assert "Mo ticked “Dawn”: from 0 to 1 of 4. A bell." in line(cast.player)
    tick(clock, 3)
    assert "“Dawn” filled up: the time is up." in line(cast.player)
    pair = make("Escape", 4, kind=ClockKind.RACING, rival=Rival("The watch", 6))
    tick(pair, 4)
    assert "“Escape” filled up. It was ahead of “The watch” (0 of 6)." in line(cast.player)
    tick(pair.rival, 6)
    assert "“The watch” filled up. “Escape” is full as well: both happen." in line(cast.player)
    change(cast, pair.rival, name="The guard")
    assert "changed the clock “The watch”" in line(cast.player) and "to “The guard”" in line(cast.player)


def test_lines_of_what_is_hidden_say_who_sees_them(cast, make, tick):
    hidden, known = make("The betrayal", 4, visibility=SECRET), make("Rumours", 4, visibility=KNOWN)
    tick(hidden)
    assert line(cast.gm).startswith("Gm ticked “The betrayal”: from 0 to 1 of 4. Only the GM sees it.")
    tick(known, 4)
    assert "from 0 to 4 of 4. Only the GM sees its progress. “Rumours” filled up." in line(cast.gm)
    assert line(cast.player).startswith("“Rumours” filled up.")


def test_a_reason_cannot_write_html(cast, make, tick):
    tick(make("<b>Dawn</b>", 4), 1, reason="<script>alert(1)</script>")
    event = Event.objects.with_related().latest("pk")
    assert "<script" not in render_live(event, Role.PLAYER) and "<b>" not in render_live(event, Role.PLAYER)
