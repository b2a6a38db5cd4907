"""A campaign itself: made, changed, archived, reopened, and shown to those who come by the spectator link."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth import SESSION_KEY, get_user_model
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F
from django.db.models.signals import post_save, pre_delete
from django.utils.text import slugify
from django.utils.translation import gettext as _

from campaigns import chain, rulesets
from campaigns.access import WATCHING, link_token, token_hash
from campaigns.chain import fingerprint
from campaigns.errors import Blocked, Invalid
from campaigns.events import (
    CAMPAIGN_ARCHIVED,
    CAMPAIGN_CHANGED,
    CAMPAIGN_MADE,
    CAMPAIGN_REOPENED,
    LOG_RESTORED,
    SAMPLE_CHANGED,
    WATCHING_CHANGED,
)
from campaigns.live import notifications
from campaigns.models import Campaign, Event, Membership, Role
from campaigns.models.log import Subject
from campaigns.models.members import GM
from campaigns.queries.log_lines import restored_key
from campaigns.services.idempotency import USED_KEY, run_once, unless_used_elsewhere
from campaigns.services.log import UnitOfWork, begin, compare_and_set, locked, service, version
from people.models import User

PROOFS = frozenset({"password", "is_active"})
"""Fields of an account that end its sessions when they change."""
NAMES = frozenset({"username", "display_name"})
"""Fields of an account that its name is of."""


def shut(campaigns: Iterable[UUID]) -> None:
    """Count up the `doors` of these campaigns, because somebody lost access to them."""
    with transaction.atomic():
        # In one order, so that two who sign out at once do not wait for each other.
        for campaign in sorted(set(campaigns)):
            Campaign.objects.filter(pk=campaign).update(doors=F("doors") + 1)
            notifications.send(campaign)


def _session_ends(sender: Any, instance: Session, **more: Any) -> None:
    """Count up the `doors` of the campaigns of a person who signs out, or is signed out."""
    session = instance.get_decoded()
    watched = {UUID(campaign) for campaign in session.get(WATCHING, {})}
    shut(watched | (_tables_of(session[SESSION_KEY]) if SESSION_KEY in session else set()))


def _account_changed(
    sender: Any, instance: Any, created: bool, update_fields: Iterable[str] | None, **more: Any
) -> None:
    """Shut the doors of an account that may have another password, or be switched off. Tell it apart from others at its tables,
    as it may have another name."""
    if created:
        return
    if update_fields is None or not PROOFS.isdisjoint(update_fields):
        shut(_tables_of(instance.pk))
    if update_fields is None or not NAMES.isdisjoint(update_fields):
        for member in Membership.objects.active().filter(user=instance).select_related("user"):
            member.tell_apart()
            member.save(update_fields=["alike"])


def _tables_of(user: Any) -> set[UUID]:
    return set(Membership.objects.active().filter(user=user).values_list("campaign", flat=True))


def watch_accounts() -> None:
    """Count up the `doors` of campaigns when a person signs out, or may not sign in any more as they have."""
    pre_delete.connect(_session_ends, sender=Session, dispatch_uid="doors")
    post_save.connect(_account_changed, sender=get_user_model(), dispatch_uid="doors")


# /c/new/ is a page.
NOT_A_SLUG = "new"
SLUG_LENGTH = 60


def create_campaign(user: User, *, name: str, pitch: str = "", systems: Sequence[str], key: UUID) -> Campaign:
    """Make a campaign whose first GM is `user`. Its address comes from its name, with a number where that is taken.

    As with every operation, the same key gives the first answer again; raises Invalid where it was used for something else.
    """
    chosen = _known(systems)
    content = fingerprint("create_campaign", name, pitch, chosen)

    def attempt() -> Campaign:
        with transaction.atomic(), locked(laid_out(name, pitch, chosen, key)) as campaign:
            founder = Membership.objects.filter(campaign=campaign, user=user).first()
            work = begin(campaign, founder or Membership(campaign=campaign, user=user, role=Role.GM), key)
            return run_once(work, content, lambda: _found(work))

    return unless_used_elsewhere(key, attempt)


def _known(systems: Sequence[str], kept: Sequence[str] = ()) -> list[str]:
    """Return names of rulesets without duplicates. Raises Invalid for one that is not installed, unless the campaign
    already has it.
    """
    if unknown := [name for name in rulesets.missing(systems) if name not in kept]:
        raise Invalid(_("No rules called “{name}” are installed here.").format(name=unknown[0][:40]), field="systems")
    return list(dict.fromkeys(systems))


def laid_out(name: str, pitch: str, systems: list[str], key: UUID) -> Campaign:
    """Return the campaign with this id, made now if it is not there.

    The insert gives way to one with the same id or address, so that two at once can neither make two nor end in an error.
    """
    for slug in slugs(name):
        campaign = Campaign(pk=key, slug=slug, name=name, pitch=pitch, systems=systems)
        Campaign.objects.bulk_create([campaign], ignore_conflicts=True)
        if Campaign.objects.filter(pk=key).exists():
            return campaign
    raise AssertionError("addresses never run out")


def slugs(name: str) -> Iterator[str]:
    """Yield free addresses for a name, the plainest first."""
    base = slugify(name)[:SLUG_LENGTH].strip("-") or "campaign"
    taken = set(Campaign.objects.filter(slug__startswith=base).values_list("slug", flat=True)) | {NOT_A_SLUG}
    numbered = (f"{base}-{number}" for number in itertools.count(2))
    return (slug for slug in itertools.chain([base], numbered) if slug not in taken)


def _found(work: UnitOfWork) -> Campaign:
    if Membership.objects.filter(campaign=work.campaign).exists():
        # It was imported under its own id, which its players know.
        raise Invalid(USED_KEY, field="key")
    work.by.joined_at = work.now
    work.by.save()
    work.record(CAMPAIGN_MADE, work.campaign.payload(), subjects=[campaign_subject(work.campaign)])
    return work.campaign


def campaign_subject(campaign: Campaign) -> Subject:
    """Return the campaign as the subject of an event."""
    return Subject(f"campaign:{campaign.pk}", campaign.name)


def campaign_version(campaign: Campaign) -> str:
    """Return the `expected` of `edit_campaign`."""
    return version(campaign.payload())


@service(Role.GM)
def edit_campaign(
    work: UnitOfWork, *, name: str, pitch: str, systems: Sequence[str], expected: str, key: UUID
) -> Campaign:
    """Change the campaign's name, pitch and rulesets; its address stays. Raises Conflict if it is not what `expected`
    was made of.
    """
    campaign = work.campaign
    before = campaign.payload()
    compare_and_set(campaign, campaign_subject(campaign), expected=expected, current=before)
    campaign.name, campaign.pitch = name, pitch
    campaign.systems = _known(systems, kept=campaign.systems)
    if campaign.payload() != before:
        campaign.save(update_fields=["name", "pitch", "systems"])
        work.record(
            CAMPAIGN_CHANGED, {"before": before, "after": campaign.payload()}, subjects=[campaign_subject(campaign)]
        )
    return campaign


@service(Role.GM)
def archive_campaign(work: UnitOfWork, *, key: UUID) -> Campaign:
    """Put the campaign away: everything stays readable, nothing can be done there until it is reopened."""
    work.campaign.archived_at, work.campaign.is_paused = work.now, False
    work.campaign.save(update_fields=["archived_at", "is_paused"])
    work.record(CAMPAIGN_ARCHIVED, {}, subjects=[campaign_subject(work.campaign)])
    return work.campaign


@service(Role.GM, archived=True)
def reopen_campaign(work: UnitOfWork, *, key: UUID) -> Campaign:
    """Open an archived campaign again. Raises Blocked if it is not archived, or was imported: then only its log is here."""
    if work.campaign.archived_at is None:
        raise Blocked(_("{campaign} isn’t archived.").format(campaign=work.campaign.name))
    if work.campaign.imported_at:
        message = _("{campaign} is an archive from another server. You can read it here, but not play it.")
        raise Blocked(message.format(campaign=work.campaign.name))
    work.campaign.archived_at = None
    work.campaign.save(update_fields=["archived_at"])
    work.record(CAMPAIGN_REOPENED, {}, subjects=[campaign_subject(work.campaign)])
    return work.campaign


def watch_token(key: UUID) -> str:
    """Return the token of the spectator link that was switched on under `key`."""
    return link_token("watch", key)


@service(Role.GM)
def start_watching(work: UnitOfWork, *, key: UUID) -> Campaign:
    """Switch a new spectator link on, which is the only one from now on."""
    return _watch(work, token_hash(watch_token(key)))


@service(Role.GM, archived=True)
def stop_watching(work: UnitOfWork, *, key: UUID) -> Campaign:
    """Switch the spectator link off. Those who came by it see nothing more."""
    return _watch(work, "")


def _watch(work: UnitOfWork, watch_hash: str) -> Campaign:
    if work.campaign.watch_hash != watch_hash:
        if work.campaign.watch_hash:
            shut([work.campaign.pk])
        work.campaign.watch_hash = watch_hash
        work.campaign.save(update_fields=["watch_hash"])
        work.record(WATCHING_CHANGED, {"on": bool(watch_hash)}, stream=GM, subjects=[campaign_subject(work.campaign)])
    return work.campaign


def mark(work: UnitOfWork, last_id: int | None = None) -> Event:
    """Record that the log goes on from a backup, whose last event has this id: by default the last that there is."""
    kept = Event.objects.filter(campaign=work.campaign).before(last_id and last_id + 1)
    last = kept.values_list("at", flat=True).first()
    payload = {"upto": chain.moment(last) if last else ""}
    return work.record(LOG_RESTORED, payload, subjects=[Subject(restored_key(work.campaign), work.campaign.name)])


def somebody(campaign: Campaign) -> Membership:
    """Return the member in whose name the server acts in a campaign: its longest-standing GM, or a former one if none is left."""
    gms = Membership.objects.select_related("user", "campaign").filter(campaign=campaign, role=Role.GM)
    gm = gms.order_by("left_at", "pk").filter(left_at=None).first() or gms.order_by("pk").first()
    assert gm is not None, f"{campaign} has never had a GM"  # noqa: S101  # create_campaign makes one
    return gm


def sample() -> Campaign | None:
    """Return the campaign that is the sample now."""
    return Campaign.objects.filter(is_sample=True).first()


def show_as_sample(campaign: Campaign | None) -> None:
    """Make this campaign the sample, and no other; None: there is none any more. Its people read so in their log."""
    now = sample()
    if now and now != campaign:
        _show(now, on=False)
    if campaign:
        _show(campaign, on=True)


def _show(campaign: Campaign, *, on: bool) -> None:
    with locked(campaign) as locked_campaign:
        if locked_campaign.is_sample == on:
            return
        locked_campaign.is_sample = on
        locked_campaign.save(update_fields=["is_sample"])
        if not on:
            shut([locked_campaign.pk])
        work = begin(locked_campaign, somebody(locked_campaign), uuid4())
        work.record(SAMPLE_CHANGED, {"on": on}, subjects=[campaign_subject(locked_campaign)])
