"""The forms of an event in turns: who takes part, what they do, and the outcomes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from django import forms
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext as _

from campaigns.access import sent_id
from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from characters.models import Character
from languages.text import gettext_lazy
from rolls.forms.base import WholeNumber
from rolls.models import Procedure
from rolls.procedures import ProcedureForm
from rolls.settings import roll_settings
from rules.acts import Target
from rulesets.arc.rules.body import Size
from rulesets.arc.rules.check import actions_in_turn
from rulesets.arc.rules.tracker import LONGEST_NAME, OCCASIONS, Mind, Side
from rulesets.arc.rules.tracker_acts import CHANGES, COMES_TO, LARGEST_SHIFT, LEAVES, MOVES
from rulesets.arc.settings import AVERAGE, BURDEN_WORDS, SCORES, Burden, Settings
from rulesets.arc.sheet import SHEET, SIZE_WORDS
from rulesets.arc.table.ask import NAME as SYSTEM

LINES: Final = 3
"""Rows for nameless opponents, each for any number of a kind."""

MOST_OF_A_KIND: Final = 20
LONGEST_WORDS: Final = 300
AMBUSHED: Final = "ambushed"
HOW: Final = {
    Mind.AWARE.value: gettext_lazy("aware"),
    AMBUSHED: gettext_lazy("startled: Reaction check"),
    Mind.SURPRISED.value: gettext_lazy("surprised: acts from next turn"),
    Mind.UNCONSCIOUS.value: gettext_lazy("unconscious"),
}
SIDES: Final = {Side.PARTY.value: gettext_lazy("the players’ side"), Side.FOES.value: gettext_lazy("the other side")}
SCORED: Final = {
    "som": gettext_lazy("State of mind"),
    "empathy": gettext_lazy("Empathy"),
    "perception": gettext_lazy("Perception"),
    "es": gettext_lazy("Skill score"),
    "control": gettext_lazy("Control"),
}
TO: Final = {
    MOVES: gettext_lazy("declares before someone else this turn"),
    Mind.SURPRISED.value: gettext_lazy("is surprised and waits until next turn"),
    Mind.UNCONSCIOUS.value: gettext_lazy("falls unconscious"),
    Mind.DEAD.value: gettext_lazy("dies"),
    COMES_TO: gettext_lazy("comes to and acts from next turn"),
    LEAVES: gettext_lazy("leaves"),
}
TAKES_PART: Final = re.compile(rf"({'|'.join(HOW)}):([0-9a-f-]{{36}})")
SKILL: Final = re.compile(r"([0-9a-f-]{36}):(skills/[^/:]{1,40}/es)")
KEY: Final = re.compile(r"[0-9]{1,9}")
RELOAD: Final = gettext_lazy("Reload the page and choose again.")


class Chosen(forms.MultipleChoiceField):
    """Any values of the right form; the rules check whether they exist. Empty ones are not chosen."""

    def __init__(self, shape: re.Pattern[str]) -> None:
        super().__init__(required=False, error_messages={"invalid_choice": RELOAD})
        self.shape = shape

    def to_python(self, value: Any) -> list[str]:
        return [address for address in super().to_python(value) if address]

    def valid_value(self, value: Any) -> bool:
        return self.shape.fullmatch(value) is not None


def _choice(of: Iterable[str], words: str, *, required: bool = False) -> forms.ChoiceField:
    messages = dict.fromkeys(("invalid_choice", "required"), words)
    return forms.ChoiceField(choices=[(code, code) for code in of], required=required, error_messages=messages)


class JoinForm(ProcedureForm):
    """Newcomers. `takes_part`: "aware:<id of a character>"; `ambush`: the side that is met by one; `allies`: ids of
    NPCs on the players' side. `n0-name` and so on are the lines of the nameless, `lines` their cleaned values.
    """

    takes_part = Chosen(TAKES_PART)
    ambush = _choice(Side, gettext_lazy("Choose who is ambushed."))
    allies = Chosen(re.compile(r"[0-9a-f-]{36}"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for at in range(LINES):
            self.fields |= {f"n{at}-{name}": field for name, field in self._line_fields()}

    @staticmethod
    def _line_fields() -> Iterator[tuple[str, forms.Field]]:
        yield "name", LineField(max_length=LONGEST_NAME - 3, required=False)
        yield (
            "many",
            WholeNumber(
                None,
                1,
                MOST_OF_A_KIND,
                words=format_lazy(gettext_lazy("Add 1 to {most} of a kind."), most=MOST_OF_A_KIND),
            ),
        )
        low, high = SCORES
        for name, words in SCORED.items():
            says = format_lazy(gettext_lazy("{name} goes from {low} to {high}."), name=words, low=low, high=high)
            yield name, WholeNumber(None, low, high, words=says)
        yield "size", _choice(Size, gettext_lazy("Choose one of the sizes."))
        yield "burden", _choice(Burden, gettext_lazy("Choose one of the burdens."))
        yield "how", _choice(HOW, gettext_lazy("Choose their state."))
        yield "ally", forms.BooleanField(required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        """Return all characters in play that players know of."""
        known = Character.objects.known_to_all(viewer.campaign).filter(is_crew=False, system=SYSTEM)
        return {
            "characters": known.order_by("name"),
            "how": HOW.items(),
            "sides": SIDES.items(),
            "lines": range(LINES),
            "scores": SCORED.items(),
            "sizes": SIZE_WORDS.items(),
            "burdens": [(burden.value, label) for burden, label in BURDEN_WORDS.items()],
        }

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        return {**given, "lines": [self._line(given, at) for at in range(LINES) if given[f"n{at}-name"]]}

    def _line(self, given: dict[str, Any], at: int) -> dict[str, Any]:
        """Return one kind of the nameless; a score that was left empty is average."""
        usual = dict.fromkeys(SCORED, AVERAGE) | {
            "many": 1,
            "size": Size.MEDIUM.value,
            "burden": Burden.NONE.value,
            "how": Mind.AWARE.value,
        }
        typed = {name: given[f"n{at}-{name}"] or value for name, value in usual.items()}
        return typed | {name: given[f"n{at}-{name}"] for name in ("name", "ally")}


class OpenTrackerForm(JoinForm):
    apart = forms.BooleanField(required=False)


class DeclareForm(ProcedureForm):
    """`skills`: "<id of the character>:<address of the ES>"; `against`: keys of others; `moves`: metres."""

    words = LineField(max_length=LONGEST_WORDS, required=False)
    actions = WholeNumber(None, 1, 10, words=gettext_lazy("Enter 1 action or more."))
    defences = WholeNumber(None, 0, 10, words=gettext_lazy("Enter how many of the actions are kept to defend."))
    skills = Chosen(SKILL)
    against = Chosen(KEY)
    moves = WholeNumber(None, 0, 100_000, words=gettext_lazy("Enter the distance in whole metres."))
    done = forms.BooleanField(required=False)

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        """Return in `characters` [{id, skills [(address, name, ES, actions with it)]}] who declares, if that is a character.
        Where all declare first, and for the surprised, nothing is carried out by it."""
        settings = roll_settings(viewer.campaign).of(Settings)
        state = procedure.state
        declares = [participant for participant in state["participants"] if participant["key"] == target[0]]
        theirs = [participant["character"] for participant in declares if participant["character"]]
        characters = Character.objects.rolled_by(viewer.by).filter(system=SYSTEM, pk__in=theirs)
        waits = state["apart"] or any(participant["mind"] == Mind.SURPRISED for participant in declares)
        return {
            "characters": [
                {"id": str(character.pk), "skills": list(_skills(character, settings))} for character in characters
            ],
            "submits": [] if waits else [("done", "on", _("Declare and finish"))],
        }


def _skills(character: Character, settings: Settings) -> Iterator[tuple[str, str, int, int]]:
    for row in SHEET.rows(character.values, "skills"):
        yield f"skills/{row['id']}/es", row["name"], row["es"], actions_in_turn([row["es"]], settings)


class ReactForm(ProcedureForm):
    whom = Chosen(KEY)
    occasion = _choice(OCCASIONS, gettext_lazy("Choose an occasion."), required=True)

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        """Return the occasions, each a button, and in `moralities` those of the participants, by their ids."""
        ids = [participant["character"] for participant in procedure.state["participants"] if participant["character"]]
        characters = Character.objects.rolled_by(viewer.by).filter(system=SYSTEM, pk__in=ids)
        moralities = {str(character.pk): character.value("morality") for character in characters}
        return {
            "moralities": {who: words for who, words in moralities.items() if words},
            "submits": [("occasion", code, capfirst(str(words))) for code, words in OCCASIONS.items()],
            "said_by_them": True,
        }


class OutcomeForm(ProcedureForm):
    """Asks for an outcome; of a won check it begins with whom that was against."""

    words = LineField(max_length=LONGEST_WORDS, required=False)
    whom = forms.RegexField(KEY, required=False, error_messages={"invalid": RELOAD})
    som = WholeNumber(
        None,
        -LARGEST_SHIFT,
        LARGEST_SHIFT,
        words=format_lazy(gettext_lazy("A state of mind rises or falls by up to {most}."), most=LARGEST_SHIFT),
    )
    becomes = _choice((Mind.UNCONSCIOUS.value, Mind.DEAD.value), gettext_lazy("Choose what changes."))

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        won = (won["whom"] for won in procedure.state.get("won", ()) if (won["check"],) == target)
        return {"whom": next(won, "")}


class ChangeForm(ProcedureForm):
    """Asks for a change of a participant; `before` is the key of another one, "" for last; it goes with "moves"."""

    to = _choice(CHANGES, gettext_lazy("Choose what changes."), required=True)
    before = forms.RegexField(KEY, required=False, error_messages={"invalid": RELOAD})

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"to": TO.items()}


def chosen_skills(given: Iterable[str]) -> list[tuple[str, str]]:
    """Return (id of the character, address of the ES) of each skill that was chosen."""
    matches = [SKILL.fullmatch(address) for address in given]
    return [(str(sent_id(match[1], "skills")), match[2]) for match in matches if match]
