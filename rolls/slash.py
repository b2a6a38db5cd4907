"""Slash commands of the composer: a line of text becomes what a form would have sent, and the same form reads it.

/r 5 d7                          five dice at difficulty 7
/r perception+alertness d8 +1 w  a pool of traits, difficulty, modifier, a Willpower point
/r 4 soak me                     four dice, a soak roll, seen by me and the GM
/r willpower d8                  a roll of its own kind, which its traits say
/r 5 d7 = 7 1 1 3 2              dice that fell on a real table
/r wits+stealth # past the dogs  what it is for
/f 2 desperate great push        a forged action of that rating, or with a trait of the sheet: /f skirmish
/w nora behind the mirror        a whisper; so much of a name as only one has, or a name in quotes
//r is how dice are rolled       no command: what is said begins with one slash

No other word after a slash is taken for something to be said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from rolls.rules.forged_action import Effect, Position

ROLL = ("/r", "/roll")
FORGED = ("/f", "/forged")
WHISPER = ("/w", "/whisper")
HELP = "Write it like /r 5 d7 or /r perception+alertness d7 +1 w # what it is for."

HELP_FORGED = "Write it like /f 2 desperate great or /f skirmish push # what it is for."
HELP_WHISPER = "Write it like /w nora and then what only they shall read."
HELP_ALL = (
    "There are /r and /roll, /f and /forged, /w and /whisper; to say something that begins with a slash, write two: //."
)

KINDS = ("action", "soak", "virtue", "initiative", "damage", "other")
AUDIENCES = {"all": "table", "me": "self", "gm": "gm"}
WILLPOWER = ("w", "wp")

POSITIONS = tuple(Position)
EFFECTS = tuple(Effect)

_DICE = re.compile(r"\d{1,4}")
_DIFFICULTY = re.compile(r"d(\d{1,4})")
_MODIFIER = re.compile(r"[+-]\d{1,4}")
_QUOTED = re.compile(r'["“”„]([^"“”„]*)["“”„]')
_AROUND_NAMES = "@:,"
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


def command_of(text: str) -> str:
    """The word after the slash with which a line begins, in small letters and with the slash; "" where it is no command."""
    first = next(iter(text.split(maxsplit=1)), "")
    return first.casefold() if first.startswith("/") and not first.startswith("//") else ""


def is_roll(text: str) -> bool:
    return command_of(text) in (*ROLL, *FORGED)


def is_whisper(text: str) -> bool:
    return command_of(text) in WHISPER


def read_words(text: str) -> str:
    """What a line says that is no command that is known. Raises SlashError where it is one that is not."""
    if command := command_of(text):
        raise SlashError(f"“{command[:40]}” is no command, and nothing was said. {HELP_ALL}")
    said = text.lstrip()
    return said[1:] if said.startswith("//") else text


def read_whisper(text: str, names: Mapping[int, str]) -> tuple[int, str]:
    """Whom of `names` (the others at the table, by number) a whisper is for, and its words, which may be none.

    Raises SlashError where nobody is meant, or where several could be: a whisper must not reach somebody else.
    """
    name, found, words = _addressed(_after(text, 1), names)
    if not name:
        raise SlashError(HELP_WHISPER)
    if not found:
        raise SlashError(
            f"Nobody else here is called “{name[:40]}”. Here are: {', '.join(names.values()) or 'no others'}."
        )
    if len(found) > 1:
        several = ", ".join(names[number] for number in found)
        raise SlashError(
            f"“{name[:40]}” could be {several}. Write the whole name in quotes, or choose “whisper to …” beside the box."
        )
    return found[0], words


def _addressed(line: str, names: Mapping[int, str]) -> tuple[str, list[int], str]:
    """The name with which a line begins, the numbers of all whom it could mean, and what comes after it."""
    if quoted := _QUOTED.match(line):
        name, words = quoted[1].strip(), line[quoted.end() :].strip()
        whole = [number for number, one in names.items() if _folded(one) == _folded(name)]
        return name, whole or _beginning(name, names), words
    said = _folded(line)
    whole = [number for number, one in names.items() if said[: len(one.split())] == _folded(one)]
    if whole:
        return names[whole[0]], whole, _after(line, len(names[whole[0]].split()))
    name = " ".join(line.split()[:1]).strip(_AROUND_NAMES)
    return name, _beginning(name, names), _after(line, 1)


def _beginning(name: str, names: Mapping[int, str]) -> list[int]:
    return [number for number, one in names.items() if " ".join(_folded(one)).startswith(" ".join(_folded(name)))]


def _folded(words: str) -> list[str]:
    return [word.strip(_AROUND_NAMES).casefold() for word in words.split()]


def _after(text: str, words: int) -> str:
    """What comes after so many words, its line breaks as they are."""
    return "".join(text.split(maxsplit=words)[words:])


def read_roll(text: str) -> dict[str, str]:
    """The fields of the roll form that a line stands for, `system` among them. Raises SlashError where it cannot be read.

    Ranges are not looked at here: the form does that, as for anything typed into it.
    """
    command, _, note = text.partition("#")
    command, _, faces = command.partition("=")
    forged = command_of(text) in FORGED
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
