"""Admission of sockets: those that ask at about the same time are looked up together, so that a thousand reconnecting
at once cost a few queries and not some for each.

Requests during a lookup form the next batch: a single socket waits for nothing, and a crowd waits here, where nobody is
cut for being silent.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, NamedTuple, Protocol, TypeAlias

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from campaigns.access import Claim, viewers_by_link, viewers_of
from campaigns.live.campaign_feed import CampaignFeed
from campaigns.live.socket_writer import GONE, RESEATED
from campaigns.models import ApiToken, Campaign, Membership, Viewer
from people.sessions import going_on, live


class Bearer(NamedTuple):
    """A program that comes with a token, by the token's hash."""

    hash: str


class Link(NamedTuple):
    """A page that only uses the spectator link, whoever is signed in in its browser: the overlay of a stream. By the
    hash of the link's token.
    """

    hash: str


Credential: TypeAlias = str | Bearer | Link | None
"""A client's credential: the key of a browser's session, a token, the spectator link, or nothing."""


def find_viewers(asked: Sequence[tuple[str, Credential]]) -> list[Viewer | None]:
    """Return the viewers of these (slug, credential) as pages and routes would find them; None for those who do not belong there.

    However many ask, that is one query for sessions, one for tokens, one for links and one for members. Two more are for those
    who look on without being members: one for the campaigns, and one for the accounts of those among them who have one.
    """
    by_session = iter(_by_session([(slug, held) for slug, held in asked if not isinstance(held, (Bearer, Link))]))
    tokens = _good(held for _, held in asked)
    by_link = viewers_by_link(held.hash for _, held in asked if isinstance(held, Link))

    def found(held: Credential) -> Viewer | None:
        if isinstance(held, Bearer):
            return tokens[held].viewer if held in tokens else None
        return by_link.get(held.hash) if isinstance(held, Link) else next(by_session)

    viewers = [(slug, found(held)) for slug, held in asked]
    return [viewer if viewer and viewer.campaign.slug == slug else None for slug, viewer in viewers]


def _good(credentials: Iterable[Credential]) -> dict[Bearer, ApiToken]:
    """Return the valid tokens among these credentials."""
    hashes = {held.hash for held in credentials if isinstance(held, Bearer)}
    tokens = ApiToken.objects.good(timezone.now()).with_members().filter(hash__in=hashes) if hashes else ()
    return {Bearer(token.hash): token for token in tokens}


def _by_session(asked: Sequence[tuple[str, str | None]]) -> list[Viewer | None]:
    if not asked:
        return []
    sessions = live(key for _, key in asked if key)
    claims = [_claim(slug, sessions.get(key or "", {})) for slug, key in asked]
    viewers = viewers_of(claims)
    users = _users(claims, viewers)
    nobody = []
    for place, claim in enumerate(claims):
        if claim.user_id is None or viewers[place] is None:
            continue
        user = users.get(claim.user_id)
        if user is None or not user.is_active:
            nobody.append(place)
        elif not _is_proven(user, claim.session):
            viewers[place] = None
    # A deactivated person counts as nobody, which a link may have made of them.
    for place in nobody:
        (viewers[place],) = viewers_of([claims[place]._replace(user_id=None)])
    return viewers


def _claim(slug: str, session: dict[str, Any]) -> Claim:
    signed_in = SESSION_KEY in session and session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
    return Claim(get_user_model()._meta.pk.to_python(session[SESSION_KEY]) if signed_in else None, session, slug)


def _users(claims: Sequence[Claim], viewers: Sequence[Viewer | None]) -> dict[int | None, Any]:
    """Return the accounts of those who have a viewer."""
    members = [viewer.real or viewer.membership for viewer in viewers if viewer]
    users: dict[int | None, Any] = {member.user_id: member.user for member in members if member}
    others = {claim.user_id for claim, viewer in zip(claims, viewers, strict=True) if viewer} - {None, *users}
    return users | (get_user_model().objects.in_bulk(others) if others else {})


def _is_proven(user: Any, session: dict[str, Any]) -> bool:
    """Return whether the session's sign-in was made with the user's current password."""
    proof = session.get(HASH_SESSION_KEY, "")
    hashes = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    return any(constant_time_compare(proof, known) for known in hashes)


def lost_viewers(viewers: Iterable[tuple[Viewer, Credential]]) -> dict[int, int]:
    """Return which of these (viewer, credential) pairs are no longer valid: their positions, each with the code to close
    the socket with.

    GONE: removed, signed out, or switched off, with a token that was revoked or expired, or without the spectator link
    or sample table they came by. RESEATED: in another role or with another password, so the page has to be loaded again.
    """
    sockets = list(viewers)
    sessions = going_on(key for _, key in sockets if isinstance(key, str) and key)
    tokens = _good(credential for _, credential in sockets)
    people = {member.pk for viewer, _ in sockets for member in _members(viewer)}
    here = Membership.objects.active().filter(pk__in=people)
    now = {pk: (role, password) for pk, role, password in here.values_list("pk", "role", "user__password")}
    switched_off = set(here.filter(user__is_active=False).values_list("pk", flat=True))
    watching = {viewer.campaign.pk for viewer, _ in sockets if not _members(viewer)}
    doors = {
        pk: door for pk, *door in Campaign.objects.filter(pk__in=watching).values_list("pk", "watch_hash", "is_sample")
    }
    gone = {}
    for position, (viewer, key) in enumerate(sockets):
        signed_out = key not in tokens if isinstance(key, Bearer) else isinstance(key, str) and key not in sessions
        unlinked = not _members(viewer) and _is_shut(viewer.campaign, *doors.get(viewer.campaign.pk, ("", False)))
        # A GM may see the campaign as someone who cannot sign in.
        shut_out = any(member.pk in switched_off for member in _members(viewer)[-1:])
        if signed_out or unlinked or shut_out or any(member.pk not in now for member in _members(viewer)):
            gone[position] = GONE
        elif any(now[member.pk] != (member.role, member.user and member.user.password) for member in _members(viewer)):
            gone[position] = RESEATED
    return gone


def _is_shut(seen: Campaign, watch_hash: str, is_sample: bool) -> bool:
    """Return whether viewers who are not members may watch no more. `seen` is the campaign as it was when they were admitted.

    Those who came by the link to a former sample table are cut off too, and admitted again when they load the page.
    """
    return not is_sample and (seen.is_sample or watch_hash != seen.watch_hash)


def _members(viewer: Viewer) -> list[Membership]:
    """Return the viewer's membership and, last, the GM's own in a preview; [] for those who only watch."""
    return [member for member in (viewer.membership, viewer.real) if member]


AT_ONCE = 200
"""The most in one batch: in a larger one the first of a thousand would wait as long as the last."""


class Applicant(Protocol):
    """A socket that asks to follow a campaign: its slug, its credential, and its page's position."""

    slug: str
    credential: Credential
    since: Mapping[str, int]

    def admit(self, feed: CampaignFeed, head: int, viewer: Viewer) -> None:
        """Admit the applicant. `head` is the feed's head *before* the viewer was looked up (see SocketWriter)."""


Entering = Callable[[set[str]], AbstractAsyncContextManager[Mapping[str, CampaignFeed]]]
Entry = tuple[Applicant, asyncio.Future[None]]


class AdmissionQueue:
    """`entering` gives the feeds of those of these slugs that are campaigns, and keeps them for as long as it is entered."""

    def __init__(self, entering: Entering) -> None:
        self._entering = entering
        self._waiting: deque[Entry] = deque()
        self._working: asyncio.Task[None] | None = None

    async def ask(self, applicant: Applicant) -> None:
        """Wait until it was admitted, or was found not to belong there. Raises what the database raises."""
        answered = asyncio.get_running_loop().create_future()
        self._waiting.append((applicant, answered))
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        await answered

    def close(self) -> None:
        if self._working:
            self._working.cancel()

    async def _work(self) -> None:
        try:
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
                if waiting := [applied for applied in batch if not applied[1].done()]:
                    await self._answer(waiting)
        finally:
            self._working = None

    async def _answer(self, batch: Sequence[Entry]) -> None:
        try:
            await self._admit(batch)
        except Exception as error:
            for _, answered in batch:
                if not answered.done():
                    answered.set_exception(error)

    async def _admit(self, batch: Sequence[Entry]) -> None:
        async with self._entering({applicant.slug for applicant, _ in batch}) as feeds:
            for applicant, _ in batch:
                feed = feeds.get(applicant.slug)
                # A page that was drawn a moment ago may know more than a feed that waits for its notification.
                if feed and feed.is_behind(applicant.since):
                    await feed.pull()
            heads, viewers = await _looked_up(feeds, batch)
            for (applicant, answered), viewer in zip(batch, viewers, strict=True):
                # A client that has gone no longer waits.
                if answered.done():
                    continue
                if viewer and applicant.slug in feeds:
                    applicant.admit(feeds[applicant.slug], heads[applicant.slug], viewer)
                answered.set_result(None)


async def _looked_up(
    feeds: Mapping[str, CampaignFeed], batch: Sequence[Entry]
) -> tuple[dict[str, int], list[Viewer | None]]:
    """Return the heads of these feeds, and the viewers as looked up after reading them.

    Both are read again if somebody lost access in the meantime.
    """
    while True:
        stood = {slug: (feed.head, feed.doors) for slug, feed in feeds.items()}
        viewers = await _viewers([(applicant.slug, applicant.credential) for applicant, _ in batch])
        if all(feeds[slug].doors == doors for slug, (_, doors) in stood.items()):
            return {slug: head for slug, (head, _) in stood.items()}, viewers


@database_sync_to_async
def _viewers(asked: Sequence[tuple[str, Credential]]) -> list[Viewer | None]:
    return find_viewers(asked)
