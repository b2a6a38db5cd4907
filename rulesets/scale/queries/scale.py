"""A Scale as it stands: whose it is, what is offered and banked on it, and what events tell of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from django.db import models
from django.db.models import Exists, FilteredRelation, Q, QuerySet, Subquery

from campaigns.models import Campaign
from characters.models import Character
from characters.models.values import FIELD_COLUMNS
from database.compiled import Parameter, compiled
from rolls.settings import RollSettings
from rulesets.scale.models import Burn, Momentum, Scale, UndoEntry
from rulesets.scale.rules.scale import BurnKind, State
from rulesets.scale.rules.scale import Settings as ScaleSettings


def scale_id(campaign: Campaign, character: Character | None) -> UUID:
    """The id of a campaign's shared Scale, or of a character's own."""
    return uuid5(character.pk if character else campaign.pk, "scale")


def fed_by(campaign: Campaign, character: Character, settings: RollSettings) -> UUID:
    """The id of the Scale this character's rolls move, whether it is there yet or not."""
    return scale_id(campaign, None if settings.of(ScaleSettings).shared else character)


def in_use(scale: Scale, settings: RollSettings) -> bool:
    """Return whether this is a Scale as the campaign now has them: shared, or of a character."""
    return settings.of(ScaleSettings).shared == (scale.character_id is None)


def burn_on(scale: Scale, state: Burn.State) -> Burn | None:
    """The one Burn of a Scale on offer, or in the bank."""
    return scale.burns.select_related("character__owner__user", "cause").filter(state=state).first()


WAITING = (Burn.State.OFFERED, Burn.State.BANKED)


def state_of(scale: Scale, character: Character | None = None, waiting: Mapping[str, str] | None = None) -> State:
    """The Scale as the rules know it, for this character to act in.

    `waiting` are the kinds of the Burns that are offered and banked, by their state, for those who have read them already.
    """
    carried = Momentum.objects.filter(character=character).first() if character else None
    if waiting is None:
        waiting = dict(scale.burns.filter(state__in=WAITING).values_list("state", "kind"))
    offered, banked = waiting.get("offered"), waiting.get("banked")
    return State(
        scale=scale.value,
        pending=BurnKind(offered) if offered else None,
        banked=BurnKind(banked) if banked else None,
        die_modifier=carried.die_modifier if carried else 0,
        free_activations=carried.free_activations if carried else 0,
    )


@dataclass(frozen=True)
class Standing:
    """The Scale that a character's rolls move, as it stands, with all that one of them has to know of it.

    `scale` and `momentum` are None until the first roll, or Burn, has made the row. `stopped`: whether a Major Burn waits for its
    narration; `steps` is the number of the last step.
    """

    scale: Scale | None
    momentum: Momentum | None
    state: State
    stopped: bool
    steps: int


def standing(campaign: Campaign, character: Character, settings: RollSettings) -> Standing:
    """The same in one query, which begins with the character, as that is there in any case."""
    row: Any = _fed.first(scale=fed_by(campaign, character, settings), character=character.pk)
    scale, momentum = getattr(row, "fed", None), getattr(row, "momentum", None)
    if scale is not None and scale.character_id:
        scale.character = character
    state = State(
        scale=scale.value if scale else 0,
        pending=BurnKind(row.offered) if row.offered else None,
        banked=BurnKind(row.banked) if row.banked else None,
        die_modifier=momentum.die_modifier if momentum else 0,
        free_activations=momentum.free_activations if momentum else 0,
    )
    return Standing(scale, momentum, state, row.stopped, row.steps or 0)


@compiled(scale=models.UUIDField(), character=models.UUIDField())
def _fed(scale: Parameter, character: Parameter) -> QuerySet[Character]:
    burns = Burn.objects.filter(scale=scale)
    rows = Character.objects.annotate(
        fed=FilteredRelation("campaign__scales", condition=Q(campaign__scales__pk=scale)),
        offered=Subquery(burns.filter(state=Burn.State.OFFERED).values("kind")),
        banked=Subquery(burns.filter(state=Burn.State.BANKED).values("kind")),
        stopped=Exists(burns.filter(major=True, state=Burn.State.OPEN)),
        steps=Subquery(UndoEntry.objects.filter(scale=scale).order_by("-number").values("number")[:1]),
    )
    # What is on its sheet does not matter here.
    lean = rows.select_related("fed", "momentum").defer(*FIELD_COLUMNS)  # type: ignore[misc]  # annotated
    return lean.filter(pk=character).order_by()


def scale_payload(scale: Scale, state: State | None = None) -> dict[str, Any]:
    """A Scale as events tell of it, absolute (rulesets/scale/words.py draws it); `state` is its own, where it is known."""
    state = state or state_of(scale)
    return {
        "id": str(scale.pk),
        "name": scale.character.name if scale.character else None,
        "value": scale.value,
        "pending": state.pending,
        "banked": state.banked,
        "order": scale.order,
    }
