"""`python -m bench.drive.rows make NAME TABLES PEOPLE` fills the database of the settings with tables at which things can be
done; `… heads` tells where their streams stand, `… read` what the log holds, and whether all that follows from it is as it
says. All print JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import django

CLOCKS = 2
SEGMENTS = 12
SAYS: dict[str, str] = {
    "campaigns.said": "words",
    "rolls.roll_made": "note",
    "characters.field_changed": "after",
    "campaigns.clock_ticked": "reason",
}
"""Where payloads hold text that people typed, by kind: the key used in the operation."""


def make(name: str, people: int) -> dict[str, Any]:
    """Return a table as bench/live_rows.py makes it, with a character by each rules for each player, and clocks; `people` are
    [{session, token, role, member, character, characters, is_away}], `watch` is the spectator link's token and `heads` the
    positions of its streams.
    """
    from bench import live_rows
    from bench.drive.procedures import SYSTEMS
    from campaigns.models import Campaign, Membership
    from campaigns.services.campaigns import start_watching, watch_token
    from campaigns.services.members import api_token, make_token

    table = live_rows.make(name, people, 1, SYSTEMS)
    campaign = Campaign.objects.get(slug=table["slug"])
    members = list(Membership.objects.filter(campaign=campaign).order_by("pk"))
    kept = {role: iter(keys) for role, keys in table["sessions"].items()}
    here = [{"session": next(kept[member.role]), "role": str(member.role), "member": member.pk} for member in members]
    for person, member in zip(here, members, strict=True):
        person["characters"] = [_character(member, system) for system in SYSTEMS] if member.role == "player" else []
        person["character"] = next(iter(person["characters"]), None)
        person["is_away"] = False
        make_token(member, "bench", writes=True, days=None, key=(key := uuid4()))
        person["token"] = api_token(key)
    [*_, away] = (person for person in here if person["role"] == "player")
    away["is_away"] = True
    start_watching(members[0], key=(watching := uuid4()))
    clocks = [_clock(members[0], number) for number in range(CLOCKS)]
    return {"slug": campaign.slug, "people": here, "clocks": clocks, "watch": watch_token(watching)} | {
        "heads": _heads(campaign)
    }


def _character(member: Any, system: str) -> str:
    from characters.services.cards import Card, make_character

    hero = Card(f"Hero {member.pk} ({system})", owner=member)
    return str(make_character(member, hero, system=system, key=uuid4()).pk)


def _clock(gm: Any, number: int) -> str:
    from campaigns.services.clocks import Draft, make_clock

    draft = Draft(f"Clock {number}", SEGMENTS)
    return str(make_clock(gm, draft, filled=SEGMENTS // 2, key=uuid4()).pk)


def _heads(campaign: Any) -> dict[str, int]:
    from campaigns.models import Stream

    return dict(Stream.objects.filter(campaign=campaign).values_list("name", "seq"))


def read() -> dict[str, Any]:
    """Return the log as the checker wants it, who was removed by which number of the table's stream, and what does not fit."""
    from campaigns.models import Campaign, Event

    events = Event.objects.order_by("id").select_related("stored", "stream", "campaign")
    rows, removed = [], []
    for event in events.iterator(chunk_size=1000):
        rows.append([event.campaign.slug, event.stream.name, event.seq, event.hash, _operation(event)])
        if event.kind == "campaigns.member_removed":
            removed.append([event.payload["who"]["member"], event.seq])
    wrong = [f"{campaign.slug}: {text}" for campaign in Campaign.objects.all() for text in _wrong(campaign)]
    return {"rows": rows, "removed": dict(removed), "wrong": wrong}


def _operation(event: Any) -> str:
    typed = str(event.payload.get(SAYS[event.kind], "")) if event.kind in SAYS else ""
    # What stood at the table before the run says something else.
    return typed if len(typed) == 32 and " " not in typed else ""


def _wrong(campaign: Any) -> Iterator[str]:
    """Yield the faults of a campaign. Current seeds are revealed first, so that all dice can be computed again."""
    from rolls.queries.checking import faults

    _reveal(campaign)
    yield from faults(campaign)


def _reveal(campaign: Any) -> None:
    from campaigns.models import Membership, Role
    from campaigns.services import play

    gm = Membership.objects.active().filter(campaign=campaign, role=Role.GM).select_related("campaign", "user").first()
    if gm is not None and campaign.sessions.filter(ended_at=None).exists():
        play.end_session(gm, key=uuid4())


if __name__ == "__main__":
    django.setup()
    from django.conf import settings

    settings.RATE_LIMIT = 10**9  # to do so much takes an evening
    if sys.argv[1] == "make":
        name, tables, people = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
        print(json.dumps([make(f"{name}-{number}", people) for number in range(tables)]))
    elif sys.argv[1] == "heads":
        from campaigns.models import Campaign

        print(json.dumps({one.slug: _heads(one) for one in Campaign.objects.all()}))
    else:
        print(json.dumps(read()))
