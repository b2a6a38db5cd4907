"""Rolls, requests for them, what several people settle in steps, and the seeds that dice come from."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy

from campaigns.chain import fingerprint
from campaigns.models import Campaign, Event, Membership, Written
from campaigns.models.members import TABLE
from characters.models import Character


class Procedure(models.Model):
    """A staged procedure of a ruleset, of one `kind`; `state` is that kind's dataclass as rules/procedures.py stores it.

    `ProcedureRules.shown` says which part of `state` everyone may see, and `version` counts the changes of that. `dropped` is
    set if a GM closed it, so that voiding a roll does not open it again. `stream` is where it is told: the table's, or that of
    the roll it began with. Of a kind that is `Played` (rolls/procedures.py), `cards` are what was told last, to everyone
    ("everyone") and, where they are told more, to GMs ("gm").
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="procedures")
    system = models.CharField(max_length=20)
    kind = models.CharField(max_length=20)
    reason = models.CharField(max_length=200, blank=True)
    stream = models.CharField(max_length=40, default=TABLE)
    state = models.JSONField()
    cards = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    opened_by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    dropped = models.BooleanField(default=False)

    class Meta:
        ordering = ["opened_at"]
        indexes = [
            models.Index(fields=["campaign"], condition=Q(closed_at=None), name="open_procedures"),
        ]

    def card_for(self, *, is_gm: bool) -> Any:
        """Return what was told of it last to GMs, or to everyone; None where its events hold its state instead."""
        everyones = self.cards.get("everyone")
        return self.cards.get("gm", everyones) if is_gm else everyones

    def card_digest(self, *, is_gm: bool) -> str:
        """Return how events name this card: by for whom it is, and 16 hex digits that nobody knows who has not seen it."""
        return f"{'gm' if is_gm else 'all'}.{fingerprint(self.card_for(is_gm=is_gm))[:16]}"


class ProcedureStep(models.Model):
    """A step that a GM can undo, the newest first: an act, or a `roll`, which is voided then.

    `uid` identifies it for undoing, and is the cause of what its effects write (campaigns/models/undo.py). `before` is the
    state before it; None for a roll that is only counted, and for one that began the procedure.
    """

    procedure = models.ForeignKey(Procedure, on_delete=models.CASCADE, related_name="steps")
    uid = models.UUIDField(default=uuid4, editable=False)
    before = models.JSONField(null=True)
    roll = models.OneToOneField("rolls.Roll", null=True, on_delete=models.PROTECT, related_name="procedure_step")

    class Meta:
        ordering = ["id"]

    @property
    def opens(self) -> bool:
        """Return whether the procedure began with this step."""
        if self.before is not None:
            return False
        return self.roll is None or self.roll.request is None or self.roll.request.procedure_id != self.procedure_id


class Audience(models.TextChoices):
    """Who sees a roll."""

    TABLE = "table", gettext_lazy("everyone")
    SELF = "self", gettext_lazy("me and the GM")
    GM = "gm", gettext_lazy("only the GM")


class RollRequest(models.Model):
    """A GM's request for a roll by one member, or by every player (`member` empty). It may change until it is rolled.

    While it is `announced`, its member wants to roll and a GM has yet to set the roll; until then it cannot be rolled.
    `terms` is what the GM has set, in the codes of its ruleset.

    `character` is whose roll it is, whichever character is at hand. In a request of a `procedure`, `part` names which
    of its rolls it is, and without a character the dice belong to no sheet. A GM may roll it for its member, and it
    stays open until the procedure closes it. In any other request without a character, the member chooses one.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="roll_requests")
    member = models.ForeignKey(Membership, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    system = models.CharField(max_length=20)
    terms = models.JSONField()
    reason = models.CharField(max_length=200, blank=True)
    audience = models.CharField(max_length=8, choices=Audience, default=Audience.TABLE)
    announced = models.BooleanField(default=False)
    asked_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    procedure = models.ForeignKey(Procedure, null=True, on_delete=models.PROTECT, related_name="requests")
    part = models.CharField(max_length=20, blank=True)
    character = models.ForeignKey(Character, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["asked_at"]

    @property
    def says_for_whom(self) -> bool:
        return self.procedure_id is not None or self.character_id is not None


class Roll(models.Model):
    """A roll as it fell: its terms, its faces, and the outcome by the rules. It is never deleted.

    `written` is what it wrote on sheets, each {"write", "cause"} (rolls/services/roll_making.py), whose values are in the
    journal (campaigns/models/undo.py); None for a roll from a version that did not keep it.

    `proof` is all one needs to compute the faces once the epoch's seed is revealed; None for dice that cannot be checked.
    `alike` is the same for all rolls with the same terms and result, but for what was noted. `rerolls` are later throws of
    some of its dice, oldest first: the positions of the dice (`at`), their faces `before`, all `faces` after it, and the
    throw's own `proof`. `proof` stays that of the first throw.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="rolls")
    character = models.ForeignKey(Character, null=True, on_delete=models.PROTECT, related_name="rolls")
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    system = models.CharField(max_length=20)
    kind = models.CharField(max_length=12)
    audience = models.CharField(max_length=8, choices=Audience)
    ask = models.JSONField()
    faces = models.JSONField()
    outcome = models.JSONField()
    alike = models.BigIntegerField(default=0)
    written = models.JSONField(null=True)
    hand_rolled = models.BooleanField(default=False)
    proof = models.JSONField(null=True)
    rerolls = models.JSONField(default=list)
    request = models.ForeignKey(RollRequest, null=True, on_delete=models.PROTECT, related_name="rolls")
    corrects = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="corrected_by")
    event = models.OneToOneField(Event, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    revealed_at = models.DateTimeField(null=True, blank=True)
    voided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["campaign", "event"], name="roll_by_event"),
            models.Index(fields=["character", "by", "-at"], name="roll_of_character"),
        ]

    @cached_property
    def notes(self) -> list[Written]:
        """Return what the journal has of it: its writes that stand, field by field."""
        causes = [one["cause"] for one in self.written or ()]
        return list(Written.objects.filter(campaign=self.campaign_id, cause__in=causes)) if causes else []


class SavedRoll(models.Model):
    """A named roll: the `fields` of the roll form, by their names, as they were typed.

    Only the member who saved it sees it: a GM's for an NPC may hold what its next player must not know.
    """

    LONGEST_NAME = 60

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    character = models.ForeignKey(Character, on_delete=models.PROTECT, related_name="saved_rolls")
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=LONGEST_NAME)
    system = models.CharField(max_length=20)
    fields = models.JSONField()
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["saved_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["character", "by", "name"], name="a_saved_roll_has_a_name_of_its_own")
        ]


class RollTable(models.Model):
    """A table that GMs roll on, as it was written (rules/roll_tables.py): only they see it, players see what it came to.

    `dice` is one of the codes of its rules, or "" for weights.
    """

    LONGEST_NAME = 80
    MOST = 200
    """How many a campaign has."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="roll_tables")
    name = models.CharField(max_length=LONGEST_NAME)
    dice = models.CharField(max_length=8, blank=True)
    lines = models.TextField()
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["made_at", "id"]

    @property
    def ref(self) -> dict[str, str]:
        """Return how payloads name this table."""
        return {"id": str(self.pk), "name": self.name}


class SeedEpoch(models.Model):
    """The secret seed of the dice of one session, or of a day between sessions. Numbers run 1, 2, 3 … within the campaign.

    Dice come from the lowest epoch that is not closed; the next one is already committed to. `seed` and `blind` are 64 hex
    digits each. `seed` stays secret until the epoch is closed, `blind` is never shown to anyone but the GMs.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="epochs")
    number = models.PositiveIntegerField()
    seed = models.CharField(max_length=64)
    blind = models.CharField(max_length=64)
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="epoch_numbers_are_unique"),
            models.UniqueConstraint(
                fields=["campaign"],
                condition=Q(opened_at__isnull=False, closed_at=None),
                name="one_open_epoch",
            ),
        ]

    @property
    def name(self) -> str:
        """Return how messages, proofs and events call it."""
        return str(self.number)


class Witness(models.Model):
    """A player's browser's contribution to the dice of one GM's roll; `roll` is the id that this roll has or will have.

    `asked_by`, `client_seed` and `spec` are the GM's, and fixed before anyone is asked. `seed` is 32 hex digits, or ""
    until a player gives one; it stays "" if the roll falls without.
    """

    roll = models.UUIDField(primary_key=True)
    epoch = models.ForeignKey(SeedEpoch, on_delete=models.PROTECT, related_name="witnesses")
    client_seed = models.CharField(max_length=32)
    spec = models.CharField(max_length=40)
    asked_by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    seed = models.CharField(max_length=32)
    by = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+")
