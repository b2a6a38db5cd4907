"""What can be set on the pages of odds. It comes in the address, which may say anything: it is checked before all else."""

from __future__ import annotations

import re
from typing import Any, Final

from django import forms
from django.http import QueryDict

from rolls.forms.fields import STANDARD, said
from rolls.rules.arc_settings import SCORES
from rolls.rules.scale import MAJOR_AT, BurnKind
from rolls.rules.storyteller import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY

MOST_DICE: Final = 20
FEWEST_FORGED, MOST_FORGED = -5, 12
MOST_IN_GROUP: Final = 10
FURTHEST: Final = 30
LONGEST_GROUP: Final = 60


class NumberField(forms.IntegerField):
    """A whole number in a range; left out it is `initial`."""

    def __init__(self, label: str, low: int, high: int, initial: int, help_text: str = "") -> None:
        lowest, highest = (str(end).replace("-", "\N{MINUS SIGN}") for end in (low, high))
        words = f"{label}: type a whole number from {lowest} to {highest}."
        super().__init__(
            label=label,
            min_value=low,
            max_value=high,
            initial=initial,
            help_text=help_text,
            error_messages=said(words),
        )


class PoolsField(forms.CharField):
    """Several pools, such as "2, 1, 3": 1 to 10 of them."""

    def to_python(self, value: Any) -> tuple[int, ...]:  # type: ignore[override]
        words = re.split(r"[,;\s]+", str(value).strip())
        if not all(re.fullmatch(r"[-\N{MINUS SIGN}]?[0-9]{1,3}", word) for word in words):
            raise forms.ValidationError("Type the dice of each who rolls, such as 2, 1, 3.")
        pools = tuple(int(word.replace("\N{MINUS SIGN}", "-")) for word in words)
        if len(pools) > MOST_IN_GROUP or not all(FEWEST_FORGED <= dice <= MOST_FORGED for dice in pools):
            raise forms.ValidationError(
                f"A group has at most {MOST_IN_GROUP} who roll, with \N{MINUS SIGN}5 to {MOST_FORGED} dice each."
            )
        return pools


class OddsForm(forms.Form):
    """The settings of one system's page, all with a default. What is given twice is refused: which one should count?"""

    use_required_attribute = False

    def __init__(self, asked: QueryDict) -> None:
        given = asked.copy()
        for name, field in self.base_fields.items():
            if not given.get(name, "").strip() and field.initial is not None:
                given[name] = str(field.initial)
        super().__init__(given)
        self.repeated = [name for name in self.base_fields if len(asked.getlist(name)) > 1]

    def clean(self) -> dict[str, Any]:
        for name in self.repeated:
            self.add_error(name, f"{self.fields[name].label} stands in the address more than once: give it once.")
        return self.cleaned_data


class StorytellerOdds(OddsForm):
    dice = NumberField("Dice", 1, MOST_DICE, 5)
    difficulty = NumberField("Difficulty", LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY, STANDARD)
    ability = NumberField("Ability", 0, 10, 0, "From 5 on it saves from botches.")
    willpower = forms.BooleanField(label="A Willpower point", required=False)


class ScaleOdds(OddsForm):
    scale = NumberField("Scale", 1 - MAJOR_AT, MAJOR_AT - 1, 0)
    banked = forms.ChoiceField(
        label="In the bank",
        choices=[("", "nothing"), *((kind.value, kind.value.capitalize()) for kind in BurnKind)],
        required=False,
        error_messages={"invalid_choice": "In the bank: choose nothing, Grace or Trouble."},
    )
    dice = NumberField("Dice", 1, MOST_DICE, 5)
    difficulty = NumberField("Difficulty", LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY, STANDARD)


class DescriptorsOdds(OddsForm):
    a = NumberField("Your dice", 0, MOST_DICE, 3)
    b = NumberField("Their dice", 0, MOST_DICE, 2)


class ArcOdds(OddsForm):
    es = NumberField("ES", *SCORES, 5)
    needed = NumberField("Needed", -FURTHEST, FURTHEST, 0, "Threshold − KS − US − other adjustments.")
    against = NumberField("Other side’s ES", *SCORES, 5)
    lead = NumberField("Lead", -FURTHEST, FURTHEST, 0, "How far you are ahead before the dice.")
    som = NumberField("SOM", *SCORES, 5)


class ForgedOdds(OddsForm):
    dice = NumberField("Dice", FEWEST_FORGED, MOST_FORGED, 2)
    pools = PoolsField(
        label="Group", max_length=LONGEST_GROUP, initial="2, 1, 0", help_text="The dice of each who rolls."
    )
    against = NumberField("Against in fortune", FEWEST_FORGED, MOST_FORGED, 2)


FORMS: Final[dict[str, type[OddsForm]]] = {
    "storyteller": StorytellerOdds,
    "scale": ScaleOdds,
    "descriptors": DescriptorsOdds,
    "arc": ArcOdds,
    "forged": ForgedOdds,
}
