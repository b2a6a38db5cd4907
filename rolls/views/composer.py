"""The context of the composer: what can be said and rolled from the table page, and as whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from campaigns.forms.play import members_of, voices_of
from campaigns.models import Viewer
from characters.views.active_character import hand_by_rules
from rolls.models import Audience
from rolls.queries.kept import kept_rolls
from rolls.queries.moves import moves_for
from rolls.registry import RULESETS, commands_of
from rolls.views.completions import completions


def composer(viewer: Viewer, hand: dict[str, Any] | None) -> dict[str, Any]:
    """Return the context of rolls/_composer.html, with the roll form of the system of the character at hand."""
    # A member with a chosen character speaks as that one, unless they say otherwise.
    at_hand = str(hand["id"]) if hand else ""
    mine = sorted(hand["playable"] if hand else [], key=lambda one: str(one.pk) != at_hand)
    others = list(members_of(viewer.campaign).exclude(pk=viewer.by.pk))
    voices = voices_of(viewer.by, [one.subject for one in mine if not one.is_hidden])
    return roll_composer(viewer, hand, hand["system"] if hand else "") | {
        "say_url": reverse("compose", args=[viewer.campaign.slug]),
        "witness_url": reverse("witness_ask", args=[viewer.campaign.slug]) if viewer.is_gm else "",
        "voices": voices,
        "members": others,
        "commands": [example for one in commands_of(viewer.campaign.systems).values() for example in one.examples],
        "completions": completions(viewer, others, voices),
        "kept": kept_rolls(viewer.by, hand["character"]) if hand and hand["character"] in hand["playable"] else None,
    }


def roll_composer(viewer: Viewer, hand: dict[str, Any] | None, wanted: str) -> dict[str, Any]:
    """Return the context of rolls/_roll_form.html: the form of the `wanted` system, or of the campaign's first.

    If the character at hand goes by other rules, it is for the viewer's own character of that system.
    """
    slug = viewer.campaign.slug
    system, systems = systems_to_choose(viewer, wanted, played_by(viewer, hand))
    if not system:
        # No ruleset of this campaign is installed: one can still talk.
        return {"system": "", "systems": []}
    at_hand, hand = hand, hand_by_rules(viewer, hand, system)
    return {
        "system": system,
        "systems": systems,
        "template": f"{system}/form.html",
        "form_url": reverse("roll_form", args=[slug]),
        "roll_url": reverse("roll", args=[slug]),
        "odds_url": reverse("odds", args=[slug]),
        "audiences": Audience.choices,
        "character": hand["id"] if hand else "",
        "at_hand": at_hand["id"] if at_hand else "",
        "rolls_for": hand["name"] if hand and hand is not at_hand else "",
        "moves": _moves(viewer, hand, system),
    } | RULESETS[system].form.shown(viewer, hand)


def _moves(viewer: Viewer, hand: dict[str, Any] | None, system: str) -> list[dict[str, Any]]:
    """Return the moves of the rolling character, [{id, name, rolls, when, fields}]; [] unless the viewer may roll for it."""
    moves = RULESETS[system].moves
    if moves is None or hand is None or hand["system"] != system or not hand["character"].is_rolled_by(viewer.by):
        return []
    character = hand["character"]
    return [
        {
            "id": move.id,
            "name": move.name,
            "rolls": character.rules.field(move.rolls).label,
            "when": move.when,
            "fields": moves.fields(move),
        }
        for move in moves_for(character)
    ]


def played_by(viewer: Viewer, hand: dict[str, Any] | None) -> Sequence[str]:
    """Return the campaign's systems; for a player with a character at hand, only those of their characters."""
    own = {character.system for character in hand["playable"]} if hand and not viewer.is_gm else set()
    return [system for system in viewer.campaign.systems if system in own] or viewer.campaign.systems


def systems_to_choose(viewer: Viewer, wanted: str, played: Sequence[str]) -> tuple[str, list[dict[str, Any]]]:
    """Return the `wanted` system of the campaign, or the first of those that are `played`; and these with it: [{name, words,
    current}].

    "" and nothing where none of them is installed.
    """
    wanted = wanted if wanted in viewer.campaign.systems else ""
    rulesets = [ruleset for name, ruleset in RULESETS.items() if name in played or name == wanted]
    if not rulesets:
        return "", []
    system = wanted if wanted in RULESETS else rulesets[0].name
    return system, [
        {"name": listed.name, "words": listed.short, "current": listed.name == system} for listed in rulesets
    ]
