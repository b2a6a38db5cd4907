"""The names for the rules of a game and its odds: dice, refusals, questions of bots, words. Loads without Django."""

from languages.text import colon, gettext, gettext_lazy, ngettext, npgettext, pgettext, pgettext_lazy, pgettext_noop
from rules.checked import Checked, Whole, YesNo
from rules.dice import D10, Dice, Die, Faces, chances, draw, mean
from rules.errors import (
    Block,
    BlockedByState,
    NotPossible,
    OutOfRange,
    RuleError,
    UnknownWord,
    whole,
    word,
    yes_or_no,
)
from rules.questions import Answer, Question, text, texts
from rules.tally import FallenDie, Shifts, Tally
