"""Forms for templates, quick NPCs, and the budgets of new characters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns import rulesets
from campaigns.forms.fields import LineField
from campaigns.models import Membership
from characters.forms.cards import LONGEST_NAME, OneOfSeveral
from characters.models import Character, CharacterTemplate
from characters.rulesets import budgets, given
from characters.sheets import with_crews

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
    """All that a quick NPC needs: a name. `of` is a system, "crew" or a template."""

    ids = "npc"

    name = LineField(label=gettext_lazy("NPC name"), max_length=LONGEST_NAME)
    of = forms.ChoiceField(label=gettext_lazy("Sheet"), required=False)
    shown = forms.BooleanField(label=gettext_lazy("Players know about them"), required=False)

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
