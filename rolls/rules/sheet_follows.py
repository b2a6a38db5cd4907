"""What follows by the rules from a sheet that cannot stay as it is, such as a track that is full, whoever has written on it: a
roll, a procedure or somebody by hand, in the same operation.

A ruleset has one for each of its sheets where there is such a thing (`Ruleset.follows`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rolls.rules.effects import Effect
from rolls.rules.procedures import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFollow:
    """`due` says of the values of a sheet, by the settings of the ruleset, whether anything follows; `effects` what, for all in
    `seen.sheets`, of whom each is due. They leave the sheets so that nothing more follows, or see by what is open that it is
    settled there. A sheet is a player character's in play, or a crew's: those of NPCs stay as GMs write them.
    """

    due: Callable[[Mapping[str, Any], Any], bool]
    effects: Callable[[Snapshot], Sequence[Effect]]
