"""Forms for play: titles, storylines, words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.forms.fields import LineField, TextField
from campaigns.models import Campaign, Membership, Picture, Role
from campaigns.models.log import Subject
from campaigns.models.play import Manner
from campaigns.pictures import PictureError, Upload, shown_picture

# Pictures that are sent to the table.


class PictureField(forms.FileField):
    """An uploaded picture that is checked and encoded again: its value is an Upload, or None without one."""

    default_error_messages = {"empty": gettext_lazy("This file is empty. Choose another one.")}  # as Django has it

    def clean(self, data: Any, initial: Any = None) -> Upload | None:
        upload = super().clean(data, initial)
        if not upload:
            return None
        try:
            return shown_picture(upload, upload.size or 0)
        except PictureError as error:
            raise forms.ValidationError(error.message) from None


class CoverForm(forms.Form):
    """A cover of a campaign, or a picture of a scene."""

    picture = PictureField(
        label=gettext_lazy("Picture"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
        help_text=gettext_lazy("JPEG, PNG or WebP. Wide pictures work best."),
    )


class HandoutForm(forms.Form):
    title = LineField(
        label=gettext_lazy("Title"), error_messages={"required": gettext_lazy("Give the handout a title.")}
    )


GONE = gettext_lazy("Someone you chose has left the campaign. Reload the page and choose again.")


def members_of(campaign: Campaign) -> QuerySet[Membership]:
    return Membership.objects.active().filter(campaign=campaign).select_related("user").order_by("pk")


class NameOfMember:
    """Shows members by their names."""

    def label_from_instance(self, member: Membership) -> str:
        return member.name


class MemberField(NameOfMember, forms.ModelChoiceField):
    pass


class MembersField(NameOfMember, forms.ModelMultipleChoiceField):
    widget = forms.CheckboxSelectMultiple

    def clean(self, value: Any) -> Any:
        try:
            return super().clean(value)
        except OverflowError as error:  # of SQLite: no row has such a number
            raise forms.ValidationError(GONE, code="invalid_choice") from error


class ShowForm(forms.Form):
    """Who is to see a handout: chosen members, or without any everyone. GMs see all of them."""

    to = MembersField(label=gettext_lazy("Only these people"), queryset=Membership.objects.none(), required=False)

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        to = self.fields["to"]
        assert isinstance(to, MembersField)  # noqa: S101  # for mypy
        to.queryset = members_of(campaign).exclude(role=Role.GM)
        to.error_messages["invalid_choice"] = to.error_messages["invalid_pk_value"] = GONE


class NewHandoutForm(ShowForm, HandoutForm):
    picture = PictureField(
        label=gettext_lazy("Picture"),
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
        error_messages={"required": gettext_lazy("Choose a picture.")},
    )
    hidden = forms.BooleanField(label=gettext_lazy("Only GMs see it until you show it"), required=False)
    field_order = ("picture", "title", "hidden", "to")

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("hidden") and self.cleaned_data.get("to"):
            self.add_error("hidden", _("Choose people, or only GMs."))
        return self.cleaned_data

    @property
    def handout(self) -> dict[str, Any]:
        """Return what a valid form hands out."""
        return {**self.cleaned_data, "to": list(self.cleaned_data["to"])}


class TakeForm(forms.Form):
    """Handouts of other campaigns that are to be copied."""

    pictures = forms.TypedMultipleChoiceField(
        coerce=UUID, error_messages={"required": gettext_lazy("Choose at least one handout.")}
    )

    def __init__(self, offered: Iterable[Picture], *args: Any) -> None:
        super().__init__(*args)
        pictures = self.fields["pictures"]
        assert isinstance(pictures, forms.ChoiceField)  # noqa: S101  # for mypy
        pictures.choices = [(str(picture.pk), picture.title) for picture in offered]


class TitleForm(forms.Form):
    """The title of a session or a scene; `seen` is the version it was filled with, when there was one before."""

    title = LineField(label=gettext_lazy("Title"), required=False)
    expected = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)


class SceneForm(TitleForm):
    """A scene to be started: a picture that sets its mood, who is there of the given characters, and the words it opens with."""

    picture = PictureField(
        label=gettext_lazy("Picture"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
    )
    here = forms.MultipleChoiceField(label=gettext_lazy("Who is here"), required=False)
    words = TextField(label=gettext_lazy("Opening words"), required=False, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, *args: Any, characters: Sequence[Subject] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.characters = {who.key: who for who in characters}
        here = self.fields["here"]
        assert isinstance(here, forms.ChoiceField)  # noqa: S101  # for mypy
        here.choices = [(who.key, who.name) for who in characters]
        here.error_messages["invalid_choice"] = _(
            "Someone you chose isn’t in play any more. Open the form again and choose again."
        )

    @property
    def scene(self) -> dict[str, Any]:
        """Return what a scene is opened with."""
        given = self.cleaned_data
        return {**given, "here": [self.characters[key] for key in given["here"]]}


class StorylineForm(forms.Form):
    """A storyline as the GM writes it. `left` is its owner where that one is no longer here, and may stay."""

    title = LineField(label=gettext_lazy("Title"))
    whose = MemberField(
        label=gettext_lazy("Owner"),
        queryset=Membership.objects.none(),
        required=False,
        empty_label=gettext_lazy("Everyone"),
    )
    gm_notes = TextField(label=gettext_lazy("GM notes"), required=False, help_text=gettext_lazy("Only GMs see these."))
    expected = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, campaign: Campaign, *args: Any, left: Membership | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        here = members_of(campaign)
        whose = self.fields["whose"]
        assert isinstance(whose, MemberField)  # noqa: S101  # for mypy
        whose.queryset = (here | Membership.objects.filter(pk=left.pk).select_related("user")) if left else here
        whose.error_messages["invalid_choice"] = _("That person has left the campaign. Choose again.")
        self.fields["gm_notes"].widget.attrs["rows"] = 3

    @property
    def written(self) -> dict[str, Any]:
        """Return what a storyline is made or changed with."""
        return {name: self.cleaned_data[name] for name in ("title", "whose", "gm_notes")}


class SayForm(forms.Form):
    """The composer's words: `voice` is a Manner, or the key of one of the given characters ("character:<uuid>")."""

    voice = forms.ChoiceField(label=gettext_lazy("Voice"))
    text = TextField(label=gettext_lazy("Message"), required=False)
    to = MembersField(label=gettext_lazy("Whisper to"), queryset=Membership.objects.none(), required=False)
    picture = PictureField(label=gettext_lazy("Picture"), required=False)
    alt = LineField(label=gettext_lazy("Picture description"), max_length=300, required=False)

    def __init__(self, by: Membership, *args: Any, characters: Sequence[Subject] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.characters = {voice.key: voice for voice in characters}
        voice, to = self.fields["voice"], self.fields["to"]
        assert isinstance(voice, forms.ChoiceField) and isinstance(to, MembersField)  # noqa: S101  # for mypy
        voice.choices = voices_of(by, characters)
        voice.error_messages["invalid_choice"] = _(
            "You can’t speak this way any more. Reload the page and choose again."
        )
        to.queryset = members_of(by.campaign).exclude(pk=by.pk)
        to.error_messages["invalid_choice"] = to.error_messages["invalid_pk_value"] = GONE

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if cleaned.get("voice") == Manner.WHISPER and "to" in cleaned and not cleaned["to"]:
            self.add_error("to", _("Choose someone to whisper to."))
        if not cleaned.get("text", "x") and not cleaned.get("picture") and "picture" not in self.errors:
            self.add_error("text", _("Write something first."))
        return cleaned

    @property
    def upload(self) -> Upload | None:
        """Return the picture of a valid form with its words, None without one."""
        picture: Upload | None = self.cleaned_data.get("picture")
        return replace(picture, alt=self.cleaned_data["alt"]) if picture else None

    @property
    def manner(self) -> Manner:
        """Return how it is said, of a valid form."""
        voice = self.cleaned_data["voice"]
        return Manner.CHARACTER if voice in self.characters else Manner(voice)


def voices_of(by: Membership, characters: Sequence[Subject]) -> list[tuple[str, str]]:
    """Return how a member may speak, as (value, words): as the narrator (a GM), as each character, as themselves, whispering."""
    return [
        *([(Manner.NARRATION.value, _("narrate"))] if by.is_gm else []),
        *((voice.key, _("as {name}").format(name=voice.name)) for voice in characters),
        (Manner.PLAYER.value, _("out of character")),
        (Manner.WHISPER.value, _("whisper to …")),
    ]


class MemoryForm(forms.Form):
    """One sentence by which a member remembers a session; `expected` is the version it was filled with."""

    words = TextField(
        label=gettext_lazy("Your sentence"),
        required=False,
        max_length=300,
        widget=forms.Textarea({"rows": 2, "placeholder": gettext_lazy("Your sentence")}),
    )
    expected = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def clean_words(self) -> str:
        """Return the words on one line: their field is higher, so that all of them are in sight."""
        return " ".join(self.cleaned_data["words"].split())


class RecapForm(forms.Form):
    """The recap of a session; `seen` is the version it was filled with."""

    draft = TextField(
        label=gettext_lazy("Recap"),
        required=False,
        help_text=gettext_lazy(
            "Markdown. Only GMs see the draft. Once published, everyone in the campaign can read it."
        ),
    )
    expected = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["draft"].widget.attrs["rows"] = 22
