"""Change who sits at the table: roles, leaving, being removed, handing over, and going for good."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from campaigns.access import link_token, token_hash
from campaigns.chain import fingerprint
from campaigns.errors import Blocked, Conflict, Gone, Invalid, NotFound, existing
from campaigns.events import (
    INVITATION_MADE,
    INVITATION_REVOKED,
    MEMBER_JOINED,
    MEMBER_LEFT,
    MEMBER_REMOVED,
    ROLE_CHANGED,
)
from campaigns.models import ApiToken, Boundaries, Invitation, Membership, Role, Viewer
from campaigns.models.log import Subject, person
from campaigns.models.members import FORMER, GM, ApiTokenQuerySet
from campaigns.services.campaigns import shut
from campaigns.services.erasing import forget
from campaigns.services.idempotency import run_once, unless_used_elsewhere
from campaigns.services.log import UnitOfWork, begin, locked, service, writable
from database.fullness import write_unless_full
from languages.text import gettext_lazy
from people.models import User

# Links that let people in, and coming in by one.


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
def invite(
    work: UnitOfWork, role: Role, *, days: int | None, uses: int | None, seat: Membership | None = None, key: UUID
) -> Invitation:
    """Make an invitation for 1 to 365 days and 1 to 1000 people; None is unlimited. With a `seat` that nobody has claimed yet it
    is for whoever that was, with the role of then.

    Its link ends in `invitation_token(key)`, which is not stored. Raises Invalid for roles other than spectator in an
    imported archive, NotFound for a seat that is not free.
    """
    if seat is not None:
        seat = existing(Membership.objects.unclaimed().filter(campaign=work.campaign, pk=seat.pk).first())
        role, uses = Role(seat.role), 1
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
        seat=seat,
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
            free = Membership.objects.unclaimed().filter(pk=invitation.seat_id).first() if invitation.seat_id else None
            work = begin(campaign, earlier or free or Membership.objects.newcomer(campaign, user), key)
            return run_once(work, fingerprint("join", invitation), lambda: _come_in(work, invitation, user))

    return unless_used_elsewhere(key, attempt)


def _come_in(work: UnitOfWork, invitation: Invitation, user: User) -> Membership:
    invitation.refresh_from_db()
    writable(work.campaign, brought=True)
    member = work.by
    if member.user_id and member.pk and member.left_at is None:
        raise Blocked(_("You’re already in this campaign, as {role}.").format(role=Role(member.role).phrase))
    if invitation.seat_id != (None if member.user_id else member.pk):
        raise Gone(USED_UP)
    _must_let_in(invitation, member, work.now)
    if invitation.uses_left is not None:
        invitation.uses_left -= 1
        invitation.save(update_fields=["uses_left"])
    role = Role(invitation.role if member.user_id else member.role)
    member.user = user
    return sit_down(work, role)


def sit_down(work: UnitOfWork, role: Role) -> Membership:
    """Seat whoever acts, who has an account, in this role."""
    member = work.by
    member.role, member.joined_at, member.left_at, member.called = role, work.now, None, ""
    member.tell_apart()
    member.save()
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


LAST_GM = gettext_lazy("A campaign needs a GM. Make someone else a GM first.")


@service(Role.GM)
def change_role(work: UnitOfWork, member: Membership, role: Role, *, expected: Role, key: UUID) -> Membership:
    """Give a member another role. `expected` is their role when this was decided; raises Conflict if it has changed,
    NotFound for a person who is not here, Invalid if no GM would be left.
    """
    seated = _seated(work, member)
    if seated.role != expected:
        message = _("{name} is now {role}. Choose again.").format(name=seated.name, role=Role(seated.role).phrase)
        raise Conflict(message, current=seated.role, field="role")
    if seated.role != role:
        _give_role(work, seated, role)
    return seated


@service(Role.GM, brought=True)
def remove_member(work: UnitOfWork, member: Membership, *, key: UUID) -> Membership:
    """Remove a member. What they said and rolled stays. Raises Invalid for oneself, who leaves instead."""
    seated = _seated(work, member)
    if seated.pk == work.by.pk:
        raise Invalid(_("You can’t remove yourself. Leave the campaign instead."))
    _stand_up(work, seated)
    work.record(MEMBER_REMOVED, {"who": person(seated)})
    return seated


@service(Role.SPECTATOR, archived=True)
def leave(work: UnitOfWork, *, key: UUID) -> Membership:
    """Leave the table. Raises Invalid for the last GM."""
    _keep_a_gm(without=work.by)
    _stand_up(work, work.by)
    work.record(MEMBER_LEFT, {"who": person(work.by)})
    return work.by


@service(Role.GM)
def hand_over(work: UnitOfWork, member: Membership, *, key: UUID) -> Membership:
    """Make another member a GM and become a player, in one operation. Raises NotFound for a person who is not here."""
    heir = _seated(work, member)
    if heir.pk == work.by.pk:
        raise Invalid(_("You’re already a GM. Choose someone else."))
    if not heir.is_gm:
        _give_role(work, heir, Role.GM)
    _give_role(work, work.by, Role.PLAYER)
    return heir


def delete_account(user: User) -> None:
    """Delete an account. Logs stay readable: they call this person "a former player" from then on.

    Raises Invalid, and changes nothing, while the person is the last GM of a campaign that is not archived.
    """
    with transaction.atomic():
        # The user first, so that the account cannot join a campaign while it is deleted; then the campaigns, in a fixed
        # order to avoid deadlocks.
        user = User.objects.select_for_update().get(pk=user.pk)
        members = list(Membership.objects.filter(user=user).select_related("campaign").order_by("campaign_id"))
        needed = []
        for member in members:
            with locked(member.campaign) as campaign:
                member.refresh_from_db()
                if campaign.archived_at is None and _is_last_gm(member):
                    needed.append(campaign.name)
                else:
                    _vanish(begin(campaign, member, uuid4()))
        if needed:
            message = _(
                "You’re the only GM of {campaigns}. Make someone else the GM or archive the campaign first. "
                "Your account wasn’t changed."
            )
            raise Invalid(message.format(campaigns=get_text_list(needed, _("and"))))
        user.delete()


def _vanish(work: UnitOfWork) -> None:
    if work.by.left_at is None:
        _stand_up(work, work.by)
        work.record(MEMBER_LEFT, {"who": person(work.by)})
    forget(work.by, FORMER)
    Boundaries.objects.filter(member=work.by).delete()


def _seated(work: UnitOfWork, member: Membership) -> Membership:
    here = Membership.objects.active().select_related("user")
    return existing(here.filter(campaign=work.campaign, pk=member.pk).first())


def _give_role(work: UnitOfWork, member: Membership, role: Role) -> None:
    before = member.role
    if before == Role.GM:
        _keep_a_gm(without=member)
        revoke_all_of(work, member)
    member.role = role
    member.save(update_fields=["role"])
    work.record(ROLE_CHANGED, {"who": person(member), "role": str(role), "before": before})


def _stand_up(work: UnitOfWork, member: Membership) -> None:
    member.left_at = work.now
    member.save(update_fields=["left_at"])
    revoke_all_of(work, member)


def _keep_a_gm(without: Membership) -> None:
    if _is_last_gm(without):
        raise Invalid(LAST_GM, field="role")


def _is_last_gm(member: Membership) -> bool:
    if member.left_at is not None or not member.is_gm:
        return False
    gms = Membership.objects.active().filter(campaign=member.campaign_id, role=Role.GM).exclude(user=None)
    return not gms.exclude(pk=member.pk).exists()


AWAY = timedelta(hours=1)
"""Whoever was not seen for so long was away."""

ENOUGH = timedelta(minutes=1)
"""The shortest time between two updates of a member's last presence."""


def is_first(viewer: Viewer) -> bool:
    """Return whether this is the account's first visit to any table. Ask before `look`.

    Visits are stored on the server, so another browser is not a first visit.
    """
    member = viewer.membership
    if member is None or viewer.is_read_only or member.here_at is not None:
        return False
    return not Membership.objects.filter(user=member.user_id).exclude(here_at=None).exists()


def look(viewer: Viewer) -> None:
    """Note a visit to the table or its log. After an absence a new visit begins, and the previous one is over.

    Visits by the spectator link and GMs' previews are not stored.
    """
    member = viewer.membership
    if member is None or viewer.is_read_only:
        return
    now, seen = timezone.now(), member.here_at
    if seen is not None and now - seen < ENOUGH:
        return
    new = {"last_visit": F("here_at")} if seen is not None and now - seen > AWAY else {}
    row = Membership.objects.filter(pk=member.pk)
    write_unless_full("that somebody was here", lambda: row.update(here_at=now, **new))
    if new:
        member.last_visit = seen
    member.here_at = now


def see_everything(user: User) -> None:
    """Note that somebody knows what happened at all their tables, as if they had just been there."""
    now = timezone.now()
    Membership.objects.active().filter(user=user).update(here_at=now, last_visit=Coalesce("here_at", "last_visit"))


# Tokens of the API: made and revoked by their member; a GM may revoke anyone's.


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
