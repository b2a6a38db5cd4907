"""The forms of VI-VIII-X: that of a roll, and those of acts whose templates need more than what is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, Final

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from characters.sheets.fields import SheetError
from characters.sheets.traits import Trait
from languages.text import gettext_lazy
from rolls.forms.asked import ActForm
from rolls.forms.base import FacesField, RollForm, WholeNumber
from rolls.settings import roll_settings
from rolls.stage import Prepared, Press, Presses, faces
from rules.acting import OPEN
from rules.dice import LARGEST_DIE
from rules.errors import RuleError
from rules.table import Table
from rulesets.arc.procedures.check import LONGEST_LIST
from rulesets.arc.procedures.tracker import HOW, foes, known, occasions
from rulesets.arc.rows import Person
from rulesets.arc.rules.body import Size
from rulesets.arc.rules.check import ADVANTAGES, DISADVANTAGES, LARGEST_OTHER, Chip, Typed, actions_in_turn, counted
from rulesets.arc.rules.tracker import LONGEST_NAME, Mind
from rulesets.arc.settings import AVERAGE, BURDEN_WORDS, LEVEL_LABELS, SCORES, THRESHOLDS, Burden, Level, Settings
from rulesets.arc.sheet import SHEET, SIZE_WORDS, find_skill, find_stat, stat_of_skill
from rulesets.arc.table import NAME, ArcInput, Kind, check_words, die_bar, die_line

KINDS = [
    (Kind.CHECK.value, gettext_lazy("check")),
    (Kind.OPPOSED.value, gettext_lazy("opposed check")),
    (Kind.REACTION.value, gettext_lazy("reaction")),
]
NUMBER = re.compile(r"[+-]?[0-9]+")
LEVELS = [(level.value, label) for level, label in LEVEL_LABELS.items()]


def _number(name: str, limits: tuple[int, int], label: str | None = "", *, usual: int | None = None) -> WholeNumber:
    low, high = limits
    words = format_lazy(gettext_lazy("{name} goes from {low} to {high}."), name=name, low=low, high=high)
    return WholeNumber(label, low, high, usual, words=words)


# Adjustments for and against a check, as people type them: "higher ground +1, rain -1, asleep +2", or one number for all of them.

SIGNS: Final = {"−": "-", "–": "-", "+": "+", "-": "-"}  # as phones and texts write minus
TOTAL: Final = re.compile(r"([+−–-]?)\s*(\d{1,9})")
NAMED: Final = re.compile(r"(.+?)\s*([+−–-])\s*(\d{1,3})")


class ChipsField(LineField):
    """Gives a `Typed`. A bare number is all other adjustments at once; a named one of more than 2 is a special rule's."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": LONGEST_LIST, "required": False, **kwargs})

    def clean(self, value: Any) -> Typed:
        text = super().clean(value).strip()
        if not text:
            return Typed()
        if number := TOTAL.fullmatch(text):
            total = _typed(number[1], number[2])
            if abs(total) > LARGEST_OTHER:
                raise forms.ValidationError(
                    _("Other adjustments go from −{most} to +{most}.").format(most=LARGEST_OTHER)
                )
            return Typed(total)
        try:
            chips = tuple(_chip(word.strip()) for word in text.split(",") if word.strip())
            return Typed(counted(chip.value for chip in chips), chips)
        except RuleError as error:
            raise forms.ValidationError(error.message) from error


def _chip(text: str) -> Chip:
    named = NAMED.fullmatch(text)
    if named is None:
        message = _("Enter a number, or words with their values, for example: higher ground +1, rain -1.")
        raise RuleError("other", text, allowed="words with a number", message=message)
    return Chip(word=named[1].strip(), value=_typed(named[2], named[3]))


def _typed(sign: str, digits: str) -> int:
    return -int(digits) if SIGNS.get(sign) == "-" else int(digits)


class ArcForm(RollForm):
    """`stat` and `skill` are names on the sheet, or typed scores: KS and ES."""

    roll_input = ArcInput

    kind = forms.ChoiceField(label=gettext_lazy("Roll type"), choices=KINDS, required=False)
    stat = LineField(label=gettext_lazy("Stat"), max_length=120, required=False)
    skill = LineField(label=gettext_lazy("Skill"), max_length=120, required=False)
    us = _number(gettext_lazy("An Unknown Stat"), SCORES)
    other = ChipsField(label=gettext_lazy("Other adjustments"))
    level = forms.ChoiceField(label=gettext_lazy("Threshold"), choices=LEVELS, required=False)
    threshold = _number(gettext_lazy("A threshold"), THRESHOLDS, label=gettext_lazy("Threshold"))
    som = _number(gettext_lazy("A state of mind"), SCORES)
    against = forms.UUIDField(required=False)
    faces = FacesField(LARGEST_DIE, required=False)

    def given(self) -> dict[str, Any]:
        given = super().given()
        other = self.cleaned_data["other"]
        given |= {"other": other.total, "chips": other.chips}
        for name, score in (("stat", "ks"), ("skill", "es")):
            typed = self.cleaned_data[name].strip()
            # Longer numbers are as wrong as their beginnings.
            given |= {name: "", score: int(typed[:9])} if NUMBER.fullmatch(typed) else {name: typed}
        return given

    @classmethod
    def shown(cls, viewer: Viewer, hand: dict[str, Any] | None) -> dict[str, Any]:
        """Return the thresholds of this campaign, and whether there are fields for what only a GM knows."""
        thresholds = roll_settings(viewer.campaign).of(Settings).thresholds
        return {
            "kinds": KINDS,
            "labels": cls.labels() | {"threshold": _("Another threshold")},
            "levels": [
                (level.value, f"{label} {threshold}")
                for (level, label), threshold in zip(LEVEL_LABELS.items(), thresholds, strict=True)
            ],
            "level": Level.AVERAGE.value,
            "faces": "5",
            "is_gm": viewer.is_gm,
            "has_sheet": bool(hand and hand["system"] == NAME),
        }


# The forms of procedures that need more than a line an argument


OF_PLAYERS: Final = ("character", "stat", "skill", "other")
"""What a player says of a check; a GM says the rest."""


class OpenForm(ActForm):
    other = ChipsField()

    @classmethod
    def _options(cls, table: Table, procedure: Any, target: tuple[Any, ...] = ()) -> dict[str, Any]:
        choices = super()._options(table, procedure, target)
        if table.by.is_gm:
            return choices
        return {
            **choices,
            "parts": [
                (head, [one for one in fields if one["name"] in OF_PLAYERS]) for head, fields in choices["parts"]
            ],
        }


class ChipForm(ActForm):
    @classmethod
    def drawn(cls, table: Table, procedure: Any, target: tuple[Any, ...]) -> dict[str, Any]:
        return {"is_gm": table.by.is_gm, "usual": [*ADVANTAGES, *DISADVANTAGES]}


LINES: Final = 3
"""Rows for nameless opponents, each for any number of a kind."""
MOST_OF_A_KIND: Final = 20
SCORED: Final = {
    "som": gettext_lazy("State of mind"),
    "empathy": gettext_lazy("Empathy"),
    "perception": gettext_lazy("Perception"),
    "es": gettext_lazy("Skill score"),
    "control": gettext_lazy("Control"),
}


def _choice(of: Iterable[str], usual: str, words: str) -> forms.TypedChoiceField:
    named = [(code, code) for code in of]
    return forms.TypedChoiceField(
        choices=named, required=False, empty_value=usual, error_messages={"invalid_choice": words}
    )


LINE: Final[Mapping[str, forms.Field]] = {
    "name": LineField(max_length=LONGEST_NAME - 3, required=False),
    "many": WholeNumber(
        None,
        1,
        MOST_OF_A_KIND,
        1,
        words=format_lazy(gettext_lazy("Add 1 to {most} of a kind."), most=MOST_OF_A_KIND),
    ),
    **{name: _number(words, SCORES, None, usual=AVERAGE) for name, words in SCORED.items()},
    "size": _choice(Size, Size.MEDIUM.value, gettext_lazy("Choose one of the sizes.")),
    "burden": _choice(Burden, Burden.NONE.value, gettext_lazy("Choose one of the burdens.")),
    "how": _choice(HOW, Mind.AWARE.value, gettext_lazy("Choose their state.")),
    "ally": forms.BooleanField(required=False),
}
"""The fields of a line for nameless opponents; a score that is left empty is average."""


class JoinForm(ActForm):
    """Newcomers. `takes_part`: "aware:<id of a character>"; `allies`: ids of NPCs on the players' side. `n0-name` and so on are
    the lines of the nameless, `lines` their cleaned values.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for at in range(LINES):
            self.fields |= {f"n{at}-{name}": deepcopy(field) for name, field in LINE.items()}

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        those = [] if self.errors else [f"n{at}-" for at in range(LINES) if given[f"n{at}-name"]]
        return {**given, "lines": [{name: given[at + name] for name in LINE} for at in those]}

    @classmethod
    def drawn(cls, table: Table, procedure: Any, target: tuple[Any, ...]) -> dict[str, Any]:
        return {
            "characters": known(procedure, table),
            "how": HOW.items(),
            "lines": range(LINES),
            "scores": SCORED.items(),
            "sizes": SIZE_WORDS.items(),
            "burdens": [(burden.value, label) for burden, label in BURDEN_WORDS.items()],
        }


MOST_SKILLS: Final = 6
"""So many skills are offered for an attack while none is pressed on the sheet."""


class StrikeForm(ActForm):
    """An attack as whoever has their turn prepares it on the card: with the skill that is pressed on the sheet, or one of their
    best, so often, on one of the faces. Its odds are those of the die alone, which give no one a US."""

    @classmethod
    def prepared(
        cls, table: Table, procedure: Any, target: tuple[Any, ...], given: Mapping[str, Any]
    ) -> dict[str, Any]:
        one, settings = target[0], table.settings
        person = table.find(Person, one.character or "")
        known, stat = _pressed(person, given) if person else ({}, "")
        using = next((at for at in known if at == given.get("using")), next(iter(known), ""))
        es = known[using].rating if using else 0
        most = actions_in_turn([es], settings) if es else (one.most or 1 if person is None else 1)
        actions = min(most, int(given["actions"][:2])) if given.get("actions", "").isdecimal() else 1
        those = foes(procedure, table, one)
        foe = next((other for other in those if other.key == given.get("target")), those[0] if those else None)
        values = person.values if person else {}
        words = {at: str(check_words(stat or stat_of_skill(values, row), row.label)) for at, row in known.items()}
        skills = [
            Press(name="using", value=at, words=words[at], strong=str(row.rating), on=at == using, key=f"using-{nth}")
            for nth, (at, row) in enumerate(known.items(), start=1)
        ]
        none = _("No skills on the sheet.") if person else _("Enter the scores when you roll.")
        often = [
            Press(name="actions", value=at, words=str(at), on=at == actions, key=f"actions-{at}")
            for at in range(1, most + 1)
        ]
        rows = [
            Presses("with", pgettext("an attack", "With"), skills, "" if skills else none),
            *([Presses("actions", _("Attacks"), often)] if most > 1 else []),
            Presses("target", _("Target"), faces("target", those, foe), "" if those else _("No one to attack.")),
        ]
        kept = {"using": using, "using_stat": stat, "actions": actions, "target": foe.key if foe else ""}
        return {
            "prepared": Prepared(
                kept=kept,
                rows=rows,
                odds=die_bar(es, settings) if es else None,
                sends=_("Attack {name}").format(name=foe.name) if foe else "",
                strong=words.get(using, ""),
                words=die_line(es, settings) if es else "",
                why="" if most else _("This skill gives no action in a turn."),
            )
        }


def _pressed(person: Person, given: Mapping[str, Any]) -> tuple[dict[str, Trait], str]:
    """Return the skills to attack with by their addresses as an attack names them, the best first, or the one that is pressed on
    the sheet; and the stat that is pressed there, or ""."""
    pressed = given if given.get("character") == person.id else {}
    try:
        stat = find_stat({}, pressed["stat"]).name if pressed.get("stat") else ""
        rows = [find_skill(person.values, pressed["skill"])] if pressed.get("skill") else []
    except SheetError:
        stat, rows = "", []
    if not rows:
        every = [find_skill(person.values, f"skills/{row['id']}/es") for row in SHEET.rows(person.values, "skills")]
        rows = sorted(every, key=lambda row: -row.rating)[:MOST_SKILLS]
    return {f"{person.id}:{row.name}": row for row in rows}, stat


class DeclareForm(ActForm):
    @classmethod
    def drawn(cls, table: Table, procedure: Any, target: tuple[Any, ...]) -> dict[str, Any]:
        """Where all declare first, and for the surprised, nothing is carried out by declaring it."""
        waits = procedure.apart or any(one.mind is Mind.SURPRISED for one in target)
        return {"submits": [] if waits else [("done", "on", _("Declare and finish"))]}


class ReactForm(ActForm):
    @classmethod
    def drawn(cls, table: Table, procedure: Any, target: tuple[Any, ...]) -> dict[str, Any]:
        """The occasions are buttons."""
        occasions_said = [("occasion", code, str(words)) for code, words in occasions(procedure, table)]
        return {"submits": occasions_said, "said_by_them": True}


CHECK: Final[Mapping[str, type[ActForm]]] = {OPEN: OpenForm, "chip": ChipForm}
TRACKER: Final[Mapping[str, type[ActForm]]] = {
    OPEN: JoinForm,
    "join": JoinForm,
    "attack": StrikeForm,
    "declare": DeclareForm,
    "go_on": DeclareForm,
    "react": ReactForm,
}
"""The forms of acts by their names."""
