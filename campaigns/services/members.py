"""Who sits at the table: roles, leaving, being removed, handing over, and going for good."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.db import transaction

from campaigns.errors import Invalid, Missing, Stale
from campaigns.events import MEMBER_LEFT, MEMBER_REMOVED, ROLE_CHANGED
from campaigns.facts import person
from campaigns.models import Membership, Role
from campaigns.models.members import FORMER
from campaigns.services.invitations import revoke_all_of
from campaigns.services.log import Table, at_table, locked, open_table
from campaigns.services.payloads import forget
from people.models import User

LAST_GM = "A campaign needs a GM. Make somebody else a GM first."


@at_table(Role.GM)
def change_role(table: Table, member: Membership, role: Role, *, seen: Role, key: UUID) -> Membership:
    """Give a member another role. `seen` is the one they had when this was decided; raises Stale if it is another now,
    Missing for somebody who is not here, Invalid if no GM would be left."""
    found = _seated(table, member)
    if found.role != seen:
        raise Stale(f"{found.name} is {Role(found.role).label} by now. Choose again.", current=found.role, field="role")
    if found.role != role:
        _give_role(table, found, role)
    return found


@at_table(Role.GM, brought=True)
def remove_member(table: Table, member: Membership, *, key: UUID) -> Membership:
    """Show a member out. What they said and rolled stays. Raises Invalid for oneself: that is leaving."""
    found = _seated(table, member)
    if found.pk == table.by.pk:
        raise Invalid("You cannot remove yourself. Leave the campaign instead.")
    _stand_up(table, found)
    table.record(MEMBER_REMOVED, {"who": person(found)})
    return found


@at_table(Role.SPECTATOR, archived=True)
def leave(table: Table, *, key: UUID) -> Membership:
    """Go. Raises Invalid for the last GM."""
    _keep_a_gm(without=table.by)
    _stand_up(table, table.by)
    table.record(MEMBER_LEFT, {"who": person(table.by)})
    return table.by


@at_table(Role.GM)
def hand_over(table: Table, member: Membership, *, key: UUID) -> Membership:
    """Make somebody else a GM and become a player, in one deed. Raises Missing for somebody who is not here."""
    heir = _seated(table, member)
    if heir.pk == table.by.pk:
        raise Invalid("Choose somebody else to hand the campaign to.")
    if not heir.is_gm:
        _give_role(table, heir, Role.GM)
    _give_role(table, table.by, Role.PLAYER)
    return heir


def delete_account(user: User) -> None:
    """Delete an account. Logs stay readable: they call this person "a former player" from then on.

    Raises Invalid, and changes nothing, while the person is the last GM of a campaign that is not archived.
    """
    with transaction.atomic():
        # Nobody joins a table while their account goes; then the tables, in an order that no two deletions cross.
        user = User.objects.select_for_update().get(pk=user.pk)
        members = list(Membership.objects.filter(user=user).select_related("campaign").order_by("campaign_id"))
        needed = []
        for member in members:
            with locked(member.campaign) as campaign:
                member.refresh_from_db()
                if campaign.archived_at is None and _is_last_gm(member):
                    needed.append(campaign.name)
                else:
                    _vanish(open_table(campaign, member, uuid4()))
        if needed:
            raise Invalid(
                f"You are the only GM of {' and '.join(needed)}. Hand over or archive that first; "
                "until then your account stays as it is."
            )
        user.delete()


def _vanish(table: Table) -> None:
    if table.by.left_at is None:
        _stand_up(table, table.by)
        table.record(MEMBER_LEFT, {"who": person(table.by)})
    forget(table.by, FORMER)


def _seated(table: Table, member: Membership) -> Membership:
    """A member of this table as they are under the lock."""
    here = Membership.objects.here().select_related("user")
    found = here.filter(campaign=table.campaign, pk=member.pk).first()
    if found is None:
        raise Missing
    return found


def _give_role(table: Table, member: Membership, role: Role) -> None:
    before = member.role
    if before == Role.GM:
        _keep_a_gm(without=member)
        revoke_all_of(table, member)
    member.role = role
    member.save(update_fields=["role"])
    table.record(ROLE_CHANGED, {"who": person(member), "role": str(role), "before": before})


def _stand_up(table: Table, member: Membership) -> None:
    member.left_at = table.now
    member.save(update_fields=["left_at"])
    revoke_all_of(table, member)


def _keep_a_gm(without: Membership) -> None:
    if _is_last_gm(without):
        raise Invalid(LAST_GM, field="role")


def _is_last_gm(member: Membership) -> bool:
    if member.left_at is not None or not member.is_gm:
        return False
    gms = Membership.objects.here().filter(campaign=member.campaign_id, role=Role.GM)
    return not gms.exclude(pk=member.pk).exists()
