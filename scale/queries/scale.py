"""Reads the Scale and its Burns: their payloads, and the context of a table page.

Pages show the same dicts as events, so that live equals reload.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from django.db import models
from django.db.models import (
    Exists,
    FilteredRelation,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    prefetch_related_objects,
)

from campaigns.models import Campaign, Event, EventIndex, GameSession, Membership, Role, Viewer
from campaigns.models.log import person
from characters.models import Character
from characters.models.values import FIELD_COLUMNS
from characters.queries.in_play import in_play
from database.compiled import Parameter, compiled
from rules.checked import made
from scale import words
from scale.counting import moves_scales
from scale.events import BURN_NARRATED, MAJOR, NAME
from scale.models import Burn, BurnSeen, Momentum, Scale, ScaleStep
from scale.rules.scale import EFFECT_CHOSEN_BY, BurnKind, Settings, Side, State


def settings_of(campaign: Campaign) -> Settings:
    """Return what a campaign has decided about its Scale."""
    return made(Settings, campaign.settings.get(NAME, {}))


def player_of(character: Character | None) -> Membership | None:
    """Return who plays a character at the table now; None for an NPC, and if the player has left or only watches."""
    owner = character.owner if character else None
    if owner is None or owner.left_at or not Role(owner.role).at_least(Role.PLAYER):
        return None
    return owner


def chooser_side(burn: Burn) -> Side:
    """Return the side that chooses the effect (scale.txt, Voluntary Burn)."""
    return EFFECT_CHOSEN_BY[BurnKind(burn.kind)]


def burn_payload(burn: Burn) -> dict[str, Any]:
    """Return a Burn as it is in events' payloads, complete (scale/words.py draws it).

    `whose` is the player it belongs to (None: the GM's), `chosen_by` "player" or "gm", `at` the value of its Scale.
    """
    player = player_of(burn.character)
    payload = {
        "id": str(burn.pk),
        "scale": str(burn.scale_id),
        "kind": burn.kind,
        "major": burn.major,
        "state": burn.state,
        "order": int(burn.at.timestamp() * 1000),
        "at": burn.scale.value,
        "whose": person(player) if player else None,
        "character": burn.character.ref,
        "chosen_by": chooser_side(burn).value,
        "effect": burn.effect,
        "words": burn.words if not burn.major else "",
        "npc": burn.npc.ref if burn.npc else None,
    }
    return payload | (_major(burn) if burn.major else {})


KEPT = (Burn.State.BANKED, Burn.State.FIRED, Burn.State.OPEN, Burn.State.DEFERRED, Burn.State.NARRATED)


def seen_in_order(rows: Any) -> QuerySet[BurnSeen]:
    """Return who has seen Major Burns, with all that is needed to name them. Pages read it for several at once, as
    `seen_read`.
    """
    ordered: QuerySet[BurnSeen] = rows.select_related("member__user").order_by("pk")
    return ordered


def _major(burn: Burn) -> dict[str, Any]:
    rows = burn.seen_read if hasattr(burn, "seen_read") else seen_in_order(burn.seen)
    seen = [person(row.member) for row in rows]
    return {
        "reached": burn.oracle.get("reached", 0),
        "oracles": burn.oracle.get("dice", []),
        "storyline": burn.storyline.title if burn.storyline else "",
        "narration": burn.words,
        "seen_by": seen,
        "seen_of": max(burn.oracle.get("asked", 0), len(seen)),
    }


def momentum_payload(characters: Iterable[Character]) -> list[dict[str, Any]]:
    """Return the momentum that Burns have left on characters, as scale/_momentum.html draws it."""
    characters = list(characters)
    momenta = {momentum.character_id: momentum for momentum in Momentum.objects.filter(character__in=characters)}
    return [carried_by(character, momenta.get(character.pk)) for character in characters]


def carried_by(character: Character, momentum: Momentum | None) -> dict[str, Any]:
    """Return the momentum that Burns have left on one character; None means none yet."""
    player, momentum = player_of(character), momentum or Momentum()
    return {
        "character": character.ref,
        "whose": person(player) if player else None,
        "die_modifier": momentum.die_modifier,
        "free_activations": momentum.free_activations,
    }


def scale_id(campaign: Campaign, character: Character | None) -> UUID:
    """Return the id of a campaign's shared Scale, or of a character's own."""
    return uuid5(character.pk if character else campaign.pk, "scale")


def in_use(scale: Scale, settings: Settings) -> bool:
    """Return whether the campaign uses this Scale now: shared, or a character's."""
    return settings.shared == (scale.character_id is None)


def burn_on(scale: Scale, state: Burn.State) -> Burn | None:
    """Return the one Burn of a Scale on offer, or in the bank."""
    return scale.burns.select_related("character__owner__user", "cause").filter(state=state).first()


WAITING = (Burn.State.OFFERED, Burn.State.BANKED)


def state_of(scale: Scale, character: Character | None = None, waiting: Mapping[str, str] | None = None) -> State:
    """Return the Scale as the rules know it, for this character to act in.

    `waiting` are the kinds of the Burns that are offered and banked, by their state, for those who have read them already.
    """
    momentum = Momentum.objects.filter(character=character).first() if character else None
    if waiting is None:
        waiting = dict(scale.burns.filter(state__in=WAITING).values_list("state", "kind"))
    return _state(scale.value, waiting.get("offered"), waiting.get("banked"), momentum)


def _state(value: int, offered: str | None, banked: str | None, momentum: Momentum | None) -> State:
    return State(
        scale=value,
        pending=BurnKind(offered) if offered else None,
        banked=BurnKind(banked) if banked else None,
        die_modifier=momentum.die_modifier if momentum else 0,
        free_activations=momentum.free_activations if momentum else 0,
    )


@dataclass(frozen=True)
class Standing:
    """The current Scale of a character's rolls, with all that one of them has to know of it.

    `scale` and `momentum` are None until the first roll, or Burn, has made the row. `stopped`: whether a Major Burn
    waits for its narration; `steps` is the number of the last step.
    """

    scale: Scale | None
    momentum: Momentum | None
    state: State
    stopped: bool
    steps: int


def standing(campaign: Campaign, character: Character, settings: Settings) -> Standing:
    """Return the character's standing on the Scale in one query, which begins with the character since that row always exists."""
    fed = scale_id(campaign, None if settings.shared else character)
    row: Any = _fed.first(scale=fed, character=character.pk)
    scale, momentum = getattr(row, "fed", None), getattr(row, "momentum", None)
    if scale is not None and scale.character_id:
        scale.character = character
    state = _state(scale.value if scale else 0, row.offered, row.banked, momentum)
    return Standing(scale, momentum, state, row.stopped, row.steps or 0)


@compiled(scale=models.UUIDField(), character=models.UUIDField())
def _fed(scale: Parameter, character: Parameter) -> QuerySet[Character]:
    burns = Burn.objects.filter(scale=scale)
    rows = Character.objects.annotate(
        fed=FilteredRelation("campaign__scales", condition=Q(campaign__scales__pk=scale)),
        offered=Subquery(burns.filter(state=Burn.State.OFFERED).values("kind")),
        banked=Subquery(burns.filter(state=Burn.State.BANKED).values("kind")),
        stopped=Exists(burns.filter(major=True, state=Burn.State.OPEN)),
        steps=Subquery(ScaleStep.objects.filter(scale=scale).order_by("-number").values("number")[:1]),
    )
    # Its sheet is not needed here.
    lean = rows.select_related("fed", "momentum").defer(*FIELD_COLUMNS)  # type: ignore[misc]  # annotated
    return lean.filter(pk=character).order_by()


def scale_payload(scale: Scale, state: State | None = None) -> dict[str, Any]:
    """Return a Scale as it is in events' payloads, complete (scale/words.py draws it); `state` is its own, if
    already read.
    """
    state = state or state_of(scale)
    return {
        "id": str(scale.pk),
        "name": scale.character.name if scale.character else None,
        "value": scale.value,
        "pending": state.pending,
        "banked": state.banked,
        "order": scale.order,
    }


LOOKED_AT = 300
"""Events about Major Burns, the last ones, among which those of the newest session are found."""

NARRATED_SHOWN = 5
"""Narrated Major Burns that stay in the list of Burns: the last ones of the newest session."""


UNSETTLED = (Burn.State.OFFERED, Burn.State.BANKED, Burn.State.FIRED, Burn.State.OPEN, Burn.State.DEFERRED)
NAMED = ("scale__value", "character__name", "npc__name", "storyline__title")
OWNED = ("role", "left_at", "abroad", "called", "user__username", "user__display_name")
READ = (*(field.name for field in Burn._meta.concrete_fields), *NAMED, *(f"character__owner__{name}" for name in OWNED))
"""The columns that Burns are drawn from: without the sheets of those they name, a tenth of all columns."""


def unsettled(viewer: Viewer) -> list[Burn]:
    """Return the Burns that wait for somebody. They are read once for a page, which shows them in several places."""
    return viewer.once(_unsettled_at)


def _unsettled_at(viewer: Viewer) -> list[Burn]:
    return unsettled_in(viewer.campaign)


def unsettled_in(campaign: Campaign) -> list[Burn]:
    """Return the same under the lock of the campaign."""
    return list(_burns(campaign).filter(state__in=UNSETTLED))


def scale_states(viewer: Viewer) -> list[dict[str, Any]]:
    """Return the Scales in use: the table's, or those of player characters who have rolled, in the order in which they began.

    A campaign without rules whose dice can be counted has nothing that could move one.
    """
    campaign = viewer.campaign
    if not moves_scales(campaign):
        return []
    scales = Scale.objects.filter(campaign=campaign)
    if settings_of(campaign).shared:
        of_all = scales.filter(character=None).first()
        return [_scale(viewer, of_all or Scale(pk=scale_id(campaign, None), campaign=campaign))]
    return [
        _scale(viewer, scale)
        for scale in scales.select_related("character")
        if scale.character and scale.character.retired_at is None
    ]


def _scale(viewer: Viewer, scale: Scale) -> dict[str, Any]:
    waiting = {burn.state: burn.kind for burn in unsettled(viewer) if burn.scale_id == scale.pk}
    return words.scale(scale_payload(scale, state_of(scale, waiting=waiting)))


def open_offers(viewer: Viewer) -> list[dict[str, Any]]:
    """Return Burns on offer, and those that fired and wait for their effect."""
    return _drawn(_in(viewer, Burn.State.OFFERED, Burn.State.FIRED))


def open_majors(viewer: Viewer) -> list[dict[str, Any]]:
    """Return Major Burns that are not narrated: they stop the room, or were put off."""
    return _drawn(_in(viewer, Burn.State.OPEN, Burn.State.DEFERRED))


def burn_rows(viewer: Viewer) -> list[dict[str, Any]]:
    """Return the list of Burns: whatever is not settled, and the Major Burns that were narrated in the newest session."""
    kept = _in(viewer, *KEPT)
    return _drawn(sorted([*kept, *_narrated.rows(campaign=viewer.campaign.pk)], key=lambda burn: (burn.at, burn.pk)))


@compiled(campaign=models.UUIDField())
def _narrated(campaign: Parameter) -> QuerySet[Burn]:
    """Return the last Burns that were narrated in the newest session.

    A deferred one is narrated in a later session than its own; so the time of the narration counts.
    """
    later = GameSession.objects.filter(campaign=campaign, started_at__gt=OuterRef("at"))
    # The last of the log alone: of all that were ever narrated each would be looked up.
    newest = EventIndex.objects.filter(campaign=campaign, topic=MAJOR).order_by("-event").values("event")[:LOOKED_AT]
    narrations = Event.objects.filter(pk__in=newest, kind=BURN_NARRATED).filter(~Exists(later)).values("parent")
    return _burns(campaign).filter(event__in=narrations, state=Burn.State.NARRATED).order_by("-at")[:NARRATED_SHOWN]


def carried(viewer: Viewer) -> list[dict[str, Any]]:
    """Return the momentum of the characters in play that this viewer knows."""
    anything = ~Q(die_modifier=0) | Q(free_activations__gt=0)
    momenta = Momentum.objects.filter(anything, character__campaign=viewer.campaign).in_bulk()
    return [carried_by(character, momenta[character.pk]) for character in in_play(viewer) if character.pk in momenta]


def _in(viewer: Viewer, *states: str) -> list[Burn]:
    return [burn for burn in unsettled(viewer) if burn.state in states]


def _burns(campaign: Campaign | Parameter) -> QuerySet[Burn]:
    return (
        Burn.objects.filter(scale__campaign=campaign)
        .select_related("scale", "character__owner__user", "npc", "storyline")
        .only(*READ)
        .order_by("at", "pk")
    )


def _drawn(burns: Sequence[Burn]) -> list[dict[str, Any]]:
    majors = [burn for burn in burns if burn.major]
    prefetch_related_objects(majors, Prefetch("seen", seen_in_order(BurnSeen.objects), to_attr="seen_read"))
    return [words.burn(burn_payload(burn)) for burn in burns]
