"""What the tests of clocks share: what was told, and what somebody sees."""

from uuid import uuid4

from campaigns.models import Clock, ClockKind, ClockVisibility, Event
from campaigns.queries.clocks import clocks_of
from campaigns.services import clocks
from campaigns.services.clocks import Draft, clock_version
from tests.cast import viewer

KNOWN, SECRET, VISIBLE = ClockVisibility.KNOWN, ClockVisibility.SECRET, ClockVisibility.VISIBLE


def told(cast, stream="table", what=None):
    """Return the payloads of a stream's clock events, oldest first."""
    events = Event.objects.filter(campaign=cast.campaign, stream__name=stream, kind__startswith="campaigns.clock")
    found = events.order_by("seq").select_related("stored")
    return [event.payload for event in found if what is None or event.kind == f"campaigns.{what}"]


def seen(who):
    """Return the name and progress of each clock on a person's panel."""
    return [(clock["name"], clock["filled"]) for clock in clocks_of(viewer(who))]


def change(cast, clock, **other):
    found = Clock.objects.get(pk=clock.pk)
    said = {
        "name": found.name,
        "segments": found.segments,
        "kind": ClockKind(found.kind),
        "visibility": ClockVisibility(found.visibility),
    }
    draft = Draft(**(said | {"after": found.after} | other))
    return clocks.change_clock(cast.gm.member, found, draft, expected=clock_version(found), key=uuid4())
