"""Forms of clocks: making and changing one (GMs), ticking one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet

from campaigns.clocks import FEWEST_SEGMENTS, MOST_SEGMENTS, MOST_TICKS, SIZE_NAMES
from campaigns.forms.fields import LineField
from campaigns.forms.play import members_of
from campaigns.models import Campaign, Clock, ClockKind, ClockOwner, ClockVisibility, Role
from campaigns.queries.clocks import owners_of
from campaigns.services.clock_drafts import Draft, Rival, owner_key

NAME = 80
REASON = 200

SIZES = ", ".join(f"{size} {word}" for size, word in SIZE_NAMES.items())


class SegmentsField(forms.IntegerField):
    """A clock's size."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=FEWEST_SEGMENTS, max_value=MOST_SEGMENTS, **kwargs)
        wrong = f"A clock has from {FEWEST_SEGMENTS} to {MOST_SEGMENTS} segments, a whole number."
        self.error_messages |= {"invalid": wrong}
        for validator in self.validators:
            validator.message = wrong  # type: ignore[attr-defined]  # Django's own two know it


class ClockField(forms.ModelChoiceField):
    """One of some clocks. What is not among them is refused in one way, be it hidden, of another campaign, or no id at all."""

    def to_python(self, value: Any) -> Clock | None:
        try:
            return super().to_python(value)
        except ValidationError:
            raise ValidationError(self.error_messages["invalid_choice"], code="invalid_choice") from None


class ClockForm(forms.Form):
    """A clock as the GM writes it. `clock` is the one that is changed, None for a new one; `seen` its version in the form."""

    name = LineField(label="Name", max_length=NAME)
    kind = forms.ChoiceField(label="Kind", choices=ClockKind.choices)
    segments = SegmentsField(label="Segments", initial=4, help_text=f"From 2 to 12: {SIZES}.")
    after = ClockField(
        label="Opens when this is full",
        queryset=Clock.objects.none(),
        required=False,
        empty_label="(not a linked clock)",
        help_text="For a linked clock. Until then players know nothing of it.",
    )
    visibility = forms.ChoiceField(label="Who sees it", choices=ClockVisibility.choices)
    owner = forms.ChoiceField(
        label="Whose it is", help_text="You tick every clock. Players tick visible ones of theirs, and the crew’s."
    )
    expected = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, campaign: Campaign, *args: Any, clock: Clock | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        after, owner = self.fields["after"], self.fields["owner"]
        assert isinstance(after, ClockField) and isinstance(owner, forms.ChoiceField)  # noqa: S101  # for mypy
        after.queryset = _openers(campaign, clock)
        after.error_messages["invalid_choice"] = "That clock is no longer on the table. Choose another."
        owner.choices = _owner_choices(campaign, clock)
        owner.error_messages["invalid_choice"] = "Choose somebody who is at this table now."

    @property
    def draft(self) -> Draft:
        """Return what a valid form says of the clock."""
        cleaned = self.cleaned_data
        return Draft(
            name=cleaned["name"],
            segments=cleaned["segments"],
            kind=ClockKind(cleaned["kind"]),
            visibility=ClockVisibility(cleaned["visibility"]),
            owner=cleaned["owner"],
            after=cleaned["after"],
        )


class NewClockForm(ClockForm):
    """A new clock, or the two of a racing pair."""

    often = ("name", "kind", "segments", "visibility")

    filled = forms.IntegerField(
        label="Filled to begin with",
        min_value=0,
        max_value=MOST_SEGMENTS - 1,
        initial=0,
        help_text="A tug-of-war often starts in the middle.",
    )
    rival_name = LineField(
        label="Races against",
        max_length=NAME,
        required=False,
        help_text="For a racing pair: the name of the other clock.",
    )
    rival_segments = SegmentsField(label="Segments of the other clock", required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if cleaned.get("rival_name") and not cleaned.get("rival_segments") and "rival_segments" not in self.errors:
            self.add_error("rival_segments", "Say how many segments the other clock has.")
        return cleaned

    @property
    def rival(self) -> Rival | None:
        """Return what a valid form says of the other clock of a racing pair."""
        cleaned = self.cleaned_data
        return Rival(cleaned["rival_name"], cleaned["rival_segments"]) if cleaned["rival_name"] else None


class TickForm(forms.Form):
    """Asks how far to tick a clock, and why."""

    ticks = forms.IntegerField(
        label="Ticks",
        min_value=-MOST_TICKS,
        max_value=MOST_TICKS,
        initial=1,
        help_text="Less than 0 unticks.",
        # It is fetched by a button somewhere else on the page.
        widget=forms.NumberInput(attrs={"autofocus": True}),
    )
    reason = LineField(label="Why", max_length=REASON, required=False)

    def clean_ticks(self) -> int:
        if self.cleaned_data["ticks"] == 0:
            raise ValidationError("Tick by one segment at least, or untick with a negative number.")
        return self.cleaned_data["ticks"]


class CardTickForm(TickForm):
    """Which of the clocks that this person may tick, too."""

    clock = ClockField(
        label="Clock",
        queryset=Clock.objects.none(),
        empty_label=None,
        error_messages={"required": "Choose a clock.", "invalid_choice": "Choose one of these clocks."},
    )
    field_order = ("clock", "ticks", "reason")

    def __init__(self, clocks: list[Clock], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        clock = self.fields["clock"]
        assert isinstance(clock, ClockField)  # noqa: S101  # for mypy
        clock.queryset = Clock.objects.filter(pk__in=[shown.pk for shown in clocks])


def _openers(campaign: Campaign, clock: Clock | None) -> QuerySet[Clock]:
    """Return the clocks that can open another: those on the table, and the one that does so now."""
    running = Q(archived_at=None)
    if clock is None:
        return Clock.objects.filter(running, campaign=campaign)
    return Clock.objects.filter(running | Q(next=clock), campaign=campaign).exclude(pk=clock.pk).distinct()


def _owner_choices(campaign: Campaign, clock: Clock | None) -> list[Any]:
    members = [
        (f"member:{member.pk}", member.name)
        for member in members_of(campaign)
        if Role(member.role).at_least(Role.PLAYER)
    ]
    others = [(owner.key, owner.name) for owner in owners_of(campaign).values() if owner.active]
    choices: list[Any] = [
        (ClockOwner.GM.value, "the GM"),
        (ClockOwner.CREW.value, "the crew"),
        ("Players", members),
        ("Characters", others),
    ]
    if clock and owner_key(clock) not in {key for key, _ in [*choices[:2], *members, *others]}:
        choices.append((owner_key(clock), clock.owner_name))
    return choices
