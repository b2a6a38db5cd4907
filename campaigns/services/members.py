"""Change who sits at the table: roles, leaving, being removed, handing over, and going for good."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from campaigns.errors import Conflict, Invalid, existing
from campaigns.events import MEMBER_LEFT, MEMBER_REMOVED, ROLE_CHANGED
from campaigns.models import Boundaries, Membership, Role, Viewer
from campaigns.models.log import person
from campaigns.models.members import FORMER
from campaigns.services.erasing import forget
from campaigns.services.invitations import revoke_all_of
from campaigns.services.log import UnitOfWork, begin, locked, service
from database.fullness import write_unless_full
from languages.text import gettext_lazy
from people.models import User

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
    """Return a member of this table as they are under the lock."""
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
    gms = Membership.objects.active().filter(campaign=member.campaign_id, role=Role.GM)
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
