"""/f, the command of forged actions: a line of text becomes the fields of their form.

/f 2 desperate great push        an action of that rating
/f skirmish                      or with a trait of the sheet; position and effect also in the reader's language

Where only the GM sets position and effect, what a player types is announced.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from languages.letters import fold
from languages.text import gettext_lazy
from rolls.settings import RollSettings
from rolls.slash import Fields, SlashCommand, SlashError
from rulesets.forged.rules.action import Effect, Position
from rulesets.forged.settings import Settings
from rulesets.forged.table.words import EFFECT_WORDS, POSITION_WORDS


class ForgedCommand(SlashCommand):
    words = ("/f", "/forged")
    usage = gettext_lazy("Type it like /f 2 desperate great, or /f skirmish push # what it’s for.")
    examples = (
        (gettext_lazy("/f skirmish"), gettext_lazy("an action from your sheet: players announce it, GMs roll it")),
        (gettext_lazy("/f 2 desperate"), gettext_lazy("for GMs: the same by its rating, desperate")),
    )
    places = ("action",)
    """A word that is no keyword is the name of an action; a number next to it is its rating."""
    keywords: Mapping[str, tuple[str, str]] = {
        "push": ("push", "die"),
        "unhurt": ("unhurt", "on"),
        **{position.value: ("position", position.value) for position in Position},
        **{effect.value: ("effect", effect.value) for effect in Effect},
    }

    def keyword(self, word: str) -> tuple[str, str] | None:
        here = {fold(str(words)): ("position", position.value) for position, words in POSITION_WORDS.items()}
        here |= {fold(str(words)): ("effect", effect.value) for effect, words in EFFECT_WORDS.items()}
        return super().keyword(word) or here.get(fold(word))

    def announces(self, fields: Fields, settings: RollSettings) -> bool:
        """Return whether the action is announced. Raises SlashError for terms that only the GM sets then."""
        if not settings.of(Settings).only_gm_sets:
            return False
        said = [fields[name] for name in ("position", "effect") if name in fields]
        if said:
            message = _("The GM sets position and effect. Leave out “{words}” and announce the action.")
            raise SlashError(message.format(words=" ".join(said)))
        return True
