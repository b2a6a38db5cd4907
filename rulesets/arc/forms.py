"""The forms of acts whose templates need more than what is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, Final

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaigns.forms.fields import LineField
from characters.sheets.fields import SheetError
from characters.sheets.traits import Trait
from languages.text import gettext_lazy
from rolls.forms.asked import ActForm
from rolls.forms.base import WholeNumber
from rolls.stage import Prepared, Press, Presses, faces
from rules.acting import OPEN
from rules.table import Table
from rulesets.arc.procedures.tracker import HOW, foes, known, occasions
from rulesets.arc.rules.body import Size
from rulesets.arc.rules.check import ADVANTAGES, DISADVANTAGES, actions_in_turn
from rulesets.arc.rules.tracker import LONGEST_NAME, Mind
from rulesets.arc.settings import AVERAGE, BURDEN_WORDS, SCORES, Burden
from rulesets.arc.sheet import SHEET, SIZE_WORDS, Person, find_skill, find_stat, stat_of_skill
from rulesets.arc.table import die_bar, die_line
from rulesets.arc.terms import ChipsField, check_words, within

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
    **{name: WholeNumber(None, *SCORES, AVERAGE, words=within(words).words) for name, words in SCORED.items()},
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
