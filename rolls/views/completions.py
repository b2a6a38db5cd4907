"""Who and what the commands of the composer name (rolls/slash.py): to read a line, and to complete it while it is typed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from django.utils.translation import gettext_lazy, pgettext

from campaigns.forms.play import members_of, voices_of
from campaigns.models import Membership, Role, Viewer
from campaigns.models.play import Manner
from characters.models import Character
from rolls.registry import commands_of
from rolls.slash import Spoken

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
