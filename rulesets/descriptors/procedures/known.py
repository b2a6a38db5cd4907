"""What everyone at the table knows of a sheet that not all may read: the content of contests, recoveries and Scene
Descriptors. An Injury named in the log, a stuck Descriptor, and one used in a pool are no secrets any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from campaigns.models import Campaign
from campaigns.models.members import TABLE
from characters.models import Character
from languages.letters import same
from rolls.models import Procedure
from rules.checked import restored
from rulesets.descriptors.models import PoolEntry
from rulesets.descriptors.procedures.scene_descriptor import SceneDescriptor
from rulesets.descriptors.rules.contest_stage import Contest, Hit
from rulesets.descriptors.rules.filling import SCENE_DESCRIPTOR, Filling, RowSource, source_of
from rulesets.descriptors.rules.recovery import Recovery
from rulesets.descriptors.sheet import DESCRIPTORS, INJURIES, SHEET, STUCK

LISTS: Final = (DESCRIPTORS, INJURIES, STUCK)
STATES: Final = {"contest": Contest, "recovery": Recovery, SCENE_DESCRIPTOR: SceneDescriptor}


@dataclass(frozen=True, slots=True)
class Told:
    """An entry on the sheet of a character, by its id, as it was last told: its list, its name, and its dice. `row` is
    its id there, "" if that was not told: then the name is used.
    """

    character: str
    rows: str
    name: str
    dice: int
    row: str = ""

    def is_of(self, entry: PoolEntry) -> bool:
        if (self.character, self.rows) != (str(entry.character_id), entry.group):
            return False
        return self.row == entry.uid if self.row else same(self.name, entry.name)


@dataclass(frozen=True, slots=True)
class Known:
    """A Descriptor that is still on the sheet: `source` is where, as in chips of a pool; `name` and `dice` are those
    that all know, without secret changes since.
    """

    source: str
    rows: str
    row: str
    name: str
    dice: int


def known_of(*characters: Character) -> dict[str, list[Known]]:
    """Return by character id the Descriptors that everyone knows to be still on its sheet, for characters of these
    rules and one campaign.
    """
    known: dict[str, list[Known]] = {str(character.pk): [] for character in characters}
    mentions = list(_told(characters[0].campaign)) if characters else []
    for entry in PoolEntry.objects.of(*characters):
        last = next((mention for mention in reversed(mentions) if mention.is_of(entry)), None)
        if last is not None:
            source = RowSource(str(entry.character_id), entry.group, entry.uid)
            known[last.character].append(Known(str(source), entry.group, entry.uid, last.name, last.dice))
    return known


def _told(campaign: Campaign) -> Iterator[Told]:
    """Yield everything that the table was told, oldest first."""
    procedures = Procedure.objects.filter(campaign=campaign, system=SHEET.name, kind__in=STATES, stream=TABLE)
    for kind, state in procedures.order_by("opened_at", "pk").values_list("kind", "state"):
        restored_state: Any = restored(STATES[kind], state)
        if isinstance(restored_state, SceneDescriptor):
            yield from _stuck(restored_state)
            continue
        yield from _in_pools(restored_state)
        yield from _hurt(restored_state) if isinstance(restored_state, Contest) else _mended(restored_state)


def _in_pools(state: Filling) -> Iterator[Told]:
    for entry in (entry for side in state.sides for entry in side.used):
        source = source_of(entry.source)
        if isinstance(source, RowSource):
            yield Told(source.character, source.rows, entry.name, entry.dice, source.row)


def _hurt(state: Contest) -> Iterator[Told]:
    after, loser = state.after, state.loser
    if not after or not after.falls or not after.injury_name or loser is None or loser.character is None:
        return
    dice = after.falls.instead if after.hit is Hit.INJURY else after.falls.injury
    yield Told(loser.character, INJURIES.name, after.injury_name, dice)


def _mended(state: Recovery) -> Iterator[Told]:
    injury = state.injury
    yield Told(injury.character, INJURIES.name, injury.name, injury.dice, injury.row)


def _stuck(state: SceneDescriptor) -> Iterator[Told]:
    if state.stuck_to:
        yield Told(state.stuck_to, STUCK.name, state.name, state.dice)
