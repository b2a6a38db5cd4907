"""What a table decides about its rules: a field for every setting of the systems that it plays by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from types import MappingProxyType
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from campaigns.forms.fields import LineField
from rolls.registry import rules_with
from rolls.ruleset import SettingsGroup
from rolls.settings import RollSettings
from rules.checked import made, plain
from rules.errors import RuleError

LONGEST_LIST = 300


def _one(word: str, kind: type) -> Any:
    """Return a value of a setting as it was typed. Raises ValueError, or ZeroDivisionError for a fraction that is none."""
    if kind is str:
        return word
    if len(word) > 9:
        raise ValueError(word)
    return str(Fraction(word)) if kind is Fraction else int(word)


class ListField(LineField):
    """Several values in one line, with commas between them; each is read like those of the default. `codes` are shown, and may be
    typed, as their words."""

    def __init__(
        self, default: tuple[Any, ...], codes: Mapping[str, str] = MappingProxyType({}), **kwargs: Any
    ) -> None:
        super().__init__(max_length=LONGEST_LIST, **kwargs)
        self.kind = type(default[0])
        self.codes = codes

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(str(self.codes.get(item, item)) for item in value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[Any]:
        words = [word.strip() for word in super().clean(value).split(",")]
        codes = {str(said): code for code, said in self.codes.items()}
        try:
            return [_one(codes.get(word, word), self.kind) for word in words]
        except (ValueError, ZeroDivisionError):
            example = "1, 3/4, 1/2" if self.kind is Fraction else "4, 6, 8"
            raise forms.ValidationError(
                _("Enter numbers with commas between them, such as {example}.").format(example=example)
            ) from None


class EntriesWidget(forms.TextInput):
    """An input for each place of a table, all with one name; their values are joined with commas."""

    use_fieldset = True

    def __init__(self, entries: Sequence[str]) -> None:
        super().__init__()
        self.entries = entries

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        typed = [entry.strip() for entry in str(value or "").split(",")]
        context["widget"]["entries"] = list(zip_longest(self.entries, typed[: len(self.entries)], fillvalue=""))
        return context

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        typed = data.getlist(name) if hasattr(data, "getlist") else [data.get(name)]
        return ", ".join(typed) if len(typed) > 1 else next(iter(typed), None)


class TableField(ListField):
    """A table of which each place is filled in by itself, under its label."""

    template = "rolls/_settings_table.html"

    def __init__(self, default: tuple[Any, ...], entries: Sequence[str], **kwargs: Any) -> None:
        super().__init__(default, widget=EntriesWidget(entries), **kwargs)
        self.entries = entries

    def clean(self, value: Any) -> list[Any]:
        words = str(value or "").split(",")
        if len(words) == len(self.entries):
            for entry, word in zip(self.entries, words, strict=True):
                self._check(entry, word.strip())
        return super().clean(value)

    def _check(self, entry: str, word: str) -> None:
        try:
            _one(word, self.kind)
        except (ValueError, ZeroDivisionError):
            words = (
                _("{entry}: enter a number such as 1 or 3/4.")
                if self.kind is Fraction
                else _("{entry}: enter a whole number.")
            )
            raise forms.ValidationError(words.format(entry=entry)) from None


class RulesForm(forms.Form):
    """The settings of the `systems` a campaign plays by, named "<rules>.<field>"; the others stay as they are `now`."""

    def __init__(self, *args: Any, now: RollSettings, systems: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.now = now
        self.rules = [rules for rules in rules_with(systems, now) if rules.settings]
        for rules in self.rules:
            assert rules.settings  # noqa: S101  # for mypy
            values = plain(now.of(rules.settings.kind))
            for name, setting in rules.settings.kind.model_fields.items():
                self._add(rules.name, rules.settings, name, setting.default, values[name])

    def _add(self, rules: str, group: SettingsGroup, setting: str, default: Any, value: Any) -> None:
        name = f"{rules}.{setting}"
        how = {"label": group.words[setting], "help_text": group.help.get(setting, ""), "initial": value}
        if isinstance(default, bool):
            self.fields[name] = forms.BooleanField(required=False, **how)
        elif isinstance(default, int):
            self.fields[name] = forms.IntegerField(**how)
        elif setting in group.entries:
            self.fields[name] = TableField(default, group.entries[setting], **how)
        else:
            self.fields[name] = ListField(default, codes=group.codes.get(setting, {}), **how)

    def fieldsets(self) -> list[tuple[str, list[Any]]]:
        """Return (heading, fields) for each set of rules that has settings."""
        return [
            (rules.label, [self[f"{rules.name}.{name}"] for name in rules.settings.words])
            for rules in self.rules
            if rules.settings
        ]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        self.decided = self.now
        for rules in self.rules:
            assert rules.settings  # noqa: S101  # for mypy
            values = {name: given[f"{rules.name}.{name}"] for name in rules.settings.kind.model_fields}
            try:
                self.decided = self.decided.with_(made(rules.settings.kind, values))
            except RuleError as error:
                label = str(rules.settings.words.get(error.field, error.field))
                self.add_error(f"{rules.name}.{error.field}", error.said_of(label))
        return given

    def settings(self) -> RollSettings:
        """Return all settings, as the valid form decides them."""
        return self.decided
