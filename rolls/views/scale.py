"""The posts of the Scale that throw dice or void a roll; the others are in scale/views.py."""

from __future__ import annotations

from campaigns.models import Role
from rolls.forms.base import MarkForm, ReasonForm
from rolls.services.scale import mark_oracle, undo_newest
from scale.views import acting

mark = acting(Role.PLAYER, mark_oracle, MarkForm)
undo = acting(Role.GM, undo_newest, ReasonForm)
