"""The people who sign in: one account a person, known by a display name at every table."""

from __future__ import annotations

import zoneinfo

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from languages.letters import hidden_in, normalised


class Hue(models.TextChoices):
    """The palette a member's name and token are drawn in; each is a class in tokens.css, so no inline style is needed."""

    AMBER = "amber", gettext_lazy("Amber")
    CORAL = "coral", gettext_lazy("Coral")
    ROSE = "rose", gettext_lazy("Rose")
    ORCHID = "orchid", gettext_lazy("Orchid")
    SKY = "sky", gettext_lazy("Sky")
    TEAL = "teal", gettext_lazy("Teal")
    FERN = "fern", gettext_lazy("Fern")
    SAND = "sand", gettext_lazy("Sand")


class Theme(models.TextChoices):
    SYSTEM = "system", gettext_lazy("Same as my device")
    LIGHT = "light", pgettext_lazy("a theme", "Light")
    DARK = "dark", pgettext_lazy("a theme", "Dark")


class Volume(models.IntegerChoices):
    """The loudness of a table's sounds, in per cent."""

    OFF = 0, pgettext_lazy("sound", "Off")
    QUIET = 30, pgettext_lazy("sound", "Quiet")
    MEDIUM = 60, pgettext_lazy("sound", "Medium")
    LOUD = 100, pgettext_lazy("sound", "Loud")


def validate_time_zone(name: str) -> None:
    if name not in zoneinfo.available_timezones():
        raise ValidationError(_("Choose a time zone from the list, such as Europe/Berlin."))


def zone_of(name: str) -> zoneinfo.ZoneInfo:
    """Return a time zone; UTC for a name that the list of this machine does not have."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (KeyError, ValueError):
        return zoneinfo.ZoneInfo("UTC")


JOINERS = "\u200c\u200d"  # Persian words and many emoji are written with them


def validate_line(text: str) -> None:
    if hidden_in(text) or not all(letter.isprintable() or letter in JOINERS for letter in text):
        raise ValidationError(_("It has a character that can’t be shown. Delete it and try again."))


class User(AbstractUser):
    """An account. `display_name` is what others see; the user name is only for signing in.

    `language` is a code of settings.LANGUAGES, or "" for the language of the browser. `calendar_key` is in the address of their
    calendar (campaigns/queries/dates.py); None while it has none.
    """

    display_name = models.CharField(max_length=60, blank=True, validators=[validate_line])
    pronouns = models.CharField(max_length=40, blank=True, validators=[validate_line])
    colour = models.CharField(max_length=10, choices=Hue, default=Hue.AMBER)
    theme = models.CharField(max_length=10, choices=Theme, default=Theme.SYSTEM)
    time_zone = models.CharField(max_length=60, default="UTC", validators=[validate_time_zone])
    language = models.CharField(max_length=10, blank=True)
    single_keys = models.BooleanField(default=True)
    motion = models.BooleanField(default=True)
    sound = models.PositiveSmallIntegerField(choices=Volume, default=Volume.OFF)
    calendar_key = models.UUIDField(null=True, blank=True, unique=True)

    @property
    def name(self) -> str:
        """Return the name that others see."""
        return self.display_name or self.username

    def clean(self) -> None:
        super().clean()
        self.display_name, self.pronouns = normalised(self.display_name), normalised(self.pronouns)
