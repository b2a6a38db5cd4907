"""The Scale of a table or of a character, its Burns, the steps that led to where it is, and oracle tables (scale.txt)."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.db.models import Q

from campaigns.models import Campaign, Event, Membership, Storyline
from characters.models import Character


class Scale(models.Model):
    """A running total between -7 and +7. Without a character it is the whole table's.

    Its id follows from whose it is, so that a page can draw it before the first roll has made the row.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="scales")
    character = models.OneToOneField(Character, null=True, on_delete=models.PROTECT, related_name="scale")
    value = models.SmallIntegerField(default=0)
    order = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["order"]
        constraints = [
            models.CheckConstraint(condition=Q(value__gt=-8, value__lt=8), name="scale_stays_below_8"),
            models.UniqueConstraint(fields=["campaign"], condition=Q(character=None), name="one_shared_scale"),
        ]


class Momentum(models.Model):
    """Holds what Burns have left on a character: dice for its next action roll, and free activations not used yet."""

    character = models.OneToOneField(Character, primary_key=True, on_delete=models.PROTECT, related_name="momentum")
    die_modifier = models.SmallIntegerField(default=0)
    free_activations = models.PositiveSmallIntegerField(default=0)


class Burn(models.Model):
    """A Burn from its offer, or a Major Burn from its roll, to its end.

    A Burn goes offered -> (banked ->) fired -> settled; a Major Burn open -> (deferred ->) narrated; either may be undone with
    the roll that caused it. A fired Burn whose `effect` is set waits for the GM to find it plausible. `oracle` holds every die
    and text of a Major Burn as they were then, `event` is where the Burn was first told.
    """

    class Kind(models.TextChoices):
        GRACE = "grace", "Grace"
        TROUBLE = "trouble", "Trouble"

    class State(models.TextChoices):
        OFFERED = "offered", "offered"
        BANKED = "banked", "banked"
        FIRED = "fired", "fired, its effect not chosen yet"
        SETTLED = "settled", "settled"
        LOST = "lost", "lost to a Major Burn"
        OPEN = "open", "waits for the GM's narration"
        DEFERRED = "deferred", "to be narrated later"
        NARRATED = "narrated", "narrated"
        UNDONE = "undone", "undone"

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    scale = models.ForeignKey(Scale, on_delete=models.PROTECT, related_name="burns")
    kind = models.CharField(max_length=8, choices=Kind)
    major = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=State)
    cause = models.ForeignKey("rolls.Roll", on_delete=models.PROTECT, related_name="burns")
    character = models.ForeignKey(Character, on_delete=models.PROTECT, related_name="burns")
    effect = models.CharField(max_length=12, blank=True)
    words = models.TextField(max_length=10_000, blank=True)
    npc = models.ForeignKey(Character, null=True, on_delete=models.PROTECT, related_name="+")
    oracle = models.JSONField(default=dict)
    storyline = models.ForeignKey(Storyline, null=True, on_delete=models.PROTECT, related_name="+")
    event = models.ForeignKey(Event, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["at"]
        # Few are not settled, and every page asks for them.
        indexes = [models.Index(fields=["scale", "state", "at"], name="burn_by_state")]
        constraints = [
            models.UniqueConstraint(fields=["cause"], condition=Q(major=True), name="one_major_burn_a_cause"),
            models.UniqueConstraint(fields=["scale"], condition=Q(state="offered"), name="one_offer_a_scale"),
            models.UniqueConstraint(fields=["scale"], condition=Q(state="banked"), name="one_banked_burn_a_scale"),
        ]


class BurnSeen(models.Model):
    """Says that a member had a Major Burn on screen and said so."""

    burn = models.ForeignKey(Burn, on_delete=models.PROTECT, related_name="seen")
    member = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["burn", "member"], name="a_burn_is_seen_once")]


class ScaleStep(models.Model):
    """One change of a Scale and of what depends on it, which can be undone, newest first.

    What it wrote is in the journal, for the cause `uid` (campaigns/models/undo.py). `roll` is the roll that made it, or that
    caused its Burn; `event` is the event of the step. `delta` is what the dice of the roll that made it gave; None for other
    steps.
    """

    scale = models.ForeignKey(Scale, on_delete=models.PROTECT, related_name="steps")
    uid = models.UUIDField(unique=True)
    number = models.PositiveIntegerField()
    roll = models.ForeignKey("rolls.Roll", null=True, on_delete=models.PROTECT, related_name="steps")
    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="+")
    delta = models.SmallIntegerField(null=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["scale", "number"], name="step_numbers_are_unique")]


class OracleTable(models.Model):
    """`entries` is a list of ten {"title", "text", "shift"}, for the d10 faces 1 to 10. `shift` asks for a second die."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="oracle_tables")
    name = models.CharField(max_length=20)
    entries = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "name"], name="oracle_names_are_unique")]

    def __str__(self) -> str:
        return f"{self.name} oracle of {self.campaign}"
