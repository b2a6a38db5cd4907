"""The commands of the composer that a viewer may use, with what each does."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext

from campaigns.models import Viewer
from languages.text import gettext_lazy
from rolls import slash
from rolls.registry import commands_of

SPOKEN: Final = {
    slash.Spoken.WHISPER: gettext_lazy("whisper to someone"),
    slash.Spoken.AS: gettext_lazy("speak as another of your characters"),
    slash.Spoken.ME: gettext_lazy("say what you do"),
    slash.Spoken.ASK: gettext_lazy("request a roll"),
    slash.Spoken.TABLE: gettext_lazy("roll on one of your tables"),
    slash.Spoken.SEARCH: gettext_lazy("search this campaign"),
}
OF_GMS: Final = (slash.Spoken.ASK, slash.Spoken.TABLE)


def commands_for(viewer: Viewer) -> list[tuple[str, str]]:
    """Return the words that begin a command, slash included, with what it does: first those of the campaign's rules."""
    rolled = [
        (word, str(one.examples[0][1]) if one.examples else pgettext("verb", "roll"))
        for one in commands_of(viewer.campaign.systems).values()
        for word in one.words
    ]
    there = [one for one in slash.Spoken if one not in OF_GMS or viewer.is_gm]
    return rolled + [(one.words[0], str(SPOKEN[one])) for one in there]
