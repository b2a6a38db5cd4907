"""Pictures that are sent to the table."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.forms.fields import LineField
from campaigns.pictures import PictureError, Upload, shown_picture


class PictureField(forms.FileField):
    """An uploaded picture that is checked and encoded again: its value is an Upload, or None without one."""

    default_error_messages = {"empty": _("This file is empty. Choose another one.")}  # as Django has it

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
        label=_("Picture"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
        help_text=_("JPEG, PNG or WebP. Wide pictures work best."),
    )


class HandoutForm(forms.Form):
    title = LineField(label=_("Title"), error_messages={"required": _("Give the handout a title.")})


class NewHandoutForm(HandoutForm):
    picture = PictureField(
        label=_("Picture"),
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
        error_messages={"required": _("Choose a picture.")},
    )
