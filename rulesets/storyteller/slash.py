"""/r, the command of Storyteller rolls: a line of text becomes the fields of their form.

/r 5 d7                          five dice at difficulty 7
/r perception+alertness d8 +1 w  a pool of traits, difficulty, modifier, a Willpower point
/r wits+stealth unhurt           without what wounds take from the pool
/r stamina+fortitude soak        a soak roll; of other traits, or of dice by number, the GM’s to make
/r willpower d8                  a roll of its own kind, which its traits say
/r self-control+animal ken       traits as the sheet spells them
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
_TRAIT = re.compile(r".*[^\W\d_].*|#\d+")  # of its name: self-control, #2
# Blanks around the plus between two traits are none between two words; "+ 1" is a modifier either way.
_PLUS = re.compile(r"\s*\+\s*(?=[^\W\d_])")
_SIGN = re.compile(r"(?<=[+-])\s+(?=\d)")


def _is_term(fields: Fields, word: str) -> bool:
    """Return whether a word is a term of the roll, which goes into its field, and not one of a trait's name."""
    if _DICE.fullmatch(word):
        fields.put("pool", word)
    elif difficulty := _DIFFICULTY.fullmatch(word):
        fields.put("difficulty", difficulty[1])
    elif _MODIFIER.fullmatch(word):
        fields.put("modifier", word)
    elif word in WILLPOWER:
        fields.put("willpower", "on")
    elif word == UNHURT:
        fields.put("unhurt", "on")
    elif word in KINDS:
        fields.put("kind", word)
    elif _TRAIT.fullmatch(word):
        return False
    else:
        raise SlashError(_("“{word}” isn’t part of a Storyteller roll.").format(word=word[:40]))
    return True


class StorytellerCommand(SlashCommand):
    words = ("/r", "/roll")
    usage = gettext_lazy("Try /r 5 d7 or /r perception+alertness d7 +1 w # what it’s for.")
    examples = (
        ("/r 5 d7", gettext_lazy("roll 5 dice at difficulty 7")),
        (gettext_lazy("/r wits+stealth w"), gettext_lazy("roll traits of your sheet, with a Willpower point")),
    )

    def read(self, typed: Sequence[str]) -> Fields:
        fields = Fields()
        words = _SIGN.sub("", _PLUS.sub("+", " ".join(typed))).casefold().split()
        if traits := " ".join(word for word in words if not _is_term(fields, word)):
            fields.put("pool", traits)
        if "pool" not in fields:
            raise SlashError(_("Type a number of dice, or traits."))
        return fields
