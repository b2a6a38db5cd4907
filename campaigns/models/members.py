"""Campaigns, their members, and the view of a person on one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import count
from typing import Any, TypeVar
from uuid import UUID, uuid4

from django.conf import settings
from django.db import models
from django.db.models import F, Max, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from campaigns.errors import Forbidden
from database.compiled import Parameter
from languages import text
from languages.letters import fold, look_alike

T = TypeVar("T")

TABLE, GM = "table", "gm"
"""The names of the streams of everyone and of GMs; `member_stream` gives that of one member."""
FORMER = gettext_noop("a former player")
"""In payloads, the name of those whose account is deleted; `name_words` gives the words to show."""
WELCOME = "welcome"
"""In the address of a page: its reader has just sat down at the table."""
PAUSED = text.gettext_lazy("Let’s stop here for a moment. Someone asked to. No one has to say why.")
"""Shown to everyone while play is paused, unless the group has chosen its own words."""


def name_words(name: str) -> str:
    """Return the name of a person in a payload as it is read."""
    return _(FORMER) if name == FORMER else name


def member_stream(number: int) -> str:
    """Return the name of the stream that one member and the GMs see."""
    return f"member:{number}"


class Role(models.TextChoices):
    SPECTATOR = "spectator", gettext_lazy("Spectator")
    PLAYER = "player", gettext_lazy("Player")
    GM = "gm", gettext_lazy("GM")

    @property
    def phrase(self) -> str:
        """Return the role as in a sentence: "a player"."""
        return {Role.SPECTATOR: _("a spectator"), Role.PLAYER: _("a player"), Role.GM: _("a GM")}[self]

    @property
    def needed_to_act(self) -> str:
        """Return the message for a person who would need this role to do something."""
        return _("Only a GM can do that.") if self is Role.GM else _("Only players and GMs can do that.")

    @property
    def needed_to_see(self) -> str:
        """Return the message for a person who would need this role to see a page."""
        return _("Only a GM can see this.") if self is Role.GM else _("Only players and GMs can see this.")

    def at_least(self, other: Role) -> bool:
        """Return whether this role may do what `other` may: a GM is also a player, a player also a spectator."""
        order = list(Role)
        return order.index(self) >= order.index(other)


class Campaign(models.Model):
    """A table. `lock` lets it have one writer at a time; `systems` are the names of its rulesets
    (campaigns/rulesets.py), and `settings` their options. `is_sample` marks the table that anyone may watch
    (campaigns/services/campaigns.py). `doors` counts how often somebody lost
    access (campaigns/services/campaigns.py). `is_paused` does not say since when, nor who
    asked; `pause_key` is the key of the last pause (campaigns/services/safety.py).

    Up to 0.2 the log of a campaign could be imported without anything else: `imported_at` marks these. Where `bringing` is not
    empty that was never finished, and there are no members.
    """

    COVER = 16
    """Characters of the digest by which a cover is known (campaigns/models/pictures.py)."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=80)
    pitch = models.TextField(max_length=2000, blank=True)
    cover = models.CharField(max_length=COVER, blank=True)
    systems = models.JSONField(default=list)
    settings = models.JSONField(default=dict)
    lock = models.PositiveBigIntegerField(default=0)
    watch_hash = models.CharField(max_length=64, blank=True, help_text="Of the spectator link's token; empty is off.")
    is_sample = models.BooleanField(default=False)
    doors = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    imported_at = models.DateTimeField(null=True, blank=True)
    bringing = models.CharField(max_length=64, blank=True, help_text="Digest of the log that is still being written.")
    is_paused = models.BooleanField(default=False)
    pause_key = models.UUIDField(null=True, blank=True)
    pause_words = models.CharField(max_length=300, blank=True, help_text="Empty is PAUSED.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["is_sample"], condition=Q(is_sample=True), name="one_sample")]

    def __str__(self) -> str:
        return self.name

    @property
    def url(self) -> str:
        """Return the table's address. An app above this one draws the page, so its view's name cannot be used here."""
        return f"/c/{self.slug}/"

    @property
    def newcomers_url(self) -> str:
        """Return the address where a new member finds the ways to create a character."""
        return f"{self.url}characters/new/?{WELCOME}"

    @property
    def lets_in(self) -> bool:
        """Return whether GMs may admit and remove people: in an open campaign, and in an imported archive, which cannot
        be reopened for that.
        """
        return self.archived_at is None or self.imported_at is not None

    @property
    def words_of_pause(self) -> str:
        """Return the words that everyone reads while play is paused, ours in the language of whoever reads them."""
        return self.pause_words or PAUSED

    @property
    def paused(self) -> str:
        """Return the same, while it is; "" while play goes on."""
        return self.words_of_pause if self.is_paused else ""

    def payload(self) -> dict[str, Any]:
        return {"name": self.name, "pitch": self.pitch, "systems": self.systems}


class MembershipQuerySet(models.QuerySet["Membership"]):
    def active(self) -> MembershipQuerySet:
        """Return those who belong to the campaign now."""
        return self.filter(left_at=None)

    def unclaimed(self) -> MembershipQuerySet:
        """Keep the seats of people who have not come yet to where their campaign moved."""
        return self.active().filter(user=None)

    def leading_elsewhere(self, by: Membership) -> MembershipQuerySet:
        """Return a person's memberships as a GM of other campaigns, but for imported ones."""
        here = self.active().filter(user=by.user, role=Role.GM, campaign__imported_at=None)
        return here.exclude(campaign=by.campaign_id)

    def newcomer(self, campaign: Campaign, user: Any) -> Membership:
        """Return a new, unsaved membership for a person who was never at this table. Call it under the campaign's lock.

        In a campaign from another server their number is one that its log has not used, or they would read another's stream.
        """
        new = Membership(campaign=campaign, user=user)
        if most := self.filter(campaign=campaign).aggregate(most=Max("abroad"))["most"]:
            new.abroad = most + 1
        return new

    def numbered(self, campaign: UUID, number: int | None) -> Membership | None:
        """Return the person whom a campaign's log knows by this number; None without one."""
        known = Q(abroad=number) | Q(abroad=None, pk=number)
        return self.filter(known, campaign=campaign).select_related("user").first()


class Membership(models.Model):
    """A person at a table. The row outlives leaving and the account, so that old events keep their actor.

    `here_at` is when they last looked at the table or its log, `last_visit` when the visit before this one ended
    (campaigns/services/members.py). In a campaign from another server, `abroad` is the number that its log knows them by, and
    `called` the name of those who have no account here yet. `alike` stands behind a name that looks like another's here (2,
    3 …), 0 for none.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    joined_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)
    here_at = models.DateTimeField(null=True, blank=True)
    last_visit = models.DateTimeField(null=True, blank=True)
    called = models.CharField(max_length=120, blank=True)
    abroad = models.PositiveBigIntegerField(null=True, blank=True)
    alike = models.PositiveSmallIntegerField(default=0)

    is_program = False
    """Whether a program acts for them, with a token; not stored."""

    objects = MembershipQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "user"], name="one_membership_a_person")]

    def __str__(self) -> str:
        return f"{self.name} in {self.campaign}"

    @property
    def name(self) -> str:
        return name_words(self.kept_name)

    @property
    def kept_name(self) -> str:
        """Return the name for payloads."""
        name = self.user.name if self.user else self.called or FORMER
        return f"{name} ({self.alike})" if self.user and self.alike else name

    @property
    def colour(self) -> str:
        return self.user.colour if self.user else "sand"

    @property
    def is_gm(self) -> bool:
        return self.role == Role.GM

    @property
    def number(self) -> int:
        """Return the number by which the campaign's log knows this person."""
        return self.pk if self.abroad is None else self.abroad

    def tell_apart(self) -> None:
        """Set `alike` to the least number that no one here has whose name looks like this person's. Saves nothing."""
        here = Membership.objects.active().filter(campaign=self.campaign_id).exclude(pk=self.pk).select_related("user")
        name = self.user.name if self.user else ""
        taken = {other.alike or 1 for other in here if other.user and look_alike(other.user.name, name)}
        least = next(number for number in count(1) if number not in taken)
        self.alike = least if taken and least > 1 else 0

    @property
    def stream(self) -> str:
        """Return the name of the stream that this member and the GMs see."""
        return member_stream(self.number)


class Invitation(models.Model):
    """A link that lets people in. Only the hash of its token is kept, so that a stolen database opens no door. With a `seat` it
    is for one person, who becomes that member of a campaign that moved here.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="invitations")
    token_hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=10, choices=Role)
    seat = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+")
    made_by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    uses_left = models.PositiveIntegerField(null=True, blank=True, help_text="Empty is without limit.")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(role=""), name="invitation_has_a_role")]

    def __str__(self) -> str:
        return f"Invitation to {self.campaign} as {self.get_role_display()}"

    def is_good(self, now: datetime) -> bool:
        """Return whether the invitation still works."""
        runs = self.expires_at is None or now < self.expires_at
        return self.revoked_at is None and runs and self.uses_left != 0


@dataclass(frozen=True)
class Viewer:
    """The view of one person on a campaign.

    `membership` is None for spectators by the link or at the sample table, and for a GM's preview; in a preview `real`
    is the GM's own membership, else None. `role` is what pages are drawn for.
    """

    campaign: Campaign
    membership: Membership | None
    role: Role
    real: Membership | None = None
    _read: dict[Callable[[Viewer], Any], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, read: Callable[[Viewer], T]) -> T:
        """Return `read(viewer)`, calling it only once: for data that several parts of a page need."""
        if read not in self._read:
            self._read[read] = read(self)
        result: T = self._read[read]
        return result

    @property
    def is_gm(self) -> bool:
        return self.role == Role.GM

    @cached_property
    def streams(self) -> list[str] | None:
        """Return the streams this viewer sees; None for all of them."""
        if self.is_gm:
            return None
        return [TABLE] if self.membership is None else [TABLE, self.membership.stream]

    @property
    def belongs(self) -> bool:
        """Return whether they are a member, not a watcher by the link or at the sample table."""
        return self.membership is not None or self.real is not None

    @property
    def by(self) -> Membership:
        """Return the membership that acts. Raises Forbidden for viewers that only watch."""
        if self.real is not None:
            raise Forbidden(_("You’re previewing this campaign. Go back to the GM view to make changes."))
        if self.membership is None:
            raise Forbidden(_("You’re only watching."))
        return self.membership

    @property
    def is_read_only(self) -> bool:
        return self.real is not None or self.membership is None


class BoundariesQuerySet(models.QuerySet["Boundaries"]):
    def merged(self, campaign: Campaign) -> dict[str, list[str]]:
        """Return {"lines", "veils"} of all current members, sorted and without repetition, so that nothing shows whose
        they are. What is anyone's line is left out of the veils.
        """
        written = list(self.filter(member__campaign=campaign, member__left_at=None))
        lines = _each_once(line for boundaries in written for line in boundaries.lines)
        veils = _each_once((veil for boundaries in written for veil in boundaries.veils), without=lines)
        return {"lines": lines, "veils": veils}


class Boundaries(models.Model):
    """Those of one member; lists of lines of text."""

    member = models.OneToOneField(Membership, primary_key=True, on_delete=models.CASCADE, related_name="boundaries")
    lines = models.JSONField(default=list)
    veils = models.JSONField(default=list)

    objects = BoundariesQuerySet.as_manager()

    def __str__(self) -> str:
        # Without a name, as this may appear in a log of errors.
        return "lines and veils"

    @property
    def texts(self) -> dict[str, str]:
        """Return them as a form has them: one a line."""
        return {"lines": "\n".join(self.lines), "veils": "\n".join(self.veils)}


def _each_once(entries: Iterable[str], without: Iterable[str] = ()) -> list[str]:
    """Return the entries without repetition, whatever their case and accents: of several spellings the first in the alphabet."""
    taken = {fold(entry) for entry in without}
    by_key: dict[str, str] = {}
    for entry in sorted(entries):
        by_key.setdefault(fold(entry), entry)
    return [by_key[key] for key in sorted(by_key.keys() - taken)]


# Tokens of the API: what lets a program in as one member of one campaign.


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def good(self, now: datetime | Parameter) -> ApiTokenQuerySet:
        """Keep the tokens that work. Tokens end with the membership: a member who left and came back needs new ones."""
        runs = Q(expires_at=None) | Q(expires_at__gt=now)
        here = {"membership__left_at": None, "membership__user__is_active": True}
        return self.filter(runs, revoked_at=None, made_at__gte=F("membership__joined_at"), **here)

    def ended_before(self, moment: datetime) -> ApiTokenQuerySet:
        """Keep the tokens that ended before a moment: expired, revoked, or of a member who left (and may have come back)."""
        left = Q(membership__left_at__lt=moment) | Q(
            made_at__lt=F("membership__joined_at"), membership__joined_at__lt=moment
        )
        return self.filter(Q(expires_at__lt=moment) | Q(revoked_at__lt=moment) | left)

    def with_members(self) -> ApiTokenQuerySet:
        return self.select_related("membership__campaign", "membership__user")


class ApiToken(models.Model):
    """A token of one member. Only its hash is kept, so that a stolen database opens no door, and how it `begins`, to know it
    by.

    One that does not write reads only. `used_at` is written down once in a while (campaigns/services/members.py).
    """

    BEGINS = 16
    """Characters of it that are shown later."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    membership = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="api_tokens")
    name = models.CharField(max_length=80)
    hash = models.CharField(max_length=64, unique=True)
    begins = models.CharField(max_length=BEGINS)
    writes = models.BooleanField(default=False)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.name} of {self.membership}"

    @property
    def viewer(self) -> Viewer:
        """Return the token's viewer: it sees the campaign as its member does, and acts as a program."""
        member = self.membership
        member.is_program = True
        return Viewer(member.campaign, member, Role(member.role))
