"""The first page: a person's campaigns and what others did there, in as many queries for twenty as for one; and what waits."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from html import unescape
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import F, OuterRef, Q, Subquery
from django.urls import reverse
from django.utils.text import Truncator

from campaigns import rulesets
from campaigns.events import HANDOUT_CHANGED, MEMBER_JOINED, RECAP_PUBLISHED
from campaigns.kinds import Topic, kind_of
from campaigns.live.presence import at_tables_now
from campaigns.live.render import render_body, to_text
from campaigns.models import Campaign, Event, GameSession, Invitation, Membership, Recap, Role, SessionDate, Viewer
from campaigns.queries.dates import dates_table, unanswered
from campaigns.queries.play import dates_set, next_of
from campaigns.templatetags.look import to_html
from campaigns.waiting import Pending, Wait
from characters.models import Character
from characters.queries.ledger import open_claims
from people.models import User
from rolls.queries.procedures import open_procedures
from rolls.queries.requests import open_requests
from rolls.registry import rules_of
from scale.models import Burn
from scale.queries.scale import open_offers
from world.events import PAGE_NOTED, PAGE_WRITTEN
from world.models import unlinked

# Everything that waits for a person at a table, and the GM's checklist before the first session.
#
# What waits is one list, in the order in which it began (campaigns/waiting.py). Procedures and requests that the page lists come
# with their own; the others are read here. A source tells a viewer only what their streams have, so that live equals reload.
# Rulesets and the Scale have sources of their own (rolls/ruleset.py, `waiting`).


def waiting(viewer: Viewer, *listed: Iterable[Mapping[str, Any]]) -> list[Pending]:
    """Return everything at this table that waits for someone. `listed` is what the page already shows: procedures and
    requests, each with its `waiting`.
    """
    claims = open_claims(viewer) if viewer.is_gm else []
    described = [one["waiting"] for those in (*listed, claims) for one in those]
    by_rules = [one for rules in rules_of(viewer.campaign) for one in rules.waiting(viewer)]
    return sorted((one for one in (*described, *by_rules) if one.waits), key=lambda one: (one.order, one.id))


def checklist(viewer: Viewer) -> dict[str, bool] | None:
    """Return {"people", "characters", "session"}: which first steps are done.

    None once all are, from the second session on, and for everyone but GMs who can act. A step stays done: nobody is
    asked again to invite people because one has left.
    """
    campaign = viewer.campaign
    if not viewer.is_gm or viewer.is_read_only or campaign.archived_at:
        return None
    sessions = GameSession.objects.filter(campaign=campaign)[:2].count()
    if sessions > 1:
        return None
    invited = Invitation.objects.filter(campaign=campaign).exists()
    done = {
        "people": invited or Membership.objects.filter(campaign=campaign).exclude(pk=viewer.by.pk).exists(),
        "characters": Character.objects.filter(campaign=campaign).exists(),
        "session": sessions > 0,
    }
    return None if all(done.values()) else done


@dataclass
class CampaignCard:
    """A campaign on a member's first page. `here` is how many people are at the table now, `session` the open one, `ended` the
    newest one while none is, `next` the next date that is set, `recap` the newest published one, `faces` the portraits
    (Character.portrait) of those who are played, with their names and owners, and `keeps` the addresses of what is good to have
    without a network: the newest session and the reader's sheets.
    """

    viewer: Viewer
    active_at: datetime
    here: int = 0
    session: GameSession | None = None
    ended: GameSession | None = None
    recap: Recap | None = None
    faces: list[dict[str, Any]] = field(default_factory=list)
    next: SessionDate | None = None

    @property
    def campaign(self) -> Campaign:
        return self.viewer.campaign

    @property
    def games(self) -> str:
        """Return the short names of the campaign's rulesets."""
        return ", ".join(rulesets.short_of(name) for name in self.campaign.systems)

    @property
    def mine(self) -> list[dict[str, Any]]:
        """Return the faces of the characters that the reader plays."""
        return [face for face in self.faces if face["owner"] == self.viewer.by.pk]

    @property
    def keeps(self) -> list[str]:
        newest = self.session or self.ended
        pages = [reverse("session", args=[self.campaign.slug, newest.number])] if newest else []
        return pages + [reverse("character", args=[self.campaign.slug, face["character"]]) for face in self.mine]

    def face_of(self, owner: int) -> dict[str, Any] | None:
        """Return the face of a member's first character, by name."""
        return next((face for face in self.faces if face["owner"] == owner), None)


def campaign_cards(user: User) -> list[CampaignCard]:
    """Return the cards of a user's campaigns, first the one with the newest event that they may see."""
    members = list(Membership.objects.active().select_related("campaign").filter(user=user))
    ids = [member.campaign_id for member in members]
    moments, here, sessions, recaps = _moments(ids), at_tables_now(ids), _newest_sessions(ids), _recaps(ids)
    faces, dates = _faces(ids), dates_set(ids)
    cards = []
    for member in members:
        viewer, pk = Viewer(member.campaign, member, Role(member.role)), member.campaign_id
        seen = (at for stream, at in moments[pk] if viewer.streams is None or stream in viewer.streams)
        newest = sessions.get(pk)
        session, ended = (None, newest) if newest and newest.ended_at else (newest, None)
        cards.append(
            CampaignCard(
                viewer,
                max(seen, default=member.joined_at),
                here=len(here[pk]["people"]),
                session=session,
                ended=ended,
                recap=recaps.get(pk),
                faces=faces[pk],
                next=next_of(dates[pk], session),
            )
        )
    return sorted(cards, key=lambda card: card.active_at, reverse=True)


def leading(cards: Sequence[CampaignCard]) -> CampaignCard | None:
    """Return the card that leads the page: of the table that plays now, else of the one that meets next, else the first."""
    meeting = sorted(
        (card for card in cards if card.next), key=lambda card: card.next.at if card.next else card.active_at
    )
    return next((card for card in cards if card.session), next(iter([*meeting, *cards]), None))


def answers_to(card: CampaignCard) -> dict[str, Any]:
    """Return who comes to the next date of a card: `given`, (member, answer, their face or None), and `mine`, or "" for none."""
    columns = dates_table(card.viewer)["columns"] if card.next else []
    column = next((one for one in columns if one.date == card.next), None)
    if column is None:
        return {"given": [], "mine": ""}
    given = [(member, answer, card.face_of(member.pk)) for member, answer in column.answers.items()]
    return {"given": given, "mine": column.mine}


def _moments(ids: Collection[UUID]) -> dict[UUID, list[tuple[str, datetime]]]:
    """Return the newest event's time of each stream by campaign: [(stream, time)]."""
    heads = Event.objects.filter(stream__campaign__in=ids, seq=F("stream__seq"))
    by_campaign = defaultdict(list)
    for campaign, stream, at in heads.values_list("stream__campaign", "stream__name", "at"):
        by_campaign[campaign].append((stream, at))
    return by_campaign


# What others did since the reader was last at a table.


BESIDE = (Topic.PLAY, Topic.TABLE, Topic.SHEET)
"""Topics of what is no play by post."""

TOLD = (PAGE_WRITTEN, PAGE_NOTED, RECAP_PUBLISHED, MEMBER_JOINED)
"""Kinds of these topics that are told all the same."""

SIGNS = {PAGE_WRITTEN: "book-open", PAGE_NOTED: "book-open", RECAP_PUBLISHED: "scroll-text", HANDOUT_CHANGED: "image"}
SIGNS_OF_TOPICS: dict[str, str] = {Topic.ROLL: "dices", Topic.CLOCK: "clock", Topic.TABLE: "user-round"}

MOST_NEWS = 5
LOOKED_AT = 60
"""Events that are looked through for those that have a line."""

WORDS_QUOTED = 18

_OWN_LINK = re.compile(r'href="(/c/[^"]*)"')


@dataclass(frozen=True)
class News:
    """What somebody did: in `words`, with what was said or written as the `quote`, and where it can be read."""

    card: CampaignCard
    event: Event
    words: str
    quote: str
    url: str

    @property
    def sign(self) -> str:
        kind = kind_of(self.event.kind)
        return SIGNS.get(kind) or SIGNS_OF_TOPICS.get(kind.topic, "message-circle")

    @property
    def portrait(self) -> dict[str, Any] | None:
        """Return the face of who speaks, rolls, or is written about, where it is one of the card's."""
        payload = self.event.payload
        about = {payload[name]["id"] for name in ("voice", "character", "page") if isinstance(payload.get(name), dict)}
        return next((face for face in self.card.faces if str(face["character"]) in {*map(str, about)}), None)


def news_for(cards: Iterable[CampaignCard]) -> list[News]:
    """Return what others did between the sessions since the reader was last at each of these tables, newest first, as far as they
    may know of it. All that stands on one card of the log is one.
    """
    away = {card.campaign.pk: card for card in cards if not card.session}
    events = Event.objects.filter(reduce(or_, map(_since, away.values()), Q(pk__in=())))
    events = events.exclude(~Q(kind__in=TOLD), index__topic__in=BESIDE).with_related().order_by("-pk")
    found: dict[object, News] = {}
    for event in events[:LOOKED_AT]:
        card = away[event.campaign_id]
        event.campaign = card.campaign
        one = event.card or event.uid
        if one not in found and event.is_readable and (body := render_body(event, card.viewer.role)):
            found[one] = _told(card, event, body)
        if len(found) == MOST_NEWS:
            break
    return [*found.values()]


def _since(card: CampaignCard) -> Q:
    """Return the condition for what others have done since the last session and the viewer's last visit."""
    viewer, last = card.viewer, card.ended
    since = last_seen(card)
    since = max(since, last.ended_at) if last and last.ended_at else since
    events = Q(campaign=viewer.campaign, at__gt=since, session=None, parent=None) & ~Q(actor=viewer.by)
    return events if viewer.streams is None else events & Q(stream__name__in=viewer.streams)


def last_seen(card: CampaignCard) -> datetime:
    """Return when the reader was last at the table of a card."""
    return card.viewer.by.here_at or card.viewer.by.joined_at


def _told(card: CampaignCard, event: Event, body: str) -> News:
    words, _line, rest = to_text(body).partition("\n")
    payload = event.payload
    if event.kind == PAGE_WRITTEN and payload["new"]:
        rest = to_text(to_html(unlinked(payload["note"][payload["new"][0]])))
    elif event.kind == RECAP_PUBLISHED:
        # It stands on the page.
        rest = ""
    link = _OWN_LINK.search(body) if event.kind in SIGNS else None
    url = (
        unescape(link[1]) if link else f"{reverse('log_event', args=[card.campaign.slug, event.uid])}#event-{event.uid}"
    )
    return News(card, event, words, Truncator(" ".join(rest.split())).words(WORDS_QUOTED), url)


def _newest_sessions(ids: Collection[UUID]) -> dict[UUID, GameSession]:
    newest = GameSession.objects.filter(campaign=OuterRef("pk")).order_by("-number")
    last = Campaign.objects.filter(pk__in=ids).annotate(newest=Subquery(newest.values("pk")[:1])).values("newest")
    return {session.campaign_id: session for session in GameSession.objects.filter(pk__in=last)}


def _recaps(ids: Collection[UUID]) -> dict[UUID, Recap]:
    """Return the newest that all may read, of each campaign that has one."""
    published = Recap.objects.exclude(words="").filter(session__campaign=OuterRef("pk")).order_by("-session__number")
    newest = Campaign.objects.filter(pk__in=ids).annotate(newest=Subquery(published.values("pk")[:1])).values("newest")
    recaps: Iterable[Recap] = Recap.objects.filter(pk__in=newest).select_related("session")
    return {recap.session.campaign_id: recap for recap in recaps}


def _faces(ids: Collection[UUID]) -> dict[UUID, list[dict[str, Any]]]:
    """Return the played characters of each campaign, by name; everyone at a table sees their cards."""
    played = Character.objects.active().filter(campaign__in=ids, is_crew=False).exclude(owner=None)
    by_campaign = defaultdict(list)
    for character in played.select_related("campaign", "owner__user").order_by("name", "id"):
        by_campaign[character.campaign_id].append(
            character.portrait() | {"name": character.name, "owner": character.owner_id}
        )
    return by_campaign


def seats_of(campaign: Campaign) -> list[dict[str, Any]]:
    """Return a campaign's members as strangers see them, without names: {"colour", "face"}, the portrait of a character whom
    they play, or None. Pictures of their own are for members alone: the initial stands for one.
    """
    faces = {face["owner"]: face | {"url": ""} for face in _faces([campaign.pk])[campaign.pk]}
    here = Membership.objects.active().filter(campaign=campaign).select_related("user")
    return [{"colour": member.colour, "face": faces.get(member.pk)} for member in here]


MOST_TABLES = 6
"""The most campaigns that are searched for what waits there, beside dates."""


MOST_DATES = 6
"""The most dates to answer, the next ones; their page has all."""


@dataclass(frozen=True)
class Awaited:
    """A task of one person in one of their campaigns: what is `pending` there, and what they `wait` for. Of a Burn on offer it
    has the `offer`, of a character that somebody plays the `portrait`."""

    campaign: Campaign
    pending: Pending
    wait: Wait
    offer: Mapping[str, Any] | None
    portrait: Mapping[str, Any] | None


def waiting_for(user: User, shown: UUID | None = None) -> dict[str, Any]:
    """Return a user's open tasks in the campaigns where they play: `waiting`, of those joined last first, and the `dates` to
    answer by campaign, but for the one that is `shown` beside. Archived ones have none."""
    mine = Membership.objects.active().select_related("campaign").filter(user=user, campaign__archived_at=None)
    playing = mine.exclude(role=Role.SPECTATOR).order_by("-pk")
    asked: dict[Campaign, list[SessionDate]] = defaultdict(list)
    for member, date in [one for one in unanswered(playing) if one[1].pk != shown][:MOST_DATES]:
        asked[member.campaign].append(date)
    tables = list(playing[:MOST_TABLES])
    faces = _faces([member.campaign_id for member in tables])
    waiting = [one for member in tables for one in _waiting_at(member, faces[member.campaign_id])]
    return {"waiting": waiting, "dates": list(asked.items())}


def _waiting_at(member: Membership, faces: Iterable[Mapping[str, Any]]) -> Iterable[Awaited]:
    viewer = Viewer(member.campaign, member, Role(member.role))
    offers = {offer["waiting"].id: offer for offer in open_offers(viewer) if offer["state"] == Burn.State.OFFERED}
    face_of = {str(face["character"]): face for face in faces}
    for pending, wait in waits_of(viewer, viewer):
        offer = offers.get(pending.id)
        whose = offer["character"]["id"] if offer else wait.character
        yield Awaited(member.campaign, pending, wait, offer, face_of.get(str(whose)))


def waits_of(reader: Viewer, viewer: Viewer) -> Iterable[tuple[Pending, Wait]]:
    """Yield what waits for a viewer, as far as the `reader` knows of it."""
    for pending in waiting(reader, open_requests(reader), open_procedures(reader)):
        for wait in pending.waits:
            if viewer.by.number in wait.members or (viewer.is_gm and not wait.members):
                yield pending, wait
