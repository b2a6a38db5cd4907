"""What a group knows: a page for each person, place, faction and thing of its story."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Final
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import pgettext_lazy

from campaigns.models import Campaign, Clock, Viewer
from campaigns.models.log import Subject
from campaigns.models.members import GM, TABLE
from characters.models import Character
from languages.letters import same

_ARTICLE: Final = re.compile("(the|an?|der|die|das|eine?) ", re.IGNORECASE)
"""What a name begins with that tells no pages apart, in the languages of the site."""


class PageKind(models.TextChoices):
    """What a page is about; the page of all of them lists them in this order."""

    PERSON = "person", pgettext_lazy("a page", "Person")
    PLACE = "place", pgettext_lazy("a page", "Place")
    FACTION = "faction", pgettext_lazy("a page", "Faction")
    THING = "thing", pgettext_lazy("a page", "Thing")


class PageQuerySet(models.QuerySet["Page"]):
    def read_by(self, viewer: Viewer) -> PageQuerySet:
        """Return the pages that somebody has written, as far as this viewer may read them: for players none that is hidden, or
        about what they don't know of. `gm_note` is read for GMs alone.
        """
        own = Q(character=None, clock=None) & (Q() if viewer.is_gm else Q(shown=True))
        characters = Character.objects.seen_by(viewer).values("pk")
        about = Q(character__in=characters) | Q(clock__in=Clock.objects.seen_by(viewer).values("pk"))
        pages = self.filter(own | about, campaign=viewer.campaign).select_related("character__owner__user", "clock")
        return pages if viewer.is_gm else pages.defer("gm_note")


class Page(models.Model):
    """A page of what is known. `note` is everyone's, in Markdown, `gm_note` the GMs' own; `aliases` are other names.

    The page of a character or a clock has the id and the name of that, and is there without a row until somebody writes on it.
    Players know of it if they know of that; of any other page `shown` says it. `picture` is the digest of its picture, or "".
    """

    LONGEST_NAME = 80
    MOST_ALIASES = 12
    PICTURE = 32  # hex digits of a digest

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="pages")
    kind = models.CharField(max_length=10, choices=PageKind)
    name = models.CharField(max_length=LONGEST_NAME)
    aliases = models.JSONField(default=list)
    note = models.TextField(blank=True)
    gm_note = models.TextField(blank=True)
    shown = models.BooleanField(default=True)
    picture = models.CharField(max_length=PICTURE, blank=True)
    character = models.OneToOneField(Character, null=True, on_delete=models.PROTECT, related_name="+")
    clock = models.OneToOneField(Clock, null=True, on_delete=models.PROTECT, related_name="+")

    objects = PageQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_own(self) -> bool:
        """Return whether it is about nothing that is kept elsewhere, so that its name and kind are written here."""
        return self.character_id is None and self.clock_id is None

    @property
    def is_hidden(self) -> bool:
        """Return whether only GMs know of it."""
        if self.character:
            return self.character.is_hidden
        return not self.clock.shown if self.clock else not self.shown

    @property
    def stream(self) -> str:
        """Return the stream of those who may read it."""
        return GM if self.is_hidden else TABLE

    @property
    def names(self) -> list[str]:
        return [self.name, *self.aliases]

    @property
    def ref(self) -> dict[str, Any]:
        """Return how payloads name this page."""
        return {"id": str(self.pk), "name": self.name}

    @property
    def subject(self) -> Subject:
        return Subject(f"page:{self.pk}", self.name)

    @property
    def url(self) -> str:
        return reverse("page", args=[self.campaign.slug, self.pk])

    @property
    def about(self) -> str:
        """Return the line below its name."""
        return self.character.concept if self.character else ""

    def is_called(self, name: str) -> bool:
        """Return whether this is one of its names, whatever its case and accents."""
        return any(same(name, one) for one in self.names)

    def portrait(self) -> dict[str, Any]:
        """Return its picture, as characters/_portrait.html draws it."""
        if self.character:
            return self.character.portrait()
        url = reverse("page_picture", args=[self.campaign.slug, self.pk, self.picture]) if self.picture else ""
        initial = self.name[match.end() if (match := _ARTICLE.match(self.name)) else 0 :][:1].upper()
        return {"character": str(self.pk), "initial": initial, "colour": "sand", "url": url, "face": ""}


class PagePicture(models.Model):
    """A page's picture, as `campaigns.pictures.portrait` makes it. It is in a table of its own, like portraits, and stays when
    its page is removed, which may be undone.
    """

    page = models.OneToOneField(
        Page, primary_key=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    image = models.BinaryField()
    icon = models.BinaryField()

    @property
    def digest(self) -> str:
        return sha256(self.image).hexdigest()[: Page.PICTURE]


LINK: Final = re.compile(r"\[\[([^\[\]|<>\n]{1,80})(?:\|([^\[\]<>\n]{1,80}))?\]\]")
"""A link in a note: [[The Gull]], or [[The Gull|that inn]]."""


def unlinked(note: str) -> str:
    """Return a note with the words of its links in their place."""
    return LINK.sub(lambda link: link[2] or link[1], note)


def paragraphs_of(note: str) -> list[str]:
    """Return the paragraphs of a note: what empty lines part."""
    return [part.strip("\n") for part in re.split(r"\n\s*\n", note) if part.strip()]


def note_of(paragraphs: Iterable[str]) -> str:
    """Return the note of these paragraphs."""
    return "\n\n".join(paragraphs)
