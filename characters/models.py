"""Who sits at a table: player characters and the GM's NPCs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.db import models
from django.db.models import Q

from campaigns.models import Campaign, Membership
from campaigns.models.log import GM, TABLE, member_stream
from campaigns.owners import Owner
from campaigns.services.log import About, person
from characters.sheets import SHEETS
from characters.sheets.common import DISPOSITION
from characters.sheets.fields import Field, Value
from characters.sheets.sheet import Drawn, Sheet

if TYPE_CHECKING:
    from campaigns.access import Seat


class CharacterQuerySet(models.QuerySet["Character"]):
    def seen_by(self, viewer: Seat | Membership) -> CharacterQuerySet:
        """Those whose card this viewer may see: for a GM all, for others no hidden NPC."""
        cards = self.filter(campaign=viewer.campaign).select_related("owner__user")
        return cards if viewer.is_gm else cards.exclude(owner=None, shown=False)

    def active(self) -> CharacterQuerySet:
        return self.filter(retired_at=None)

    def played_by(self, member: Membership) -> CharacterQuerySet:
        """Those a member may roll and speak for: the own ones, and for a GM the NPCs too."""
        mine = Q(owner=member)
        return self.active().filter(mine | Q(owner=None) if member.is_gm else mine, campaign=member.campaign)


class Character(models.Model):
    """A character with its sheet. Without an owner it is an NPC of the GM; `shown` says whether players know of it.

    Its card (name, concept, whose it is) is seen by all who know of it, its sheet by its owner and the GMs.
    `sheet` maps the fields of `characters.sheets.<system>` to values; a field that is not in it has its default.
    `disposition` is how an NPC feels about the player characters, -5 to +5 (scale.txt, Burns).
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="characters")
    name = models.CharField(max_length=80)
    concept = models.CharField(max_length=120, blank=True)
    system = models.CharField(max_length=20, default="storyteller")
    owner = models.ForeignKey(Membership, null=True, blank=True, on_delete=models.PROTECT, related_name="characters")
    shown = models.BooleanField(default=True)
    sheet = models.JSONField(default=dict)
    disposition = models.SmallIntegerField(default=0)
    retired_at = models.DateTimeField(null=True, blank=True)

    objects = CharacterQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(disposition__range=(DISPOSITION.minimum, DISPOSITION.maximum)),
                name="disposition_is_from_-5_to_5",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_npc(self) -> bool:
        return self.owner_id is None

    @property
    def is_hidden(self) -> bool:
        """Whether players know nothing of it."""
        return self.is_npc and not self.shown

    @property
    def ref(self) -> dict[str, Any]:
        """How facts name this character."""
        return {"id": str(self.pk), "name": self.name}

    @property
    def about(self) -> About:
        """The subject to record its events under."""
        return About(f"character:{self.pk}", self.name)

    @property
    def card_stream(self) -> str:
        """Where what everybody may know of it is told."""
        return GM if self.is_hidden else TABLE

    @property
    def sheet_stream(self) -> str:
        """Where what only its owner and the GMs may know of it is told."""
        return GM if self.owner_id is None else member_stream(self.owner_id)

    def opens_for(self, viewer: Seat | Membership) -> bool:
        """Whether this viewer may read its sheet; those who may and act as themselves may also write in it."""
        member = viewer if isinstance(viewer, Membership) else viewer.membership
        return viewer.is_gm or (member is not None and self.owner_id == member.pk)

    def card(self) -> dict[str, Any]:
        """What stands on its card, as facts and templates hold it."""
        owner = person(self.owner) if self.owner else None
        return {**self.ref, "concept": self.concept, "whose": owner, "shown": not self.is_hidden}

    @property
    def rules(self) -> Sheet:
        """What fields its sheet has."""
        return SHEETS[self.system]

    def field(self, name: str) -> Field:
        """A field that this character has. Raises SheetError."""
        return DISPOSITION if self.is_npc and name == DISPOSITION.name else self.rules.field(name)

    def value(self, name: str) -> Value:
        """What a field is now. Raises SheetError for unknown ones."""
        return self.disposition if self.field(name) is DISPOSITION else self.rules.value(self.sheet, name)

    def number(self, name: str) -> int:
        """What a number is now. Raises SheetError for unknown ones and for what is none."""
        return self.disposition if self.field(name) is DISPOSITION else self.rules.number(self.sheet, name)

    def clean_value(self, name: str, value: object) -> Value:
        """`value` as the field may hold it beside the others. Raises SheetError."""
        field = self.field(name)
        return field.clean(value) if field is DISPOSITION else self.rules.clean(self.sheet, name, value)

    def mark(self, name: str) -> dict[str, Any]:
        """A field as facts and templates hold it, ready to be drawn: {"field", "label", "value", "of", "marks"}."""
        here = self.field(name) is DISPOSITION
        drawn = Drawn(DISPOSITION, self.disposition, 0) if here else self.rules.drawn(self.sheet, name)
        field = drawn.field
        return {
            "field": name,
            "label": field.label,
            "value": drawn.value,
            "of": drawn.of,
            "marks": field.marks.value,
        }


def owners_of(campaign: Campaign) -> list[Owner]:
    """All characters of a campaign, as owners of its clocks."""
    characters = Character.objects.filter(campaign=campaign).select_related("owner__user")
    return [
        Owner(one.about.key, one.name, one.owner, shown=not one.is_hidden, active=one.retired_at is None)
        for one in characters
    ]
