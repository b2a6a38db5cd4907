"""Forms of clocks: making and changing one (GMs), ticking one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from campaigns.clocks import FEWEST_SEGMENTS, MOST_SEGMENTS, MOST_TICKS
from campaigns.forms.fields import LineField
from campaigns.forms.play import members_of
from campaigns.models import Campaign, Clock, ClockKind, ClockOwner, ClockVisibility, Role
from campaigns.queries.clocks import owners_of
from campaigns.services.clocks import Draft, Rival, owner_key

NAME = 80
REASON = 200


class SegmentsField(forms.IntegerField):
    """A clock's size."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=FEWEST_SEGMENTS, max_value=MOST_SEGMENTS, **kwargs)
        wrong = format_lazy(_("A clock has {low} to {high} segments."), low=FEWEST_SEGMENTS, high=MOST_SEGMENTS)
        self.error_messages |= {"invalid": wrong}
        for validator in self.validators:
            validator.message = wrong  # type: ignore[attr-defined]  # Django's own two know it


class ClockField(forms.ModelChoiceField):
    """One of some clocks. All others are refused in the same way, whether hidden, of another campaign, or not an id."""

    def to_python(self, value: Any) -> Clock | None:
        try:
            return super().to_python(value)
        except ValidationError:
            raise ValidationError(self.error_messages["invalid_choice"], code="invalid_choice") from None


class ClockLineForm(forms.Form):
    """A clock as it is typed in one line: "The wardens notice 6"; without a number it has four segments."""

    line = LineField(max_length=NAME + 3)

    def clean_line(self) -> Draft:
        """Return the clock that everyone sees. Raises ValidationError for a size that no clock has."""
        words: str = self.cleaned_data["line"].strip()
        name, _space, size = words.rpartition(" ")
        if not (name and size.isascii() and size.isdecimal()):
            name, size = words, "4"
        return Draft(name=name[:NAME].strip(), segments=SegmentsField().clean(size))


class ClockForm(forms.Form):
    """A clock as the GM writes it. `clock` is the one that is changed, None for a new one; `seen` its version in the form."""

    name = LineField(label=_("Name"), max_length=NAME)
    kind = forms.ChoiceField(label=_("Kind"), choices=ClockKind.choices)
    segments = SegmentsField(
        label=_("Segments"),
        initial=4,
        help_text=_("From 2 to 12. Usually 4 (complex), 6 (complicated) or 8 (daunting)."),
    )
    after = ClockField(
        label=_("Opens after"),
        queryset=Clock.objects.none(),
        required=False,
        empty_label=_("(not a linked clock)"),
        help_text=_("For a linked clock: it opens when this one is full. Until then, players don’t see it."),
    )
    visibility = forms.ChoiceField(label=_("Visibility"), choices=ClockVisibility.choices)
    owner = forms.ChoiceField(
        label=_("Owner"),
        help_text=_(
            "GMs can tick every clock. Players can tick visible ones that belong to them, their character or the crew."
        ),
    )
    expected = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, campaign: Campaign, *args: Any, clock: Clock | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        after, owner = self.fields["after"], self.fields["owner"]
        assert isinstance(after, ClockField) and isinstance(owner, forms.ChoiceField)  # noqa: S101  # for mypy
        after.queryset = _openers(campaign, clock)
        after.error_messages["invalid_choice"] = _("That clock is no longer on the table. Choose another.")
        owner.choices = _owner_choices(campaign, clock)
        owner.error_messages["invalid_choice"] = _("Choose someone who’s in this campaign now.")

    @property
    def draft(self) -> Draft:
        """Return the clock's draft from a valid form."""
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
        label=_("Filled at the start"),
        min_value=0,
        max_value=MOST_SEGMENTS - 1,
        initial=0,
        help_text=_("A tug-of-war often starts in the middle."),
    )
    rival_name = LineField(
        label=_("Racing against"),
        max_length=NAME,
        required=False,
        help_text=_("For a racing pair: the name of the other clock."),
    )
    rival_segments = SegmentsField(label=_("Segments of the other clock"), required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if cleaned.get("rival_name") and not cleaned.get("rival_segments") and "rival_segments" not in self.errors:
            self.add_error("rival_segments", _("Enter how many segments the other clock has."))
        return cleaned

    @property
    def rival(self) -> Rival | None:
        """Return the draft of the racing pair's other clock from a valid form; None without one."""
        cleaned = self.cleaned_data
        return Rival(cleaned["rival_name"], cleaned["rival_segments"]) if cleaned["rival_name"] else None


class TickForm(forms.Form):
    """Asks how far to tick a clock, and why."""

    ticks = forms.IntegerField(
        label=_("Ticks"),
        min_value=-MOST_TICKS,
        max_value=MOST_TICKS,
        initial=1,
        help_text=_("Use a negative number to untick."),
        # It is fetched by a button somewhere else on the page.
        widget=forms.NumberInput(attrs={"autofocus": True}),
    )
    reason = LineField(label=_("Reason"), max_length=REASON, required=False)

    def clean_ticks(self) -> int:
        if self.cleaned_data["ticks"] == 0:
            raise ValidationError(_("Tick at least one segment, or use a negative number to untick."))
        return self.cleaned_data["ticks"]


class CardTickForm(TickForm):
    """Which of the clocks that this person may tick, too."""

    clock = ClockField(
        label=_("Clock"),
        queryset=Clock.objects.none(),
        empty_label=None,
        error_messages={"required": _("Choose a clock."), "invalid_choice": _("Choose one of these clocks.")},
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
        (f"member:{member.number}", member.name)
        for member in members_of(campaign)
        if Role(member.role).at_least(Role.PLAYER)
    ]
    others = [(owner.key, owner.name) for owner in owners_of(campaign).values() if owner.active]
    choices: list[Any] = [
        (ClockOwner.GM.value, _("the GM")),
        (ClockOwner.CREW.value, _("the crew")),
        (_("Players"), members),
        (_("Characters"), others),
    ]
    if clock and owner_key(clock) not in {key for key, __ in [*choices[:2], *members, *others]}:
        choices.append((owner_key(clock), clock.owner_name))
    return choices
