"""/r, the command of Storyteller rolls: a line of text becomes the fields of their form.

/r 5 d7                          five dice at difficulty 7
/r perception+alertness d8 +1 w  a pool of traits, difficulty, modifier, a Willpower point
/r wits+stealth unhurt           without what wounds take from the pool
/r stamina+fortitude soak        a soak roll; of other traits, or of dice by number, the GM’s to make
/r willpower d8                  a roll of its own kind, which its traits say
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from languages.text import gettext_lazy
from rolls.slash import Fields, SlashCommand, SlashError

KINDS: Final = ("action", "soak", "virtue", "initiative", "damage", "other")
WILLPOWER: Final = ("w", "wp")
UNHURT: Final = "unhurt"

_DICE = re.compile(r"\d{1,4}")
_DIFFICULTY = re.compile(r"d(\d{1,4})")
_MODIFIER = re.compile(r"[+-]\d{1,4}")
_TRAITS = re.compile(r"[^\W\d_][\w ]*(\s*\+\s*[^\W\d_][\w ]*)*")


def _joined(line: str) -> str:
    """Blanks around the plus between two traits are no blanks between two words; "+ 1" is a modifier either way."""
    line = re.sub(r"\s*\+\s*(?=[^\W\d_])", "+", line)
    return re.sub(r"([+-])\s+(?=\d)", r"\1", line)


def _read_word(fields: Fields, word: str) -> None:
    low = word.casefold()
    if _DICE.fullmatch(low):
        fields.put("pool", low)
    elif difficulty := _DIFFICULTY.fullmatch(low):
        fields.put("difficulty", difficulty[1])
    elif _MODIFIER.fullmatch(low):
        fields.put("modifier", low)
    elif low in WILLPOWER:
        fields.put("willpower", "on")
    elif low == UNHURT:
        fields.put("unhurt", "on")
    elif low in KINDS:
        fields.put("kind", low)
    elif _TRAITS.fullmatch(low):
        fields.put("pool", low)
    else:
        raise SlashError(_("“{word}” isn’t part of a Storyteller roll.").format(word=word[:40]))


class StorytellerCommand(SlashCommand):
    words = ("/r", "/roll")
    usage = gettext_lazy("Try /r 5 d7 or /r perception+alertness d7 +1 w # what it’s for.")
    examples = (
        ("/r 5 d7", gettext_lazy("roll 5 dice at difficulty 7")),
        ("/r wits+stealth w", gettext_lazy("roll traits of your sheet, with a Willpower point")),
    )

    def read(self, typed: Sequence[str]) -> Fields:
        fields = Fields()
        for word in _joined(" ".join(typed)).split():
            _read_word(fields, word)
        if "pool" not in fields:
            raise SlashError(_("Type a number of dice, or traits."))
        return fields
