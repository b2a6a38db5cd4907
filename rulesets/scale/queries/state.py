"""What a table page shows of the Scale and its Burns: the same dicts that events carry, so that live equals reload."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, prefetch_related_objects

from campaigns.models import Campaign, Event, EventIndex, GameSession, Viewer
from characters.models import Character
from database.compiled import Parameter, compiled
from rolls.settings import roll_settings
from rulesets.scale import words
from rulesets.scale.events import BURN_NARRATED, MAJOR
from rulesets.scale.models import Burn, BurnSeen, Momentum, Scale
from rulesets.scale.queries.counting import moves_scales
from rulesets.scale.queries.payloads import KEPT, burn_payload, carried_by, seen_in_order
from rulesets.scale.queries.scale import scale_id, scale_payload, state_of
from rulesets.scale.rules.scale import Settings as ScaleSettings

LOOKED_AT = 300
"""Events about Major Burns, the last ones, among which those of the newest session are found."""

NARRATED_SHOWN = 5
"""Narrated Major Burns that stay in the list of Burns: the last ones of the newest session."""


UNSETTLED = (Burn.State.OFFERED, Burn.State.BANKED, Burn.State.FIRED, Burn.State.OPEN, Burn.State.DEFERRED)
NAMED = ("scale__value", "character__name", "npc__name", "storyline__title")
OWNED = ("role", "left_at", "abroad", "called", "user__username", "user__display_name")
READ = (*(field.name for field in Burn._meta.concrete_fields), *NAMED, *(f"character__owner__{name}" for name in OWNED))
"""What Burns are drawn from: not the sheets of those whom they name, and a tenth of the columns."""


def unsettled(viewer: Viewer) -> list[Burn]:
    """The Burns that wait for somebody. A page that shows them in several places reads them once."""
    return unsettled_in(viewer.campaign)


def unsettled_in(campaign: Campaign) -> list[Burn]:
    return _unsettled.rows(campaign=campaign.pk)


@compiled(campaign=models.UUIDField())
def _unsettled(campaign: Parameter) -> QuerySet[Burn]:
    return _burns(campaign).filter(state__in=UNSETTLED)


def scale_states(viewer: Viewer, burns: Iterable[Burn] | None = None) -> list[dict[str, Any]]:
    """The Scales in use: the table's, or those of player characters who have rolled, in the order in which they began.

    A campaign without rules whose dice can be counted has nothing that could move one.
    """
    campaign = viewer.campaign
    if not moves_scales(campaign):
        return []
    scales = Scale.objects.filter(campaign=campaign).select_related("character")
    if roll_settings(campaign).of(ScaleSettings).shared:
        of_all = next((scale for scale in scales if scale.character is None), None)
        return [_scale(of_all or Scale(pk=scale_id(campaign, None), campaign=campaign), burns)]
    return [_scale(scale, burns) for scale in scales if scale.character and scale.character.retired_at is None]


def _scale(scale: Scale, burns: Iterable[Burn] | None) -> dict[str, Any]:
    waiting = None if burns is None else {burn.state: burn.kind for burn in burns if burn.scale_id == scale.pk}
    return words.scale(scale_payload(scale, state_of(scale, waiting=waiting)))


def open_offers(viewer: Viewer, burns: Iterable[Burn] | None = None) -> list[dict[str, Any]]:
    """Burns on offer, and those that fired and wait for their effect."""
    return _drawn(_in(viewer, burns, Burn.State.OFFERED, Burn.State.FIRED))


def open_majors(viewer: Viewer, burns: Iterable[Burn] | None = None) -> list[dict[str, Any]]:
    """Major Burns that are not narrated: they stop the room, or were put off."""
    return _drawn(_in(viewer, burns, Burn.State.OPEN, Burn.State.DEFERRED))


def burn_rows(viewer: Viewer, burns: Iterable[Burn] | None = None) -> list[dict[str, Any]]:
    """The list of Burns: whatever is not settled, and the Major Burns that were narrated in the newest session."""
    kept = _in(viewer, burns, *KEPT)
    return _drawn(sorted([*kept, *_narrated.rows(campaign=viewer.campaign.pk)], key=lambda burn: (burn.at, burn.pk)))


@compiled(campaign=models.UUIDField())
def _narrated(campaign: Parameter) -> QuerySet[Burn]:
    """Return those that were narrated in the newest session, the last ones of them.

    One that was put off is told in a later session than the one it fell in; so it goes by when it was told.
    """
    later = GameSession.objects.filter(campaign=campaign, started_at__gt=OuterRef("at"))
    # The last of the log alone: of all that were ever narrated each would be looked up.
    newest = EventIndex.objects.filter(campaign=campaign, topic=MAJOR).order_by("-event").values("event")[:LOOKED_AT]
    narrations = Event.objects.filter(pk__in=newest, kind=BURN_NARRATED).filter(~Exists(later)).values("parent")
    return _burns(campaign).filter(event__in=narrations, state=Burn.State.NARRATED).order_by("-at")[:NARRATED_SHOWN]


def carried(viewer: Viewer) -> list[dict[str, Any]]:
    """Return what Burns have left on the characters at the table of whom this viewer knows."""
    momenta = (_left if viewer.is_gm else _left_on_known).rows(campaign=viewer.campaign.pk)
    return [carried_by(momentum.character, momentum) for momentum in momenta]


def _left_on(campaign: Parameter, *, is_gm: bool) -> QuerySet[Momentum]:
    anything = ~Q(die_modifier=0) | Q(free_activations__gt=0)
    active = Character.objects.active().filter(campaign=campaign).values("pk")
    known = Q() if is_gm else Q(character__owner__isnull=False) | Q(character__shown=True)
    rows = Momentum.objects.filter(anything, known, character__in=active)
    return rows.select_related("character__owner__user").order_by("character__name", "character")


_of_campaign = compiled(campaign=models.UUIDField())
_left, _left_on_known = (_of_campaign(partial(_left_on, is_gm=is_gm)) for is_gm in (True, False))


def _in(viewer: Viewer, burns: Iterable[Burn] | None, *states: str) -> list[Burn]:
    return [burn for burn in (unsettled(viewer) if burns is None else burns) if burn.state in states]


def _burns(campaign: Parameter) -> QuerySet[Burn]:
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
