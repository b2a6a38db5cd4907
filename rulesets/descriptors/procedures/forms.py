"""The forms of contests and recoveries whose templates need more than what is asked."""

from __future__ import annotations

from typing import Any

from languages.text import gettext_lazy
from rolls.forms.asked import ActForm
from rules.acting import Procedure
from rules.acts import Target
from rules.dice import LARGEST_POOL
from rules.messages import Words
from rules.table import Table
from rulesets.descriptors.procedures.pools import LONGEST_NAME, Chip, Filling, Side, reads

NOBODY_HURT = gettext_lazy("You don’t know of any Injury. Its bearer can start the recovery and choose who helps.")


class UseForm(ActForm):
    """There are `groups` of chips, and `will` if this viewer may read that."""

    @classmethod
    def _options(cls, table: Table, procedure: Procedure, target: Target = ()) -> dict[str, Any]:
        if not isinstance(procedure, Filling) or not target:
            return super()._options(table, procedure, target)
        side: Side = target[0]
        other, used = procedure.other(side), {entry.source for entry in side.used if entry.source}
        mine, theirs = side.hero(table), other.hero(table) if other else None
        groups = [_group(*group, used, procedure.opposed) for group in procedure.groups(table, side)]
        return super()._options(table, procedure, target) | {
            "groups": [group for group in groups if group["chips"]],
            "will": mine.will if mine and reads(table, mine) else None,
            "who": str(side.label),
            "other": str(other.label) if other else "",
            "reads_them": theirs is not None and reads(table, theirs),
            "bare": side.dice if table.by.is_gm else None,
            "limits": {"name": LONGEST_NAME, "dice": LARGEST_POOL},
        }


def _group(label: Words, chips: list[Chip], used: set[str], opposed: str) -> dict[str, Any]:
    drawn = [chip.model_dump() | {"pressed": chip.source in used} for chip in chips if chip.source != opposed]
    return {"label": str(label), "chips": drawn}


class OpenContestForm(ActForm):
    @classmethod
    def _options(cls, table: Table, procedure: Procedure, target: Target = ()) -> dict[str, Any]:
        return super()._options(table, procedure, target) | {"is_gm": table.by.is_gm}


class OpenRecoveryForm(ActForm):
    @classmethod
    def _options(cls, table: Table, procedure: Procedure, target: Target = ()) -> dict[str, Any]:
        drawn = super()._options(table, procedure, target)
        return drawn | {"nothing": "" if drawn["options"]["injury"] else str(NOBODY_HURT)}
