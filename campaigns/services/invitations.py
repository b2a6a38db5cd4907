"""Links that let people in, and coming in by one."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.access import link_token, token_hash
from campaigns.chain import fingerprint
from campaigns.errors import Blocked, Gone, Invalid, NotFound, existing
from campaigns.events import INVITATION_MADE, INVITATION_REVOKED, MEMBER_JOINED
from campaigns.models import Invitation, Membership, Role
from campaigns.models.log import Subject, person
from campaigns.models.members import GM
from campaigns.services.idempotency import run_once, unless_used_elsewhere
from campaigns.services.log import UnitOfWork, begin, locked, service, writable
from languages.text import gettext_lazy
from people.models import User

MOST_DAYS = 365
MOST_USES = 1000

UNKNOWN = gettext_lazy("This isn’t an invitation. Check that you copied the whole link.")
USED_UP = gettext_lazy(
    "This invitation no longer works: it expired, was used up or was revoked. Ask the GM for a new one."
)
CAME_BEFORE = gettext_lazy("This invitation is from before you left. Ask the GM for a new one.")


def invitation_token(key: UUID) -> str:
    """Return the token of the invitation made under `key`."""
    return link_token("invitation", key)


@service(Role.GM, brought=True)
def invite(work: UnitOfWork, role: Role, *, days: int | None, uses: int | None, key: UUID) -> Invitation:
    """Make an invitation for 1 to 365 days and 1 to 1000 people; None is unlimited.

    Its link ends in `invitation_token(key)`, which is not stored. Raises Invalid for roles other than spectator in an
    imported archive.
    """
    if work.campaign.imported_at and role != Role.SPECTATOR:
        raise Invalid(_("In an imported archive, everyone is a spectator."), field="role")
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise Invalid(_("An invitation lasts 1 to {most} days.").format(most=MOST_DAYS), field="days")
    if uses is not None and not 1 <= uses <= MOST_USES:
        raise Invalid(_("Choose 1 to {most} uses.").format(most=MOST_USES), field="uses")
    made = Invitation.objects.create(
        pk=key,
        campaign=work.campaign,
        token_hash=token_hash(invitation_token(key)),
        role=Role(role),
        made_by=work.by,
        made_at=work.now,
        expires_at=work.now + timedelta(days=days) if days else None,
        uses_left=uses,
    )
    payload = {"role": made.role, "days": days, "uses": uses}
    work.record(INVITATION_MADE, payload, stream=GM, subjects=[_subject_of(made)])
    return made


@service(Role.GM, brought=True)
def revoke_invitation(work: UnitOfWork, invitation: Invitation, *, key: UUID) -> Invitation:
    """Withdraw an invitation. Withdrawing it again changes nothing; raises NotFound for one of another campaign."""
    current = existing(Invitation.objects.filter(campaign=work.campaign, pk=invitation.pk).first())
    _revoke(work, current)
    return current


def revoke_all_of(work: UnitOfWork, member: Membership) -> None:
    """Revoke, inside an operation, the invitations of a member who is no longer a GM, or they could readmit themselves."""
    for made in Invitation.objects.filter(campaign=work.campaign, made_by=member, revoked_at=None):
        if made.is_good(work.now):
            _revoke(work, made)


def _revoke(work: UnitOfWork, invitation: Invitation) -> None:
    if invitation.revoked_at is None:
        invitation.revoked_at = work.now
        invitation.save(update_fields=["revoked_at"])
        payload = {"role": invitation.role, "made_by": person(invitation.made_by)}
        work.record(INVITATION_REVOKED, payload, stream=GM, subjects=[_subject_of(invitation)])


def open_invitation(token: str, user: User | None) -> Invitation:
    """Return the invitation of a link, to be shown to a user (None: not signed in) who is not a member.

    Raises NotFound if there is none, Gone if it no longer works or not for this person, and Blocked if the campaign is
    archived.
    """
    invitation = _by_token(token)
    writable(invitation.campaign, brought=True)
    earlier = Membership.objects.filter(campaign=invitation.campaign, user=user).first() if user else None
    _must_let_in(invitation, earlier, timezone.now())
    return invitation


def join(user: User, token: str, *, key: UUID) -> Membership:
    """Make the user a member by an invitation; one who had left gets their old membership back.

    Raises what `open_invitation` does, and Blocked for a current member. Who gets the last use is decided under the
    campaign's lock.
    """
    invitation = _by_token(token)

    def attempt() -> Membership:
        with locked(invitation.campaign) as campaign:
            earlier = Membership.objects.filter(campaign=campaign, user=user).first()
            work = begin(campaign, earlier or Membership.objects.newcomer(campaign, user), key)
            return run_once(work, fingerprint("join", invitation), lambda: _sit_down(work, invitation))

    return unless_used_elsewhere(key, attempt)


def _sit_down(work: UnitOfWork, invitation: Invitation) -> Membership:
    invitation.refresh_from_db()
    writable(work.campaign, brought=True)
    member = work.by
    if member.pk and member.left_at is None:
        raise Blocked(_("You’re already in this campaign, as {role}.").format(role=Role(member.role).phrase))
    _must_let_in(invitation, member, work.now)
    member.role, member.joined_at, member.left_at = invitation.role, work.now, None
    member.tell_apart()
    member.save()
    if invitation.uses_left is not None:
        invitation.uses_left -= 1
        invitation.save(update_fields=["uses_left"])
    work.record(MEMBER_JOINED, {"who": person(member), "role": member.role})
    return member


def _by_token(token: str) -> Invitation:
    invitation = (
        Invitation.objects.select_related("campaign", "made_by__user").filter(token_hash=token_hash(token)).first()
    )
    if invitation is None:
        raise NotFound(UNKNOWN)
    return invitation


def _must_let_in(invitation: Invitation, earlier: Membership | None, now: datetime) -> None:
    if not invitation.is_good(now):
        raise Gone(USED_UP)
    # Removed members still have the old links.
    if earlier and earlier.left_at and earlier.left_at >= invitation.made_at:
        raise Gone(CAME_BEFORE)


def _subject_of(invitation: Invitation) -> Subject:
    return Subject(f"invitation:{invitation.pk}", invitation.role)
