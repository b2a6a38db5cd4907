"""Under which scene an event belongs."""

from __future__ import annotations

from typing import Any

from django import forms

from campaigns.forms.text import LineField
from campaigns.models import Event, GameSession, Scene
from campaigns.models.scene_overrides import place_of

BACK = "back"


class RefileForm(forms.Form):
    """Any scene of the campaign; for an event that was moved, also back to where it was written."""

    scene = forms.ChoiceField(label="Scene")
    reason = LineField(label="Why", required=False)

    def __init__(self, event: Event, written: str, *args: Any, **kwargs: Any) -> None:
        """`written`: where the event was written, in words."""
        super().__init__(*args, **kwargs)
        sessions = GameSession.objects.filter(campaign=event.campaign_id).order_by("-number").prefetch_related("scenes")
        self.scenes = {str(scene.pk): scene for session in sessions for scene in session.scenes.all()}
        groups = [
            (str(session), [(str(scene.pk), str(scene)) for scene in session.scenes.all()]) for session in sessions
        ]
        back = [(BACK, f"Back where it was written: {written}")] if hasattr(event, "filing") else []
        field = self.fields["scene"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  # for mypy
        field.choices = [*back, *(group for group in groups if group[1])]
        _, now = place_of(event)
        field.initial = str(now.pk) if now else ""

    @property
    def chosen(self) -> Scene | None:
        """The scene, or None for where it was written."""
        return self.scenes.get(self.cleaned_data["scene"])
