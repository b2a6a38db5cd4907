"""Who sits at a table: player characters, the GM's NPCs, and crews."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any
from uuid import UUID, uuid4

from django.db import models
from django.db.models import Prefetch, Q, prefetch_related_objects
from django.dispatch import receiver
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns import rulesets
from campaigns.kinds import owners_asked
from campaigns.models import Campaign, Membership, Role, Viewer
from campaigns.models.log import Subject, person
from campaigns.models.members import GM, TABLE
from campaigns.queries.clocks import Owner
from characters.faces import FACES
from characters.models.values import FIELD_COLUMNS, SheetRow, SheetRowQuerySet, SheetValues
from characters.sheets.common import DISPOSITION
from characters.sheets.fields import Visibility
from database.compiled import Parameter, compiled


class State(models.TextChoices):
    IN_PLAY = "in_play", gettext_lazy("In play")
    RETIRED = "retired", gettext_lazy("Retired")
    DEAD = "dead", gettext_lazy("Dead")


class CharacterQuerySet(models.QuerySet["Character"]):
    def with_related(self) -> CharacterQuerySet:
        """Read the characters with their players, in a constant number of queries."""
        return self.select_related("campaign", "owner__user").prefetch_related("co_owners__user")

    def with_rows(self) -> CharacterQuerySet:
        """Read the characters with all rows of their sheets, in one query. `read_rows` reads only those that a viewer may see."""
        return self.prefetch_related(prefetch_rows(SheetRow.objects.all()))

    def seen_by(self, viewer: Viewer | Membership) -> CharacterQuerySet:
        """Return those whose card this viewer may see: for a GM all, for others no hidden NPC."""
        cards = self.filter(campaign=viewer.campaign, deleted_at=None).with_related()
        return cards if viewer.is_gm else cards.shown()

    def shown(self) -> CharacterQuerySet:
        """Keep the characters that players know of: no hidden NPC, and no hidden crew."""
        return self.exclude(owner=None, shown=False)

    def free(self, viewer: Viewer | Membership) -> CharacterQuerySet:
        """Return those in play that a player may take (`take_character`)."""
        return self.seen_by(viewer).active().filter(owner=None, free=True)

    def active(self) -> CharacterQuerySet:
        return self.filter(retired_at=None, died_at=None, deleted_at=None)

    def controlled_by(self, member: Membership) -> CharacterQuerySet:
        """Return those a member may roll and speak for: the own ones, and for a GM the NPCs too."""
        co_owned = Character.co_owners.through.objects.filter(membership=member).values("character")
        mine = Q(owner=member) | Q(pk__in=co_owned)
        if member.is_gm:
            mine |= Q(owner=None)
        return self.active().filter(mine, is_crew=False, campaign=member.campaign)

    def rolled_by(self, member: Membership) -> CharacterQuerySet:
        """Keep those a member may roll for: their own (`controlled_by`), for a GM everyone's."""
        if not member.is_gm:
            return self.controlled_by(member)
        return self.active().filter(is_crew=False, campaign=member.campaign)

    def known_to_all(self, campaign: Campaign) -> CharacterQuerySet:
        """Keep characters that may appear in the table's stream: in play, and known to players."""
        return self.active().shown().filter(campaign=campaign)

    def brought_by(self, member: Membership) -> CharacterQuerySet:
        """Keep those that a member may bring into a procedure: for a GM all known ones, for others their own."""
        return self.known_to_all(member.campaign).filter(is_crew=False) if member.is_gm else self.controlled_by(member)


class Character(SheetValues):
    """A character with its sheet. Without an owner it is an NPC of the GM, or a crew, which is everyone's.

    People other than its players and the GMs see as much as `shown` (of an NPC: whether players know of it at all) and
    `opened` (whether they may read its whole sheet) allow; its card (name, concept, owner) is seen by all who know of
    it. `free` says of an NPC whether a player may take it. `public`, `sheet` and `secret` map fields and lists of its sheet
    to values (values.py); missing ones have their default. `disposition` is how an NPC feels about the player characters,
    -5 to +5. `locked` keeps players from writing in the sheet, `complete` says that it is ready to be played. `picture` is
    the digest of its portrait, or the name of a face (characters/faces.py), "" without either.
    A deleted character is on no list and has no page; its row stays, because the log and the rolls name it.
    """

    PICTURE = 32  # hex digits of a digest
    LONGEST_NAME = 80

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="characters")
    name = models.CharField(max_length=LONGEST_NAME)
    concept = models.CharField(max_length=120, blank=True)
    owner = models.ForeignKey(Membership, null=True, blank=True, on_delete=models.PROTECT, related_name="characters")
    co_owners = models.ManyToManyField(Membership, blank=True, related_name="co_owned")
    shown = models.BooleanField(default=True)
    opened = models.BooleanField(default=False)
    free = models.BooleanField(default=False)
    locked = models.BooleanField(default=False)
    complete = models.BooleanField(default=False)
    retired_at = models.DateTimeField(null=True, blank=True)
    died_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    picture = models.CharField(max_length=PICTURE, blank=True)

    objects = CharacterQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(disposition__range=(DISPOSITION.minimum, DISPOSITION.maximum)),
                name="disposition_is_from_-5_to_5",
            ),
            models.CheckConstraint(condition=Q(is_crew=False) | Q(owner=None), name="a_crew_is_nobodys_own"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_hidden(self) -> bool:
        """Return whether players know nothing of it."""
        return self.owner_id is None and not self.shown

    def known_to(self, viewer: Viewer | Membership) -> bool:
        """Return whether this viewer may see its card, as `CharacterQuerySet.seen_by` has it."""
        return self.deleted_at is None and (viewer.is_gm or not self.is_hidden)

    def told_in(self, stream: str) -> bool:
        """Return whether this stream's events may mention it."""
        return stream == GM or not self.is_hidden

    @property
    def state(self) -> State:
        if self.died_at:
            return State.DEAD
        return State.RETIRED if self.retired_at else State.IN_PLAY

    @property
    def plays(self) -> bool:
        """Return whether it is in play and not deleted."""
        return self.state is State.IN_PLAY and self.deleted_at is None

    @property
    def ref(self) -> dict[str, Any]:
        """Return how payloads name this character."""
        return {"id": str(self.pk), "name": self.name}

    @property
    def subject(self) -> Subject:
        """Return the subject to record its events under."""
        return Subject(f"character:{self.pk}", self.name)

    @property
    def players(self) -> list[Membership]:
        """Return its players, the owner first; [] for an NPC or a crew."""
        if self.owner is None:
            return []
        # Read once, wherever it was not read with the character.
        prefetch_related_objects([self], "co_owners__user")
        return [self.owner, *self.co_owners.all()]

    @property
    def card_stream(self) -> str:
        """Return the stream for what everyone may know of it: the GMs' while it is hidden."""
        return GM if self.is_hidden else TABLE

    def streams(self, visibility: Visibility) -> list[str]:
        """Return the streams for values of this visibility, which get one event under one uid. GMs see all streams."""
        if visibility is Visibility.SECRET:
            return [GM]
        if visibility is Visibility.PUBLIC or (visibility is Visibility.SHEET and (self.opened or self.is_crew)):
            return [self.card_stream]
        return [player.stream for player in self.players] or [GM]

    def visibilities(self, viewer: Viewer | Membership) -> frozenset[Visibility]:
        """Return which of its values a viewer who knows of it may see."""
        if viewer.is_gm:
            return frozenset(Visibility)
        if self._plays(viewer):
            return frozenset({Visibility.PUBLIC, Visibility.SHEET, Visibility.PRIVATE})
        return frozenset({Visibility.PUBLIC, Visibility.SHEET} if self.opened or self.is_crew else {Visibility.PUBLIC})

    def opens_for(self, viewer: Viewer | Membership) -> bool:
        """Return whether this viewer may read its sheet."""
        return Visibility.SHEET in self.visibilities(viewer)

    def written_by(self, viewer: Viewer | Membership) -> bool:
        """Return whether this viewer may write in it: GMs, its players, and for a crew every player."""
        everybodys = self.is_crew and Role(viewer.role).at_least(Role.PLAYER)
        return viewer.is_gm or everybodys or self._plays(viewer)

    def is_rolled_by(self, member: Membership) -> bool:
        """Return whether a member may roll for it, as `CharacterQuerySet.rolled_by` has it."""
        return self.plays and not self.is_crew and (member.is_gm or self._plays(member))

    def _plays(self, viewer: Viewer | Membership) -> bool:
        member = viewer if isinstance(viewer, Membership) else viewer.membership
        # The owner first, which needs no query for co-owners.
        return member is not None and (self.owner_id == member.pk or member in self.players)

    def known(self, visibility: Visibility) -> dict[str, str]:
        """Return the names, by id as text, of the characters that its links may go to: players' fields link only to
        those they know.
        """
        gms_alone = self.is_npc and not self.opened and visibility is not Visibility.PUBLIC
        return {pk: name for pk, name, is_hidden in self._others if gms_alone or not is_hidden}

    @cached_property
    def _others(self) -> list[tuple[str, str, bool]]:
        others = Character.objects.filter(campaign=self.campaign_id, deleted_at=None).exclude(pk=self.pk)
        rows = others.order_by("name", "id").values_list("pk", "name", "owner", "shown")
        return [(str(pk), name, owner is None and not shown) for pk, name, owner, shown in rows]

    def card(self) -> dict[str, Any]:
        """Return its card for payloads and templates."""
        owner = person(self.owner) if self.owner else None
        return {
            **self.ref,
            "concept": self.concept,
            "whose": owner,
            "also": [person(player) for player in self.players[1:]],
            "shown": not self.is_hidden,
            "opened": self.opened,
            "free": self.free,
            "crew": self.is_crew,
        }

    def portrait(self) -> dict[str, Any]:
        """Return its portrait for payloads and templates: {"character", "initial", "colour", "url", "face"}.

        `url` is that of its picture, and changes with it; `face` is the name of one of our own. Both are "" without, and
        with a face that is not there any more: then the initial is shown on the owner's colour.
        """
        return {
            "character": str(self.pk),
            "initial": self.name[:1].upper(),
            "colour": self.owner.colour if self.owner else "sand",
            "url": reverse("portrait", args=[self.campaign.slug, self.pk, self.picture])
            if len(self.picture) == self.PICTURE
            else "",
            "face": self.picture if self.picture in FACES else "",
        }


@receiver(owners_asked)
def owners_of(campaign: Campaign, **named: Any) -> list[Owner]:
    """Return all characters of a campaign, as owners of its clocks."""
    characters = Character.objects.filter(campaign=campaign).select_related("owner__user")
    return [
        Owner(owner.subject.key, owner.name, owner.owner, shown=not owner.is_hidden, active=owner.plays)
        for owner in characters.defer(*FIELD_COLUMNS)
    ]


def character_of(campaign: Campaign, character_id: UUID) -> Character | None:
    """Return a character of this campaign with its owner's account; a hidden or deleted one too."""
    character = _character.first(campaign=campaign.pk, id=character_id)
    if character is not None:
        character.campaign = campaign
    return character


@compiled(campaign=models.UUIDField(), id=models.UUIDField())
def _character(campaign: Parameter, id: Parameter) -> CharacterQuerySet:
    return Character.objects.filter(campaign=campaign, pk=id).select_related("owner__user")


def prefetch_rows(rows: SheetRowQuerySet[SheetRow]) -> Prefetch:
    """Return the prefetch of these rows of characters' sheets, as their `stored_rows`."""
    return Prefetch("sheet_rows", rows, to_attr="stored_rows")


def read_rows(viewer: Viewer, characters: Iterable[Character]) -> None:
    """Read the rows of these sheets that this viewer may see, unless already read, in one query.

    It selects what `SheetRowQuerySet.seen_by` does, from what is known of the characters, without joins.
    """
    unread = [character for character in characters if not character.has_read_rows]
    if not unread:
        return
    rows = SheetRow.objects.all()
    if not viewer.is_gm:
        seen = Q(visibility=Visibility.PUBLIC.value)
        if opened := [character.pk for character in unread if character.opens_for(viewer)]:
            seen |= Q(visibility=Visibility.SHEET.value, character__in=opened)
        for character in unread:
            if Visibility.PRIVATE in character.visibilities(viewer):
                noted = Q(visibility=Visibility.PRIVATE.value, owner=character.owner_id)
                seen |= noted & Q(character=character.pk)
        rows = rows.filter(seen)
    prefetch_related_objects(unread, prefetch_rows(rows))


class Portrait(models.Model):
    """A character's picture, as `campaigns.pictures.portrait` makes it: WebP of at most 512 by 512 pixels, and as an icon.

    Portraits of 0.2.0 and before have no icon; the picture stands for it.
    It is in the database so that every process and every backup has it, and in its own table so that reading characters
    does not read pictures. `Character.picture` names the current one.
    """

    character = models.OneToOneField(Character, primary_key=True, on_delete=models.CASCADE, related_name="+")
    image = models.BinaryField()
    icon = models.BinaryField(null=True)


# Sheets that the GMs keep ready to make characters of.


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
