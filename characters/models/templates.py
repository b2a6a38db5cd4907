"""Sheets that the GMs keep ready to make characters of."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext as _

from campaigns import rulesets
from campaigns.models import Campaign, Membership, Viewer
from campaigns.models.log import Subject
from characters.models.characters import Character


def kind_words(ruleset: str, *, is_crew: bool) -> str:
    """Return words for the kind of sheet."""
    return _("Crew") if is_crew else str(rulesets.label_of(ruleset))


class CharacterTemplateQuerySet(models.QuerySet["CharacterTemplate"]):
    def open_to(self, viewer: Viewer | Membership) -> CharacterTemplateQuerySet:
        """Return the templates this viewer may use: for players the offered ones of systems that the campaign plays."""
        templates = self.filter(campaign=viewer.campaign, system__in=viewer.campaign.systems)
        return templates if viewer.is_gm else templates.filter(offered=True, is_crew=False)


class CharacterTemplate(models.Model):
    """A kept sheet. `values` are its fields as `SheetValues.values` has them, secrets too: only its name is shown.

    `offered` lets players make their characters of it; the others are only for GMs.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="character_templates")
    name = models.CharField(max_length=80)
    concept = models.CharField(max_length=120, blank=True)
    system = models.CharField(max_length=20)
    is_crew = models.BooleanField(default=False)
    values = models.JSONField(default=dict)
    disposition = models.SmallIntegerField(default=0)
    offered = models.BooleanField(default=False)

    objects = CharacterTemplateQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name

    @property
    def kind(self) -> str:
        """Return words for the kind of sheet it makes."""
        return kind_words(self.system, is_crew=self.is_crew)

    @property
    def subject(self) -> Subject:
        return Subject(f"character-template:{self.pk}", self.name)

    def payload(self) -> dict[str, Any]:
        return {
            "id": str(self.pk),
            "name": self.name,
            "system": self.system,
            "crew": self.is_crew,
            "offered": self.offered,
        }

    def put_on(self, character: Character) -> None:
        """Fill the sheet of a new character of the same kind."""
        character.hold(self.values)
        if character.is_npc:
            character.disposition = self.disposition
