"""How characters come on by their rules: what XP are put into, what can be bought at which price, what a player may claim."""

from characters.advancement import register
from characters.sheets import SHEETS
from rolls.advancement.descriptors import DescriptorsScheme
from rolls.advancement.forged import CrewScheme, ForgedScheme
from rolls.advancement.free import FreeScheme


def register_all() -> None:
    for name in ("storyteller", "arc"):
        register(name, FreeScheme(SHEETS[name]))
    register("descriptors", DescriptorsScheme())
    register("forged", ForgedScheme())
    register("crew", CrewScheme())
