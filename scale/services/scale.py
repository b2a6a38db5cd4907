"""Makes the rows of Scales and Momentum, and follows a campaign that decides otherwise or whose players change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from campaigns.errors import Blocked
from campaigns.models import Campaign
from campaigns.services.log import UnitOfWork
from characters.models import Character
from scale.counting import moves_scales
from scale.events import BURN_SEEN
from scale.models import Burn, Momentum, Scale
from scale.queries.scale import (
    burn_payload,
    in_use,
    scale_id,
    scale_payload,
    unsettled_in,
)
from scale.rules.scale import Settings


def scale_of(campaign: Campaign, character: Character, settings: Settings) -> Scale:
    """Return the Scale that this character's rolls move, the table's or its own; created if there is none yet."""
    whose = None if settings.shared else character
    made = Scale.objects.filter(campaign=campaign).count()
    scale, _ = Scale.objects.get_or_create(
        pk=scale_id(campaign, whose), defaults={"campaign": campaign, "character": whose, "order": made}
    )
    return scale


def momentum_of(character: Character) -> Momentum:
    """Return a character's momentum, created if there was none."""
    return Momentum.objects.get_or_create(character=character)[0]


UNSETTLED = (Burn.State.OFFERED, Burn.State.BANKED, Burn.State.FIRED, Burn.State.OPEN)


def changed(campaign: Campaign, now: Settings, then: Settings, *, was_played: bool) -> Mapping[str, Any]:
    """Return the Scales in use from now on, and the ids of those no longer in use; both empty if nothing changes.

    `was_played` is whether any roll moved a Scale before. Raises Blocked when it would change hands, or stop for good, while a
    Burn is unsettled.
    """
    is_played = moves_scales(campaign)
    if now.shared == then.shared and was_played == is_played:
        return {"scales": [], "gone": []}
    gone = [scale for scale in Scale.objects.filter(campaign=campaign) if in_use(scale, now)] if was_played else []
    if Burn.objects.filter(scale__in=gone, state__in=UNSETTLED).exists():
        message = _("A Burn isn’t settled yet. Take, spend or narrate it first, then change this.")
        raise Blocked(message, field="scale.shared")
    # The shared one is on the page even before it has a row.
    unmoved = [str(scale_id(campaign, None))] if was_played else []
    return {
        "scales": [scale_payload(scale) for scale in _scales(campaign, then)] if is_played else [],
        "gone": [str(scale.pk) for scale in gone] or unmoved,
    }


def _scales(campaign: Campaign, settings: Settings) -> list[Scale]:
    """Return the Scales that are now in use: the table's, or one for every player character."""
    if settings.shared:
        return [Scale.objects.get_or_create(pk=scale_id(campaign, None), defaults={"campaign": campaign})[0]]
    players = Character.objects.active().filter(campaign=campaign).exclude(owner=None)
    return [scale_of(campaign, character, settings) for character in players]


def tell_anew(work: UnitOfWork) -> None:
    """Record again who has to settle the waiting Burns: open pages show who that was when each was last told."""
    burns = unsettled_in(work.campaign)
    if burns:
        subjects = [burn.character.subject for burn in burns]
        work.record(
            BURN_SEEN, {"burns": [burn_payload(burn) for burn in burns]}, subjects=subjects, discriminator="players"
        )
