"""A Scale as it stands: whose it is, what is offered and banked on it, and what events tell of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid5

from campaigns.models import Campaign
from characters.models import Character
from rolls.settings import RollSettings
from rulesets.scale.models import Burn, Momentum, Scale
from rulesets.scale.rules.scale import BurnKind, State
from rulesets.scale.rules.scale import Settings as ScaleSettings


def scale_id(campaign: Campaign, character: Character | None) -> UUID:
    """The id of a campaign's shared Scale, or of a character's own."""
    return uuid5(character.pk if character else campaign.pk, "scale")


def fed_by(campaign: Campaign, character: Character, settings: RollSettings) -> UUID:
    """The id of the Scale this character's rolls move, whether it is there yet or not."""
    return scale_id(campaign, None if settings.of(ScaleSettings).shared else character)


def in_use(scale: Scale, settings: RollSettings) -> bool:
    """Whether this is a Scale as the campaign now has them: shared, or of a character."""
    return settings.of(ScaleSettings).shared == (scale.character_id is None)


def burn_on(scale: Scale, state: Burn.State) -> Burn | None:
    """The one Burn of a Scale on offer, or in the bank."""
    return scale.burns.select_related("character__owner__user", "cause").filter(state=state).first()


def state_of(scale: Scale, character: Character | None = None) -> State:
    """The Scale as the rules know it, for this character to act in."""
    carried = Momentum.objects.filter(character=character).first() if character else None
    states = (Burn.State.OFFERED, Burn.State.BANKED)
    waiting = dict(scale.burns.filter(state__in=states).values_list("state", "kind"))
    offered, banked = waiting.get("offered"), waiting.get("banked")
    return State(
        scale=scale.value,
        pending=BurnKind(offered) if offered else None,
        banked=BurnKind(banked) if banked else None,
        die_modifier=carried.die_modifier if carried else 0,
        free_activations=carried.free_activations if carried else 0,
    )


def scale_payload(scale: Scale) -> dict[str, Any]:
    """A Scale as events tell of it, absolute (rulesets/scale/words.py draws it)."""
    state = state_of(scale)
    return {
        "id": str(scale.pk),
        "name": scale.character.name if scale.character else None,
        "value": scale.value,
        "pending": state.pending,
        "banked": state.banked,
        "order": scale.order,
    }
