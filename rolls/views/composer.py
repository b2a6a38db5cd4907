"""What can be said and rolled from the table page, and as whom."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from campaigns.access import Seat
from campaigns.forms.play import voices_of
from campaigns.models import Membership
from campaigns.models.members import System
from characters.models import Character
from rolls.forms import ROLL_FORMS
from rolls.models import Audience


def composer(seat: Seat, hand: dict[str, Any] | None) -> dict[str, Any]:
    """What rolls/_composer.html draws, with the roll form of the system of the character at hand."""
    # Whoever has a character at hand speaks as that one, unless they say otherwise.
    at_hand = str(hand["id"]) if hand else ""
    mine = sorted(
        Character.objects.played_by(seat.by).order_by("owner", "name"), key=lambda one: str(one.pk) != at_hand
    )
    others = Membership.objects.here().filter(campaign=seat.campaign).exclude(pk=seat.by.pk)
    return roll_composer(seat, hand, hand["system"] if hand else "") | {
        "say_url": reverse("compose", args=[seat.campaign.slug]),
        "witness_url": reverse("witness_ask", args=[seat.campaign.slug]) if seat.is_gm else "",
        "voices": voices_of(seat.by, [one.about for one in mine if not one.is_hidden]),
        "members": others.select_related("user"),
    }


def roll_composer(seat: Seat, hand: dict[str, Any] | None, wanted: str) -> dict[str, Any]:
    """What rolls/_roll_form.html draws: the form of the `wanted` system, or of the first that the campaign plays by."""
    slug = seat.campaign.slug
    system, systems = systems_to_choose(seat, wanted)
    return {
        "system": system,
        "systems": systems,
        "template": f"rolls/forms/{system}.html",
        "form_url": reverse("roll_form", args=[slug]),
        "roll_url": reverse("roll", args=[slug]),
        "odds_url": reverse("odds", args=[slug]),
        "audiences": Audience.choices,
        "character": hand["id"] if hand else "",
    } | ROLL_FORMS[system].shown(seat, hand)


def systems_to_choose(seat: Seat, wanted: str) -> tuple[str, list[dict[str, Any]]]:
    """The `wanted` system, or the first that the campaign plays by; and all of those: [{name, words, current}]."""
    played = [name for name in ROLL_FORMS if name in seat.campaign.systems]
    system = wanted if wanted in played else played[0]
    return system, [{"name": name, "words": System(name).short, "current": name == system} for name in played]
