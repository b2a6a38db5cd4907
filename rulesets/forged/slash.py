"""/f, the command of forged actions: a line of text becomes the fields of their form.

/f 2 desperate great push        an action of that rating
/f skirmish                      or with a trait of the sheet
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rolls.slash import Fields, SlashCommand, SlashError
from rulesets.forged.rules.action import Effect, Position


def _read(words: Sequence[str]) -> Fields:
    """What is no word of these rules is the name of an action; a number beside it is its rating."""
    fields, named = Fields(), []
    for word in words:
        low = word.casefold()
        if low in tuple(Position):
            fields.put("position", low)
        elif low in tuple(Effect):
            fields.put("effect", low)
        elif low == "push":
            fields.put("push", "die")
        else:
            named.append(word)
    if not named:
        raise SlashError("Say which action, or a rating.")
    fields.put("action", " ".join(named))
    return fields


SLASH: Final = SlashCommand(
    words=("/f", "/forged"),
    usage="Write it like /f 2 desperate great or /f skirmish push # what it is for.",
    examples=(("/f skirmish", "roll an action of your sheet"), ("/f 2 desperate", "the same by its rating, desperate")),
    read=_read,
)
