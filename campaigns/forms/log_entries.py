"""Forms that correct what was said, and move an event to another scene."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.forms.fields import LineField, TextField
from campaigns.models import Event, Scene
from campaigns.models.log import place_of
from campaigns.queries.play import sessions_offered


class AmendForm(forms.Form):
    words = TextField(label=gettext_lazy("New text"))
    reason = LineField(label=gettext_lazy("Reason"), required=False)


BACK = "back"
BESIDE = 5
"""Sessions before and after that of an event: whither it may have to be put."""


class RefileForm(forms.Form):
    """A scene of the newest sessions or of those around the event; if it was moved, also back to where it was written."""

    scene = forms.ChoiceField(label=gettext_lazy("Scene"))
    reason = LineField(label=gettext_lazy("Reason"), required=False)

    def __init__(self, event: Event, written: str, *args: Any, **kwargs: Any) -> None:
        """Offer the scenes around the event; `written` says in words where the event was written."""
        super().__init__(*args, **kwargs)
        around = Q(pk=None)
        for session in (event.session, place_of(event)[0]):
            if session:
                around |= Q(number__range=(session.number - BESIDE, session.number + BESIDE))
        sessions = sessions_offered(event.campaign, around).prefetch_related("scenes")
        self.scenes = {str(scene.pk): scene for session in sessions for scene in session.scenes.all()}
        groups = [
            (str(session), [(str(scene.pk), str(scene)) for scene in session.scenes.all()]) for session in sessions
        ]
        back = (
            [(BACK, _("Back to its original place: {place}").format(place=written))] if hasattr(event, "filing") else []
        )
        field = self.fields["scene"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  # for mypy
        field.choices = [*back, *(group for group in groups if group[1])]
        now = place_of(event)[1]
        field.initial = str(now.pk) if now else ""

    @property
    def chosen(self) -> Scene | None:
        """Return the scene, or None for where it was written."""
        return self.scenes.get(self.cleaned_data["scene"])
