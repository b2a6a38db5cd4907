"""The form of the guided page: what a budget asks for, and as many rows as one wants."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns import rulesets
from campaigns.forms.fields import LineField, TextField
from campaigns.models import Membership
from characters.creation import Budget, Section, number_of
from characters.forms.cards import LONGEST_NAME, OneOfSeveral, PortraitField
from characters.models import Character, CharacterTemplate
from characters.rulesets import budgets, given
from characters.sheets import with_crews
from characters.sheets.fields import Choice, Field, Number, Rows, Text

ROWS = 3
"""The number of rows added each time one asks for more."""

MOST_DOTS = 6
"""Up to so much a number is chosen by dots; beyond it is typed."""

MORE = "more"
_COLUMN = re.compile(r"([a-z_]+)-([0-9]{1,3})-[a-z_]+")


@dataclass(frozen=True)
class SectionFields:
    """A section as the page shows it: its fields, and its rows, each a list of fields."""

    section: Section
    fields: list[Any]
    rows: list[list[Any]]


class GuidedForm(forms.Form):
    """Fields are called as on the sheet, columns "backgrounds-0-rating". With `beyond`, numbers go as far as on the sheet."""

    def __init__(self, budget: Budget, data: Mapping[str, str] | None = None, *, beyond: bool = False) -> None:
        super().__init__(data, auto_id="sheet-%s")
        self.sheet, self.sections, self.beyond = budget.sheet, budget.sections(), beyond
        self.had: dict[str, int] = {}
        self.counts = {part.rows: self._count(part, data or {}) for part in self.sections if part.rows}
        for section in self.sections:
            for name in section.fields:
                self.fields[name] = self._asked(self.sheet.fields[name], section)
            for name, column in self._columns(section):
                self.fields[name] = self._column(self.sheet.lists[section.rows], column, section)

    def blocks(self) -> Iterator[SectionFields]:
        for section in self.sections:
            rows = [[self[name] for name in self._row(section, at)] for at in range(self.counts.get(section.rows, 0))]
            yield SectionFields(section, [self[name] for name in section.fields], rows)

    def clean(self) -> dict[str, Any]:
        for section in self.sections:
            for at in range(self.counts.get(section.rows, 0)):
                title, *others = self._row(section, at)
                touched = [name for name in others if self._given(name) not in (None, "", self.fields[name].initial)]
                if touched and title not in self.errors and not self._given(title):
                    self.add_error(title, _("Enter a name, or clear the row."))
        return self.cleaned_data

    def values(self) -> dict[str, Any]:
        """Return what was filled in: fields to values, rows to lists of columns. Empty and wrong values are left out."""
        values = {name: self._given(name) for section in self.sections for name in section.fields}
        held = {name: value for name, value in values.items() if value not in (None, "")}
        for section in self.sections:
            if filled := self._filled(section):
                held[section.rows] = [self._columns_of(section, at) for at in filled]
        return held

    def place(self, address: str) -> str:
        """Return the field of this form for an address on the sheet made of `values`; "" if there is none."""
        rows, *inside = address.split("/")
        if not inside:
            return address if address in self.fields else ""
        section = next(section for section in self.sections if section.rows == rows)
        return f"{rows}-{self._filled(section)[number_of(inside[0])]}-{inside[1]}"

    def _column(self, rows: Rows, column: str, section: Section) -> forms.Field:
        field = self._asked(rows.column(column), section, in_row=True)
        if column == rows.title:
            field.label = rows.singular
        return field

    def _count(self, section: Section, data: Mapping[str, str]) -> int:
        counts = [int(match[2]) + 1 for match in map(_COLUMN.fullmatch, data) if match and match[1] == section.rows]
        most = self.sheet.lists[section.rows].most
        self.had[section.rows] = min(max(counts, default=section.begins), most)
        return min(self.had[section.rows] + (ROWS if data.get(MORE) == section.rows else 0), most)

    def _row(self, section: Section, at: int) -> list[str]:
        return [f"{section.rows}-{at}-{column}" for column in section.columns]

    def _columns(self, section: Section) -> Iterator[tuple[str, str]]:
        for at in range(self.counts.get(section.rows, 0)):
            yield from zip(self._row(section, at), section.columns, strict=True)

    def _filled(self, section: Section) -> list[int]:
        return [at for at in range(self.counts.get(section.rows, 0)) if self._given(self._row(section, at)[0])]

    def _columns_of(self, section: Section, at: int) -> dict[str, Any]:
        columns = zip(section.columns, self._row(section, at), strict=True)
        # A number that was emptied is what the page had put there.
        values = {column: self._or_initial(name) for column, name in columns}
        return {column: value for column, value in values.items() if value not in (None, "")}

    def _given(self, name: str) -> Any:
        return self.cleaned_data.get(name)

    def _or_initial(self, name: str) -> Any:
        given = self._given(name)
        return self.fields[name].initial if given is None else given

    def _asked(self, field: Field, section: Section, *, in_row: bool = False) -> forms.Field:
        how: dict[str, Any] = {"label": field.label, "required": False}
        if isinstance(field, Number):
            return self._number(field, section, how, in_row=in_row)
        if isinstance(field, Choice):
            return forms.ChoiceField(choices=field.choices, initial=field.start, **how)
        assert isinstance(field, Text)  # noqa: S101  # budgets ask for no other kinds
        examples = "" if field.explained else ", ".join(field.suggested[:3])
        placeholder = _("Such as {examples}").format(examples=examples) if examples else ""
        kind, widget = (TextField, forms.Textarea) if field.long else (LineField, forms.TextInput)
        asked = kind(
            max_length=field.most, widget=widget(attrs={"placeholder": placeholder} if placeholder else {}), **how
        )
        asked.explained = field.explained
        return asked

    def _number(self, field: Number, section: Section, how: dict[str, Any], *, in_row: bool) -> forms.Field:
        least, most = field.minimum, field.maximum
        if section.most is not None and not self.beyond:
            most = max(least, min(most, section.most))
        wrong = _("{field} goes from {least} to {most} here.").format(field=field.label, least=least, most=most)
        if in_row:
            how["initial"] = max(1, least)
        elif not section.blank:
            how["initial"] = min(field.default, most)
        if in_row or section.blank or least < 0 or most > MOST_DOTS:
            messages = {"invalid": wrong, "min_value": wrong, "max_value": wrong}
            return forms.IntegerField(min_value=least, max_value=most, error_messages=messages, **how)
        # A player cannot take back a dot that everyone has.
        least = least if self.beyond else field.default
        steps = [(step, str(step)) for step in range(least, most + 1)]
        messages = {"invalid_choice": wrong, "invalid": wrong}
        return forms.TypedChoiceField(
            coerce=int, empty_value=None, choices=steps, widget=forms.RadioSelect, error_messages=messages, **how
        )


# Forms for templates, quick NPCs, and the budgets of new characters.


SYSTEM, CREW, TEMPLATE = "system", "crew", "template"


class TemplateForm(OneOfSeveral):
    """A template's name, and whether players may use it."""

    name = LineField(label=gettext_lazy("Name"), max_length=LONGEST_NAME)
    offered = forms.BooleanField(label=gettext_lazy("Available to players"), required=False)

    def __init__(self, template: CharacterTemplate, *args: Any, **kwargs: Any) -> None:
        self.template, self.ids = template, f"template-{template.pk}"
        now = {"name": template.name, "offered": template.offered}
        super().__init__(*args, initial=now, **kwargs)


class KeepForm(OneOfSeveral):
    """The character that a template is made of."""

    ids = "keep"

    character = forms.ModelChoiceField(
        label=gettext_lazy("Character"),
        queryset=Character.objects.none(),
        empty_label=None,
        error_messages={"invalid_choice": gettext_lazy("That character isn’t here. Choose again.")},
    )

    def __init__(self, by: Membership, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["character"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  # for mypy
        field.queryset = Character.objects.seen_by(by)


class NpcForm(OneOfSeveral):
    """All that a quick NPC needs: a name. `of` is a system, "crew" or a template; `portrait` None is for us to choose."""

    ids = "npc"

    name = LineField(label=gettext_lazy("NPC name"), max_length=LONGEST_NAME)
    of = forms.ChoiceField(label=gettext_lazy("Sheet"), required=False)
    shown = forms.BooleanField(label=gettext_lazy("Players know about them"), required=False)
    portrait = PortraitField(required=False)

    def __init__(self, by: Membership, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The only field that needs to be filled in here.
        self.fields["name"].widget.attrs["autofocus"] = True
        self.templates = {f"{TEMPLATE}:{template.pk}": template for template in CharacterTemplate.objects.open_to(by)}
        played = by.campaign.systems
        field = self.fields["of"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  # for mypy
        empty_sheet, from_template = _("Empty: {system}"), _("Template: {name}")
        empty = [(f"{SYSTEM}:{name}", empty_sheet.format(system=label)) for name, label in rulesets.choices(played)]
        crews = [(CREW, _("Empty: a crew, which belongs to everyone"))] if with_crews(played) else []
        kept = [(key, from_template.format(name=template.name)) for key, template in self.templates.items()]
        field.choices = [*empty, *crews, *kept]
        if len(field.choices) == 1:
            del self.fields["of"]

    @property
    def template(self) -> CharacterTemplate | None:
        """Return the template from a valid form; None if none was chosen."""
        return self.templates.get(self.cleaned_data.get("of", ""))

    @property
    def is_crew(self) -> bool:
        chosen = self.template
        return chosen.is_crew if chosen else self.cleaned_data.get("of") == CREW

    @property
    def system(self) -> str:
        """Return the chosen system; "" for the campaign's first, or for a crew."""
        kind, _, name = self.cleaned_data.get("of", "").partition(":")
        return name if kind == SYSTEM else ""


class BudgetForm(forms.Form):
    """The budgets of the `systems` that a campaign plays, its fields named "<system>.<setting>"."""

    def __init__(self, by: Membership, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.systems = [system for system in budgets() if system in by.campaign.systems]
        now = given(by.campaign, self.systems)
        for name, system, setting in self._settings():
            self.fields[name] = forms.IntegerField(
                label=setting.words,
                min_value=setting.least,
                max_value=setting.most,
                initial=now[system][name.partition(".")[2]],
            )

    def fieldsets(self) -> list[tuple[str, list[Any]]]:
        """Return (heading, its fields) for every system."""
        return [
            (rulesets.label_of(system), [self[name] for name, of, _ in self._settings() if of == system])
            for system in self.systems
        ]

    def points(self) -> dict[str, dict[str, int]]:
        """Return every system's settings from a valid form."""
        return {
            system: {name: self.cleaned_data[f"{system}.{name}"] for name in budgets()[system].settings()}
            for system in self.systems
        }

    def _settings(self) -> Iterator[tuple[str, str, Any]]:
        for system in self.systems:
            for name, setting in budgets()[system].settings().items():
                yield f"{system}.{name}", system, setting
