"""/f, the command of forged actions: a line of text becomes the fields of their form.

/f 2 desperate great push        an action of that rating
/f skirmish                      or with a trait of the sheet
"""

from __future__ import annotations

from typing import Final

from rolls.slash import SlashCommand, reader
from rulesets.forged.rules.action import Effect, Position

WORDS: Final = {
    "push": ("push", "die"),
    "unhurt": ("unhurt", "on"),
    **{position.value: ("position", position.value) for position in Position},
    **{effect.value: ("effect", effect.value) for effect in Effect},
}
"""What is none of them is the name of an action; a number beside it is its rating."""

SLASH: Final = SlashCommand(
    words=("/f", "/forged"),
    usage="Write it like /f 2 desperate great or /f skirmish push # what it is for.",
    examples=(("/f skirmish", "roll an action of your sheet"), ("/f 2 desperate", "the same by its rating, desperate")),
    read=reader("action", words=WORDS),
)
