"""What a table decides about its rules: a field for every setting of the systems that it plays by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

from django import forms

from campaigns.forms.text import LineField
from campaigns.models.members import System
from rolls.rules.errors import RuleError
from rolls.settings import AUTOMATIC, GROUPS, RollSettings, made, stored
from rolls.settings_words import HELP, WORDS, setting_words

LONGEST_LIST = 300
HEADS = {"scale": "The Scale"} | {system.value: system.label for system in System}
AUTOMATIC_FIELD = f"storyteller.{AUTOMATIC}"


class ListField(LineField):
    """Several values in one line, with commas between them; each is read like those of the default."""

    def __init__(self, default: tuple[Any, ...], **kwargs: Any) -> None:
        super().__init__(max_length=LONGEST_LIST, **kwargs)
        self.kind = type(default[0])

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(str(one) for one in value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[Any]:
        words = [word.strip() for word in super().clean(value).split(",")]
        try:
            return [self._one(word) for word in words]
        except (ValueError, ZeroDivisionError):
            example = "1, 3/4, 1/2" if self.kind is Fraction else "4, 6, 8"
            raise forms.ValidationError(f"Write numbers with commas between them, such as {example}.") from None

    def _one(self, word: str) -> Any:
        if self.kind is str:
            return word
        if len(word) > 9:
            raise ValueError(word)
        return str(Fraction(word)) if self.kind is Fraction else int(word)


class RulesForm(forms.Form):
    """The settings of the `systems` a campaign plays by, named "<rules>.<field>"; the others stay as they are `now`."""

    def __init__(self, *args: Any, now: RollSettings, systems: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.now = now
        played = set(systems) | ({"scale"} if System.STORYTELLER in systems else set())
        self.groups = [name for name in GROUPS if name in played]
        values = stored(now)
        for group in self.groups:
            for setting in fields(GROUPS[group]):
                self._add(f"{group}.{setting.name}", setting.default, values[group][setting.name])
        if System.STORYTELLER in played:
            self._add(AUTOMATIC_FIELD, False, now.automatic_success)

    def _add(self, name: str, default: Any, value: Any) -> None:
        how: dict[str, Any] = {"label": setting_words(name), "help_text": HELP.get(name, ""), "initial": value}
        if isinstance(default, bool):
            self.fields[name] = forms.BooleanField(required=False, **how)
        elif isinstance(default, int):
            self.fields[name] = forms.IntegerField(**how)
        else:
            self.fields[name] = ListField(default, **how)

    def fieldsets(self) -> Iterator[tuple[str, list[Any]]]:
        """(heading, its fields) for every set of rules."""
        for group in self.groups:
            yield HEADS[group], [self[f"{group}.{name}"] for name in WORDS[group]]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        decided: dict[str, Any] = {}
        for group in self.groups:
            values = {f.name: given[f"{group}.{f.name}"] for f in fields(GROUPS[group])}
            try:
                decided[group] = made(GROUPS[group], values)
            except RuleError as error:
                self.add_error(f"{group}.{error.field}", error.message)
        decided[AUTOMATIC] = given.get(AUTOMATIC_FIELD, self.now.automatic_success)
        self.decided = replace(self.now, **decided)
        return given

    def settings(self) -> RollSettings:
        """All settings, as the valid form decides them."""
        return self.decided
