"""`python -m bench.live_rows NAME TABLES PEOPLE EVENTS`: fill the database of the settings with tables; prints them as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import django

ROLES = ("gm", "player", "player", "player", "spectator")


def make(name: str, people: int, events: int, systems: Sequence[str] = ("storyteller",)) -> dict[str, Any]:
    """Return a new table in its first session, where something was said `events` times; its people have the ROLES in turn."""
    from campaigns.models import Membership, Role
    from campaigns.services import play
    from campaigns.services.campaigns import create_campaign
    from campaigns.services.members import invitation_token, invite, join

    users = _users(name, people)
    campaign = create_campaign(users[0], name=name, systems=[*systems], key=uuid4())
    gm = Membership.objects.select_related("campaign", "user").get(campaign=campaign)
    roles = [ROLES[place % len(ROLES)] for place in range(people)]
    # When members sit down, or the log would not know them.
    tokens = {}
    for role in dict.fromkeys(roles[1:]):
        invite(gm, Role(role), days=None, uses=None, key=(invitation := uuid4()))
        tokens[role] = invitation_token(invitation)
    for user, role in zip(users[1:], roles[1:], strict=True):
        join(user, tokens[role], key=uuid4())
    play.start_session(gm, "", key=uuid4())
    for event in range(events):
        play.say(gm, f"Words of event {event}, of about the length of a line at a table.", key=uuid4())
    sessions: dict[str, list[str]] = {role: [] for role in dict.fromkeys(ROLES)}
    for role, key in zip(roles, _sessions(users), strict=True):
        sessions[role].append(key)
    return {"slug": campaign.slug, "sessions": sessions, "heads": _heads(campaign), "tokens": _tokens(campaign)}


def _users(prefix: str, count: int) -> list[Any]:
    from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX

    from people.models import User

    users = [User(username=f"{prefix}-{number}", password=UNUSABLE_PASSWORD_PREFIX) for number in range(count)]
    return User.objects.bulk_create(users)


def _sessions(users: list[Any]) -> list[str]:
    """Return the keys of a session for each user, as signing in makes them."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.contrib.sessions.models import Session
    from django.utils import timezone

    rows = []
    for user in users:
        store = SessionStore()
        store._session_key = store._get_new_session_key()
        content = {
            SESSION_KEY: str(user.pk),
            BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
            HASH_SESSION_KEY: user.get_session_auth_hash(),
        }
        ends = timezone.now() + timezone.timedelta(days=1)
        rows.append(Session(session_key=store.session_key, session_data=store.encode(content), expire_date=ends))
    Session.objects.bulk_create(rows)
    return [row.session_key for row in rows]


def _tokens(campaign: Any) -> list[str]:
    """Return a reading token of each member."""
    from django.utils import timezone

    from campaigns.access import token_hash
    from campaigns.models import ApiToken, Membership
    from campaigns.services.members import api_token

    made = {api_token(uuid4()): member for member in Membership.objects.filter(campaign=campaign)}
    now = timezone.now()
    ApiToken.objects.bulk_create(
        ApiToken(membership=member, name="bench", hash=token_hash(token), begins=token[: ApiToken.BEGINS], made_at=now)
        for token, member in made.items()
    )
    return [*made]


def _heads(campaign: Any) -> dict[str, dict[str, int]]:
    """Return the heads of the streams that each role sees, except members' own, which have no whispers."""
    from campaigns.models import Stream

    heads = dict(Stream.objects.filter(campaign=campaign).values_list("name", "seq"))
    table = {"table": heads["table"]}
    return {"gm": heads, "player": table, "spectator": table}


if __name__ == "__main__":
    django.setup()
    from django.conf import settings

    settings.RATE_LIMIT = 10**9  # to say so much takes an evening
    tables, people, events = map(int, sys.argv[2:])
    print(json.dumps([make(f"{sys.argv[1]}-{number}", people, events) for number in range(tables)]))
