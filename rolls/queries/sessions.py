"""The summary of a session, as one viewer may see it: the same for its page and, as a spectator, for its recap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from campaigns.events import CLOCK_TICKED, SAID
from campaigns.models import Event, GameSession, Membership, Role, Scene, Viewer
from campaigns.models.log import filed_in
from campaigns.models.play import UNWRITTEN
from campaigns.queries.play import pinned
from characters.events import XP_AWARDED
from scale.queries.history import recap


@dataclass(frozen=True)
class Told:
    """A session. `who` acted in it; `filled` and `awards` are what events say (Event.described)."""

    session: GameSession
    who: Sequence[Membership]
    scenes: Sequence[Scene]
    filled: Sequence[Mapping[str, Any]]
    awards: Sequence[Mapping[str, Any]]
    moments: Sequence[Event]

    @property
    def quotes(self) -> list[Event]:
        """Return the pinned moments in which someone speaks."""
        return [event for event in self.moments if event.kind == SAID and event.is_readable]


def told(viewer: Viewer, session: GameSession) -> Told:
    """Return everything about a session that this viewer may see. The number of queries is constant."""
    seen = filed_in(Event.objects.seen_by(viewer), session)
    known = (
        seen.deduplicated(viewer).filter(kind__in=(CLOCK_TICKED, XP_AWARDED)).select_related("stored").order_by("pk")
    )
    events = [(event.kind, event.described) for event in known if event.is_readable]
    return Told(
        session=session,
        who=list(
            Membership.objects.filter(pk__in=seen.values("actor")).select_related("user").order_by("joined_at", "pk")
        ),
        scenes=list(session.scenes.all()),
        filled=_filled([payload for kind, payload in events if kind == CLOCK_TICKED]),
        awards=[payload for kind, payload in events if kind == XP_AWARDED],
        moments=pinned(viewer, session),
    )


def missed(viewer: Viewer, session: GameSession) -> int:
    """Return how many events of a session happened since this member's last visit; 0 if that is unknown."""
    member = viewer.membership
    if member is None or viewer.is_read_only or member.last_visit is None:
        return 0
    events = filed_in(Event.objects.seen_by(viewer).deduplicated(viewer), session).filter(at__gt=member.last_visit)
    return events.count()


def _filled(ticks: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the clocks that were full at the end. If players do not see the ticks, a later event only says it is no
    longer full.
    """
    full: dict[str, Mapping[str, Any]] = {}
    for payload in ticks:
        name, by = payload["clock"]["id"], payload.get("ticks")
        if payload["full"]:
            full[name] = payload
        elif by is None or by < 0:
            full.pop(name, None)
    return list(full.values())


def recap_draft(viewer: Viewer, session: GameSession) -> str:
    """Return a recap in Markdown, from what everyone may see, whoever asks: it is meant to be published."""
    everybody = Viewer(viewer.campaign, None, Role.SPECTATOR)
    known = told(everybody, session)
    parts = [_part(heading, lines) for heading, lines in _headings(everybody, known) if lines]
    players = [member.name for member in known.who if member.role == Role.PLAYER]
    return "\n\n".join([_who_played(players), *parts])


def _headings(viewer: Viewer, known: Told) -> Iterator[tuple[str, list[str]]]:
    for scene in known.scenes:
        yield str(scene), [_(UNWRITTEN)]
    yield from recap(viewer, known.session)
    yield _("Filled clocks"), [f"- {payload['clock']['name']}" for payload in known.filled]
    quotes = (event.payload for event in known.quotes if event.payload["words"])
    yield _("Quotes"), [f"> {_one_line(said['words'])}\n> — {_speaker(said)}\n" for said in quotes]
    yield (
        _("Experience"),
        [
            "- {}: {amount} {unit}, {label}".format(payload["character"]["name"], **payload["entry"])
            for payload in known.awards
        ],
    )


def _part(heading: str, lines: list[str]) -> str:
    return "\n".join([f"**{heading}**", "", *lines])


def _speaker(payload: dict[str, Any]) -> str:
    return payload["voice"]["name"] if payload["voice"] else payload["by"]["name"]


def _one_line(words: str) -> str:
    return " ".join(words.split())


def _who_played(names: list[str]) -> str:
    if not names:
        return _("*No one played.*")
    if len(names) == 1:
        return _("*{name} played.*").format(name=names[0])
    return _("*{names} and {last} played.*").format(names=", ".join(names[:-1]), last=names[-1])
