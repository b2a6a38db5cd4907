"""What a campaign keeps of its sessions: pins by players and GMs, recaps kept and published."""

from __future__ import annotations

from uuid import uuid4

from campaigns.models import Event, GameSession, Membership
from campaigns.services import log_entries as moments
from campaigns.services import play
from tests.canaries import canary


def keep_moments(gm: Membership, mo: Membership) -> None:
    """Moments that all saw are pinned, and some that only a few did."""
    said = Event.objects.filter(campaign=gm.campaign_id, kind="campaigns.said").order_by("pk")
    for event in said:
        if event.stream.name in ("table", mo.stream):
            moments.pin(mo, event.uid, key=uuid4())
        else:
            moments.pin(gm, event.uid, key=uuid4())
    moments.unpin(gm, said[0].uid, key=uuid4())
    hidden = Event.objects.filter(campaign=gm.campaign_id, stream__name="gm").exclude(session=None)[0]
    moments.pin(gm, hidden.uid, key=uuid4())
    for session in GameSession.objects.filter(campaign=gm.campaign_id):
        _write(gm, session, canary("gm", "draft"), publish=False)
    first = GameSession.objects.get(campaign=gm.campaign_id, number=1)
    _write(gm, first, "They *found* the door.", publish=True)
    _write(gm, first, canary("gm", "later"), publish=False)


def _write(gm: Membership, session: GameSession, words: str, *, publish: bool) -> None:
    seen = play.recap_version(play.recap_of(session))
    play.write_recap(gm, session, words, publish=publish, expected=seen, key=uuid4())
