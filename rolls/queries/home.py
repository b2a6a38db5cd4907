"""The first page's cards of a person's campaigns, in as many queries for twenty as for one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Count, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse

from campaigns import rulesets
from campaigns.kinds import Topic
from campaigns.live.presence import at_tables_now
from campaigns.models import Campaign, Event, GameSession, Invitation, Membership, Recap, Role, SessionDate, Viewer
from campaigns.queries.dates import unanswered
from campaigns.queries.play import dates_set, next_of
from campaigns.waiting import Pending, Wait
from characters.models import Character
from characters.queries.ledger import open_claims
from people.models import User
from rolls.queries.procedures import open_procedures
from rolls.queries.requests import open_requests
from rolls.registry import rules_of

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


FACES = 6
"""The most portraits in one line of a card."""


@dataclass
class CampaignCard:
    """A campaign on a member's first page. `faces` are portraits (Character.portrait) with names, `here` is how many
    people are at the table now, `session` the open one, `ended` the newest one while none is, `next` the next date that is set,
    `recap` the newest published one, `new` how many entries came since the reader's last visit while none is open,
    `mine` the names of the reader's characters there, `keeps` the addresses of what is good to have without a network: the newest
    session and their sheets.
    """

    campaign: Campaign
    role: Role
    active_at: datetime
    here: int = 0
    session: GameSession | None = None
    ended: GameSession | None = None
    recap: Recap | None = None
    faces: list[dict[str, Any]] = field(default_factory=list)
    more_faces: int = 0
    mine: list[str] = field(default_factory=list)
    keeps: list[str] = field(default_factory=list)
    next: SessionDate | None = None
    new: int = 0

    @property
    def games(self) -> str:
        """Return the short names of the campaign's rulesets."""
        return ", ".join(rulesets.short_of(name) for name in self.campaign.systems)


def campaign_cards(user: User) -> list[CampaignCard]:
    """Return the cards of a user's campaigns, first the one with the newest event that they may see."""
    members = list(Membership.objects.active().select_related("campaign").filter(user=user))
    ids = [member.campaign_id for member in members]
    moments, here, sessions, recaps = _moments(ids), at_tables_now(ids), _newest_sessions(ids), _recaps(ids)
    faces, dates = _faces(ids), dates_set(ids)
    cards, away = [], {}
    for member in members:
        campaign, pk = member.campaign, member.campaign_id
        viewer = Viewer(campaign, member, Role(member.role))
        seen = (at for stream, at in moments[pk] if viewer.streams is None or stream in viewer.streams)
        card = CampaignCard(campaign, viewer.role, max(seen, default=member.joined_at), len(here[pk]["people"]))
        newest, card.recap = sessions.get(pk), recaps.get(pk)
        card.session, card.ended = (None, newest) if newest and newest.ended_at else (newest, None)
        card.next = next_of(dates[pk], card.session)
        mine = [face for face in faces[pk] if face["owner"] == member.pk]
        card.mine = [face["name"] for face in mine]
        card.keeps = [reverse("session", args=[campaign.slug, newest.number])] if newest else []
        card.keeps += [reverse("character", args=[campaign.slug, face["character"]]) for face in mine]
        card.faces, card.more_faces = faces[pk][:FACES], len(faces[pk][FACES:])
        cards.append(card)
        if not card.session:
            away[pk] = _since(viewer, newest)
    new = _counted(away.values())
    for card in cards:
        card.new = new.get(card.campaign.pk, 0)
    return sorted(cards, key=lambda card: card.active_at, reverse=True)


def _moments(ids: Collection[UUID]) -> dict[UUID, list[tuple[str, datetime]]]:
    """Return the newest event's time of each stream by campaign: [(stream, time)]."""
    heads = Event.objects.filter(stream__campaign__in=ids, seq=F("stream__seq"))
    by_campaign = defaultdict(list)
    for campaign, stream, at in heads.values_list("stream__campaign", "stream__name", "at"):
        by_campaign[campaign].append((stream, at))
    return by_campaign


BESIDE = (Topic.PLAY, Topic.TABLE, Topic.SHEET)
"""Topics of what is no play by post."""


def _since(viewer: Viewer, last: GameSession | None) -> Q:
    """Return the condition for what others have played since the last session and the viewer's last visit."""
    me = viewer.by
    since = me.here_at or me.joined_at
    since = max(since, last.ended_at) if last and last.ended_at else since
    events = Q(campaign=viewer.campaign, at__gt=since, session=None, parent=None) & ~Q(actor=me)
    return events if viewer.streams is None else events & Q(stream__name__in=viewer.streams)


def _counted(conditions: Iterable[Q]) -> dict[UUID, int]:
    """Return the numbers of lines by campaign. All that stands on one card is one, and what is in several streams, too."""
    events = Event.objects.filter(reduce(or_, conditions, Q(pk__in=()))).exclude(index__topic__in=BESIDE)
    return dict(events.values_list("campaign").annotate(lines=Count(Coalesce("index__card", "uid"), distinct=True)))


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
    """A task of one person in one of their campaigns: `words` say what to do, `title` what it belongs to. Or it is a `date` to
    answer."""

    campaign: Campaign
    words: str = ""
    title: str = ""
    date: SessionDate | None = None


def waiting_for(user: User) -> list[Awaited]:
    """Return a user's open tasks in the campaigns where they play: dates to answer, then others, of those joined last first.
    Archived ones have none."""
    mine = Membership.objects.active().select_related("campaign").filter(user=user, campaign__archived_at=None)
    playing = mine.exclude(role=Role.SPECTATOR).order_by("-pk")
    dates = [Awaited(member.campaign, date=date) for member, date in unanswered(playing)]
    return [*dates[:MOST_DATES], *(pending for member in playing[:MOST_TABLES] for pending in _waiting_at(member))]


def _waiting_at(member: Membership) -> Iterable[Awaited]:
    viewer = Viewer(member.campaign, member, Role(member.role))
    for pending, wait in waits_of(viewer, viewer):
        yield Awaited(member.campaign, wait.own or wait.words, pending.title)


def waits_of(reader: Viewer, viewer: Viewer) -> Iterable[tuple[Pending, Wait]]:
    """Yield what waits for a viewer, as far as the `reader` knows of it."""
    for pending in waiting(reader, open_requests(reader), open_procedures(reader)):
        for wait in pending.waits:
            if viewer.by.pk in wait.members or (viewer.is_gm and not wait.members):
                yield pending, wait
