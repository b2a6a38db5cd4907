"""Show hosts which campaigns there are, who sits at them, and which invitations are about. See people/admin.py."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign, Invitation, Membership, Stream
from campaigns.models.members import TABLE
from people.admin import ToRead, site

__all__ = ["site"]  # with everything registered


@admin.register(Campaign, site=site)
class CampaignAdmin(ToRead):
    list_display = ("name", "people", "entries", "created_at", "last_visit", "archived_at", "imported_at")
    list_filter = ("archived_at", "imported_at")
    search_fields = ("name", "slug")
    ordering = ("name", "pk")
    fields = (
        *("name", "slug", "who", "people", "entries", "created_at", "last_visit", "archived_at", "imported_at"),
        "complete",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Campaign]:
        # Of the log, what the whole table was told: the other streams would tell a host who plays of what happens in secret.
        head = Stream.objects.filter(campaign=OuterRef("pk"), name=TABLE).values("seq")
        here = Q(memberships__left_at=None, memberships__isnull=False)
        return (
            super()
            .get_queryset(request)
            .annotate(
                people_here=Count("memberships", filter=here),
                visited_at=Max("memberships__here_at"),
                told=Subquery(head[:1]),
            )
        )

    @admin.display(description=_("People"), ordering="people_here")
    def people(self, campaign: Campaign) -> int:
        return campaign.people_here  # type: ignore[attr-defined]

    @admin.display(description=_("Log entries"), ordering="told")
    def entries(self, campaign: Campaign) -> int:
        return campaign.told or 0  # type: ignore[attr-defined]

    @admin.display(description=_("Last visit"), ordering="visited_at")
    def last_visit(self, campaign: Campaign) -> object:
        return campaign.visited_at or self.get_empty_value_display()  # type: ignore[attr-defined]

    @admin.display(description=_("Members"))
    def who(self, campaign: Campaign) -> str:
        here = Membership.objects.active().filter(campaign=campaign).select_related("user").order_by("joined_at", "pk")
        return ", ".join(f"{member.name} ({member.get_role_display()})" for member in here) or "–"

    @admin.display(description=_("Complete"), boolean=True)
    def complete(self, campaign: Campaign) -> bool:
        return not campaign.bringing


@admin.register(Invitation, site=site)
class InvitationAdmin(ToRead):
    list_display = ("campaign", "role", "maker", "made_at", "expires_at", "uses_left", "revoked_at")
    list_filter = ("role", "made_at", "revoked_at")
    list_select_related = ("campaign", "made_by__user")
    search_fields = ("campaign__name",)
    ordering = ("-made_at", "pk")
    fields = ("campaign", "role", "maker", "made_at", "expires_at", "uses_left", "revoked_at")

    @admin.display(description=_("Made by"))
    def maker(self, invitation: Invitation) -> str:
        return invitation.made_by.name
