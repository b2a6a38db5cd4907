"""The forms of pages: one line that makes one, and what is written on it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from campaigns.forms.fields import LineField, TextField
from campaigns.live.presence import token
from campaigns.models import Viewer
from campaigns.models.members import GM
from languages.letters import same
from world.models import Page, PageKind, note_of, paragraphs_of
from world.services import PageDraft, draft_of, page_version

HIDDEN = pgettext_lazy("ends a line that makes a page", "hidden")


class PageLineForm(forms.Form):
    """A new page in one line: "The Gull, place", or "The buyers, faction, hidden". Without a word for it, it is a thing."""

    name = LineField(label=gettext_lazy("New page"), error_messages={"required": gettext_lazy("Give the page a name.")})

    def clean_name(self) -> str:
        """Return the name, with `kind` and `hidden` as the words after it say."""
        name, self.kind, self.hidden = self.cleaned_data["name"].strip(" ,"), PageKind.THING, False
        while "," in name:
            before, word = (part.strip() for part in name.rsplit(",", 1))
            kind = next((one for one in PageKind if same(word, one.value) or same(word, str(one.label))), None)
            hides = any(same(word, one) for one in ("hidden", str(HIDDEN)))
            if kind is None and not hides:
                break
            name, self.kind, self.hidden = before, kind or self.kind, hides or self.hidden
        return _checked(name)


class PageForm(forms.Form):
    """A page as it is written. Fields that are not for this viewer, or that belong to what the page is about, are not there."""

    name = LineField(label=gettext_lazy("Name"), max_length=Page.LONGEST_NAME)
    kind = forms.TypedChoiceField(label=gettext_lazy("Kind"), choices=PageKind.choices, coerce=PageKind)
    aliases = LineField(
        label=gettext_lazy("Other names"),
        max_length=400,
        required=False,
        help_text=gettext_lazy("Separated by commas. The log is searched for them, too."),
    )
    note = TextField(
        label=gettext_lazy("What we know"),
        required=False,
        help_text=gettext_lazy("Markdown. Type [[ to link to another page. Everyone at the table can edit this."),
    )
    gm_note = TextField(
        label=gettext_lazy("Only the GM"),
        required=False,
        help_text=gettext_lazy("Players don’t see this. You can show them a paragraph, or all of it, later."),
    )
    expected = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, page: Page, viewer: Viewer, data: Any = None) -> None:
        now, names = draft_of(page, viewer), ", ".join(page.aliases)
        self.initially = {**vars(now), "aliases": names, "expected": page_version(page, viewer)}
        super().__init__(data, initial=self.initially)
        if not page.is_own:
            del self.fields["name"], self.fields["kind"]
        if not viewer.is_gm:
            del self.fields["gm_note"]
        for name, rows, stream in (("note", 14, page.stream), ("gm_note", 6, GM)):
            if name in self.fields:
                place = token(viewer.campaign.pk, page.subject.key, [stream])
                self.fields[name].widget.attrs |= {"rows": rows, "data-links": "", "data-token": place}

    def clean_name(self) -> str:
        return _checked(self.cleaned_data["name"])

    def clean_aliases(self) -> tuple[str, ...]:
        names = [name for part in self.cleaned_data["aliases"].split(",") if (name := " ".join(part.split()))]
        if len(names) > Page.MOST_ALIASES:
            raise forms.ValidationError(_("At most {most} other names.").format(most=Page.MOST_ALIASES))
        return tuple(dict.fromkeys(_checked(name) for name in names))

    def now_beside(self, typed: PageDraft) -> dict[str, str]:
        """Return what fields say now, where it is other than what was typed."""
        now, said = self.initially, vars(typed) | {"aliases": ", ".join(typed.aliases or ())}
        shown = {"kind": str(PageKind(now["kind"]).label)}
        fields = [name for name in self.fields if name != "expected" and now[name] != said[name]]
        return {name: shown.get(name, str(now[name])) for name in fields}

    @property
    def draft(self) -> PageDraft:
        """Return what a valid form says."""
        return PageDraft(**{name: value for name, value in self.cleaned_data.items() if name != "expected"})


class ParagraphForm(forms.Form):
    """A paragraph of the GMs' part that is told to everyone; "" is all of it."""

    paragraph = TextField(required=False)

    def clean_paragraph(self) -> str:
        return note_of(paragraphs_of(self.cleaned_data["paragraph"]))


def _checked(name: str) -> str:
    """Return a name that links can hold."""
    if len(name) > Page.LONGEST_NAME:
        message = _("That’s {length} characters; the limit is {most}.")
        raise forms.ValidationError(message.format(length=len(name), most=Page.LONGEST_NAME))
    if not name or any(sign in name for sign in "[]|<>"):
        raise forms.ValidationError(_("Use a name without [ ] | < >, so that [[links]] can hold it."))
    return name
