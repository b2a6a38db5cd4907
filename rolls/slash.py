"""Slash commands of the composer: a line of text becomes what the roll form would have sent, and the same form reads it.

/r 5 d7                          five dice at difficulty 7
/r perception+alertness d8 +1 w  a pool of traits, difficulty, modifier, a Willpower point
/r 4 soak me                     four dice, a soak roll, seen by me and the GM
/r willpower d8                  a roll of its own kind, which its traits say
/r 5 d7 = 7 1 1 3 2              dice that fell on a real table
/r wits+stealth # past the dogs  what it is for
/f 2 desperate great push        a forged action of that rating, or with a trait of the sheet: /f skirmish
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rolls.rules.forged_action import Effect, Position

ROLL = ("/r", "/roll")
FORGED = ("/f", "/forged")
HELP = "Write it like /r 5 d7 or /r perception+alertness d7 +1 w # what it is for."

HELP_FORGED = "Write it like /f 2 desperate great or /f skirmish push # what it is for."

KINDS = ("action", "soak", "virtue", "initiative", "damage", "other")
AUDIENCES = {"all": "table", "me": "self", "gm": "gm"}
WILLPOWER = ("w", "wp")

POSITIONS = tuple(Position)
EFFECTS = tuple(Effect)

_DICE = re.compile(r"\d{1,4}")
_DIFFICULTY = re.compile(r"d(\d{1,4})")
_MODIFIER = re.compile(r"[+-]\d{1,4}")
_TRAITS = re.compile(r"[^\W\d_][\w ]*(\s*\+\s*[^\W\d_][\w ]*)*")


class SlashError(Exception):
    """A command that cannot be read; the message says how to write it."""


@dataclass
class _Reading:
    help: str = HELP
    data: dict[str, str] = field(default_factory=dict)

    def put(self, name: str, value: str) -> None:
        if name in self.data:
            raise SlashError(f"“{value}” says again what was said before. {self.help}")
        self.data[name] = value


def is_roll(text: str) -> bool:
    return text.split(maxsplit=1)[:1] in [[word] for word in (*ROLL, *FORGED)]


def read_roll(text: str) -> dict[str, str]:
    """The fields of the roll form that a line stands for, `system` among them. Raises SlashError where it cannot be read.

    Ranges are not looked at here: the form does that, as for anything typed into it.
    """
    command, _, note = text.partition("#")
    command, _, faces = command.partition("=")
    forged = command.split()[0] in FORGED
    reading = _read_action(command.split()[1:]) if forged else _read_pool(_joined(command).split()[1:])
    if note.strip():
        reading.put("note", note.strip())
    if faces.strip():
        reading.put("faces", faces.strip())
    return reading.data


def _read_pool(words: list[str]) -> _Reading:
    if not words:
        raise SlashError(HELP)
    reading = _Reading(data={"system": "storyteller"})
    for word in words:
        _read_word(reading, word)
    if "pool" not in reading.data:
        raise SlashError(f"Say how many dice, or which traits. {HELP}")
    return reading


def _read_action(words: list[str]) -> _Reading:
    """What is no word of these rules is the name of an action; a number beside it is its rating."""
    reading, named = _Reading(HELP_FORGED, {"system": "forged"}), []
    for word in words:
        low = word.casefold()
        if low in POSITIONS:
            reading.put("position", low)
        elif low in EFFECTS:
            reading.put("effect", low)
        elif low == "push":
            reading.put("push", "die")
        elif low in AUDIENCES:
            reading.put("audience", AUDIENCES[low])
        else:
            named.append(word)
    if not named:
        raise SlashError(f"Say which action, or a rating. {HELP_FORGED}")
    reading.put("action", " ".join(named))
    return reading


def _joined(command: str) -> str:
    """Blanks around the plus between two traits are no blanks between two words; "+ 1" is a modifier either way."""
    command = re.sub(r"\s*\+\s*(?=[^\W\d_])", "+", command)
    return re.sub(r"([+-])\s+(?=\d)", r"\1", command)


def _read_word(reading: _Reading, word: str) -> None:
    low = word.casefold()
    if _DICE.fullmatch(low):
        reading.put("pool", low)
    elif difficulty := _DIFFICULTY.fullmatch(low):
        reading.put("difficulty", difficulty[1])
    elif _MODIFIER.fullmatch(low):
        reading.put("modifier", low)
    elif low in WILLPOWER:
        reading.put("willpower", "on")
    elif low in AUDIENCES:
        reading.put("audience", AUDIENCES[low])
    elif low in KINDS:
        reading.put("kind", low)
    elif _TRAITS.fullmatch(low):
        reading.put("pool", low)
    else:
        raise SlashError(f"“{word[:40]}” means nothing here. {HELP}")
