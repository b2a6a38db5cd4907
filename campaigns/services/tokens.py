"""Tokens of the API: made and revoked by their member; a GM may revoke anyone's."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.access import link_token, token_hash
from campaigns.errors import Invalid, existing
from campaigns.models import ApiToken, Membership, Role
from campaigns.models.tokens import ApiTokenQuerySet
from campaigns.services.campaigns import shut
from campaigns.services.log import UnitOfWork, service
from database.fullness import write_unless_full

MOST_DAYS = 365
MOST_TOKENS = 20
"""The most tokens that one member may have."""

PREFIX = "afterburn_"
"""The beginning of every token, so that people and secret scanners recognise one."""

ENDED_KEPT = timedelta(days=90)
"""The time for which an ended token is still known, so that people can see what it was."""

NOTED_EVERY = timedelta(minutes=1)


def api_token(key: UUID) -> str:
    """Return the token that was made under `key`."""
    return PREFIX + link_token("api_token", key)


@service(Role.SPECTATOR, archived=True)
def make_token(work: UnitOfWork, name: str, *, writes: bool, days: int | None, key: UUID) -> ApiToken:
    """Make a token that is valid for 1 to 365 days, None without limit; without `writes` it only reads.

    It is `api_token(key)`, which is not stored. Raises Invalid for too long a time, and for too many tokens.
    """
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise Invalid(_("A token lasts 1 to {most} days.").format(most=MOST_DAYS), field="days")
    if tokens_of(work.by).count() >= MOST_TOKENS:
        message = _("You have {most} tokens here. Revoke one that you don’t use any more.")
        raise Invalid(message.format(most=MOST_TOKENS))
    token = api_token(work.key)
    return ApiToken.objects.create(
        pk=work.key,
        membership=work.by,
        name=name,
        hash=token_hash(token),
        begins=token[: ApiToken.BEGINS],
        writes=writes,
        made_at=work.now,
        expires_at=work.now + timedelta(days=days) if days else None,
    )


@service(Role.SPECTATOR, archived=True)
def revoke_token(work: UnitOfWork, token_id: UUID, *, key: UUID) -> ApiToken:
    """Revoke a token, and cut the connections that use it. Revoking it again changes nothing; raises NotFound for
    another member's, unless a GM asks.
    """
    tokens = ApiToken.objects.filter(membership__campaign=work.campaign, pk=token_id)
    token = existing((tokens if work.by.is_gm else tokens.filter(membership=work.by)).first())
    if token.revoked_at is None:
        token.revoked_at = work.now
        token.save(update_fields=["revoked_at"])
        shut([work.campaign.pk])
    return token


def tokens_of(member: Membership) -> ApiTokenQuerySet:
    """Return a member's valid tokens, newest first."""
    return ApiToken.objects.good(timezone.now()).filter(membership=member)


def forget_ended() -> int:
    """Delete tokens that ended more than `ENDED_KEPT` ago. Return how many there were."""
    return ApiToken.objects.ended_before(timezone.now() - ENDED_KEPT).delete()[0]


def note_use(token: ApiToken) -> None:
    """Write down that a token was used now, once a minute at the most."""
    now = timezone.now()
    if token.used_at is None or now - token.used_at > NOTED_EVERY:
        write_unless_full("that a token was used", lambda: ApiToken.objects.filter(pk=token.pk).update(used_at=now))
