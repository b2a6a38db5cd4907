"""The context of the composer: what can be said and rolled from the table page, as whom, and what completes its commands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from django.urls import reverse
from django.utils.translation import gettext_lazy, pgettext

from campaigns.forms.play import members_of, voices_of
from campaigns.models import Membership, Role, Viewer
from campaigns.models.play import Manner
from characters.models import Character
from characters.views.in_play import hand_by_rules
from rolls.forms.base import RollForm
from rolls.models import Audience
from rolls.queries.kept import kept_rolls
from rolls.registry import RULESETS, commands_of
from rolls.slash import Spoken


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
        "spent": spent_by(viewer, hand["character"] if hand else None, RULESETS[system].form),
        "lets": viewer.is_gm,
    } | RULESETS[system].form.shown(viewer, hand)


def spent_by(viewer: Viewer, character: Character | None, form: type[RollForm] | RollForm) -> dict[str, str]:
    """Return the boxes of a roll form that only a GM may let its character tick now, by their fields, with the reason."""
    return form.spent(viewer, character) if character and character.system == form.system else {}


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


Voices: TypeAlias = Sequence[tuple[str, str]]
"""Voices from voices_of."""

SPOKEN = {
    Spoken.WHISPER: gettext_lazy("whisper to someone"),
    Spoken.AS: gettext_lazy("speak as another of your characters"),
    Spoken.ME: gettext_lazy("say what you do"),
    Spoken.ASK: gettext_lazy("request a roll"),
}


def completions(viewer: Viewer, others: Iterable[Membership], voices: Voices) -> dict[str, Any]:
    """Return the words that static/js/commands.js completes: all commands with what each does, and the names that follow some."""
    rolled = commands_of(viewer.campaign.systems).values()
    named = {Spoken.WHISPER: [one.name for one in others], Spoken.AS: list(_names_of(voices).values())}
    if viewer.is_gm:
        named[Spoken.ASK] = [*(one.name for one in others if _plays(one)), "all"]
    names = {word: found for command, found in named.items() for word in command.words}
    words = [
        (word, str(one.examples[0][1]) if one.examples else pgettext("verb", "roll"))
        for one in rolled
        for word in one.words
    ]
    there = [one for one in Spoken if one is not Spoken.ASK or viewer.is_gm]
    return {"commands": words + [(one.words[0], str(SPOKEN[one])) for one in there], "names": names}


def names_here(by: Membership, *, players: bool = False) -> dict[int, str]:
    """Return the others at the table by number, as /w names them; `players`: those who can be asked for a roll, as /ask does."""
    here = members_of(by.campaign).exclude(pk=by.pk)
    return {member.pk: member.name for member in here if _plays(member) or not players}


def voices_here(by: Membership) -> dict[str, str]:
    """Return the names that a member may speak as, by their values in the form, for /as."""
    return _names_of(
        voices_of(
            by, [character.subject for character in Character.objects.controlled_by(by) if not character.is_hidden]
        )
    )


def _names_of(voices: Voices) -> dict[str, str]:
    return {voice: words.removeprefix("as ") for voice, words in voices if voice != Manner.WHISPER}


def _plays(member: Membership) -> bool:
    return member.role != Role.SPECTATOR
