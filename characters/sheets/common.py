"""The fields of every sheet, whatever its system: identity, notes, and links."""

from __future__ import annotations

from characters.sheets.fields import Link, Marks, Number, Rows, Text, Visibility
from characters.sheets.sheet import Group
from languages.text import gettext_lazy as _
from languages.text import pgettext_lazy, pgettext_noop

MOST_LINKS = 40
LINKS = ("known_links", "links")
"""The lists of links to other characters: the public one, and the one on the sheet."""

# How an NPC feels about the player characters. Every NPC has it, and only they.
DISPOSITION = Number(
    "disposition", _("Disposition"), minimum=-5, maximum=5, rollable=False, marks=Marks.SIGNED, drawn=0
)

_BINDS = (Link("to", pgettext_lazy("a link", "To")), Text("words", _("Connection"), required=True))

PRONOUNS = (
    pgettext_noop("pronouns", "she/her"),
    pgettext_noop("pronouns", "he/him"),
    pgettext_noop("pronouns", "they/them"),
)

ABOUT = Group(
    "about",
    pgettext_lazy("a sheet", "About"),
    (
        Text("pronouns", _("Pronouns"), Visibility.PUBLIC, longest=40, suggests=PRONOUNS, context="pronouns"),
        Text("description", _("Description"), Visibility.PUBLIC, long=True),
        Rows(
            "known_links",
            _("Public links"),
            _("Public link"),
            _BINDS,
            most=MOST_LINKS,
            title="words",
            visibility=Visibility.PUBLIC,
        ),
        Rows(
            "links",
            pgettext_lazy("between characters", "Links"),
            pgettext_lazy("between characters", "Link"),
            _BINDS,
            most=MOST_LINKS,
            title="words",
        ),
        Text("journal", _("Journal"), Visibility.PUBLIC, long=True),
        Text("notes", _("Your notes"), Visibility.PRIVATE, long=True),
        Text("gm_notes", _("GM notes"), Visibility.SECRET, long=True),
    ),
    at_hand=False,
)


def number(name: str, label: str, maximum: int, default: int = 0, *, minimum: int = 0) -> Number:
    """Return a number that is shown as digits and not rolled: money, points, counts."""
    return Number(
        name, label, minimum=minimum, maximum=maximum, default=default, rollable=False, marks=Marks.NUMBER, drawn=0
    )


def boxes(name: str, label: str, maximum: int, *, ceiling: str = "", default: int = 0) -> Number:
    """Return a number that is marked off in boxes and not rolled: stress, points of a pool, a clock."""
    return Number(
        name,
        label,
        maximum=maximum,
        default=default,
        rollable=False,
        ceiling=ceiling,
        marks=Marks.BOXES,
        drawn=0,
    )
