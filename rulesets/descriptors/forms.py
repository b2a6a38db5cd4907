"""The forms of Descriptors: of the roll, of what is pressed in a contest or a recovery, of Keys and of what clings."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from characters.queries.in_play import in_play
from languages.text import gettext_lazy
from rolls.forms.asked import ActForm
from rolls.forms.base import RollForm
from rolls.queries.procedures import open_to
from rules.acts import Target
from rules.messages import Words
from rules.table import Table
from rulesets.descriptors.procedures.pools import Filling, reads
from rulesets.descriptors.rows import Chip
from rulesets.descriptors.rules.keys import Level
from rulesets.descriptors.table.ask import LONGEST_POOL, LONGEST_VERSUS, DescriptorsInput

LONGEST_WHY = 200
ONCE_ACCEPTED = gettext_lazy("A Descriptor that’s not on a sheet you can see counts once it’s accepted.")


class DescriptorsForm(RollForm):
    """`pool` and `against` are numbers of dice, or Descriptors joined by plus signs; `versus` says whose the second one is."""

    roll_input = DescriptorsInput

    pool = LineField(max_length=LONGEST_POOL, required=False)
    against = LineField(max_length=LONGEST_POOL, required=False)
    versus = LineField(max_length=LONGEST_VERSUS, required=False)

    @classmethod
    def shown(cls, viewer: Viewer, hand: dict[str, Any] | None) -> dict[str, Any]:
        """Return the names of possible opponents, and the Scene Descriptors of this scene."""
        return {
            "faces": _("yours, then theirs: 9 7 5 6 4"),
            "known": [other.name for other in in_play(viewer) if hand is None or other != hand["character"]],
            "scene": [
                f"{one.state['name']} {one.state['dice']}"
                for one in open_to(viewer)
                if (one.system, one.kind) == (DescriptorsInput.system, "scene_descriptor")
            ],
            "longest": {"pool": LONGEST_POOL, "versus": LONGEST_VERSUS},
        }

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        """Leave out characters that players do not know, because requests are shown to players."""
        return cls.shown(viewer, None) | {"known": [other.name for other in in_play(viewer) if not other.is_hidden]}


class UseForm(ActForm):
    """There are `groups` of chips, and `will` if this viewer may read that."""

    @classmethod
    def drawn(cls, table: Table, procedure: Filling, target: Target) -> dict[str, Any]:
        if not target:
            return {}
        side, once, mine = target[0], table.settings.once_per_roll, target[0].hero(table)
        other, used = procedure.other(side), {entry.source for entry in side.entries if entry.source}
        refused = {procedure.opposed} | ({entry.source for entry in other.entries} if other and once else set())
        groups = [_group(*group, used, refused) for group in procedure.groups(table, side)]
        return {
            "groups": [group for group in groups if group["chips"]],
            "will": mine.will if mine and reads(table, mine) else None,
            "note": "" if table.by.is_gm else str(ONCE_ACCEPTED),
        }


def _group(label: Words, chips: list[Chip], used: set[str], refused: set[str]) -> dict[str, Any]:
    drawn = [chip._asdict() | {"pressed": chip.source in used} for chip in chips if chip.source not in refused]
    return {"label": str(label), "chips": drawn}


class ClingingForm(forms.Form):
    """A press at a row: `row` is "<what is done>:<character>:<rows>:<row>:<dice>", `why` the reason."""

    row = forms.RegexField(r"(?:end|less|keep):[0-9a-f-]{36}:[a-z]{1,20}:[0-9a-f]{1,40}:[0-9]{1,3}")
    why = LineField(max_length=LONGEST_WHY, required=False)


class KeyForm(forms.Form):
    """Asks what happened to a `row` of Keys, and `words` for it."""

    row = forms.RegexField(r"[0-9a-f]{1,40}")
    level = forms.ChoiceField(choices=[(level.value, level.value) for level in Level])
    words = LineField(max_length=LONGEST_WHY, required=False)
