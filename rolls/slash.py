"""Slash commands of the composer: a line of text becomes what a form would have sent, and the same form reads it.

Rolls are the rulesets': each has commands of its own (`SlashCommand`), and reads what is its own in a line. Every one of them
understands what all rolls have in common:

/r 5 gm                          who sees it: all, me (and the GM), gm
/r 5 = 7 1 1 3 2                 dice that fell on a real table
/r wits+stealth # past the dogs  what it is for

Beside them there are, at every table:

/w nora behind the mirror        a whisper; so much of a name as only one has, or a name in quotes
//r is how dice are rolled       no command: what is said begins with one slash

No other word after a slash is taken for something to be said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

WHISPER = ("/w", "/whisper")
HELP_WHISPER = "Write it like /w nora and then what only they shall read."
AUDIENCES = {"all": "table", "me": "self", "gm": "gm"}

_QUOTED = re.compile(r'["“”„]([^"“”„]*)["“”„]')
_AROUND_NAMES = "@:,"


class SlashError(Exception):
    """A command that cannot be read; the message says how to write it."""


class Fields(dict[str, str]):
    """Fields of a roll form, each of which is said once."""

    def put(self, name: str, value: str, *, typed: str = "") -> None:
        """Raises SlashError where the field was said before; `typed` is the word for it, where that is not its value."""
        if name in self:
            raise SlashError(f"“{typed or value}” says again what was said before.")
        self[name] = value


@dataclass(frozen=True, kw_only=True)
class SlashCommand:
    """A line that rolls by the rules of a ruleset: "/r 5 d7".

    `words` are what it may begin with, slash included and in small letters; of two rulesets that share one, the campaign's first
    has it. `read` makes the fields of the roll form of the words after it, of which there is at least one; it raises SlashError,
    to which `usage` is added: a sentence that says how to write it. `examples` are (a line, what it does) for the list of
    commands; the first line also stands in the empty composer. Ranges are not looked at here: the form does that.
    """

    words: tuple[str, ...]
    usage: str
    examples: Sequence[tuple[str, str]]
    read: Callable[[Sequence[str]], Fields]


def reader(*places: str, words: Mapping[str, tuple[str, str]]) -> Callable[[Sequence[str]], Fields]:
    """The `read` of a command that has words of its own: each says a field and its value, {"push": ("push", "die")}.

    Of what else is typed, each of the `places` takes a word, and the last one all that is left. The first has to be said.
    """

    def read(typed: Sequence[str]) -> Fields:
        fields, others = Fields(), []
        for word in typed:
            if word.casefold() in words:
                fields.put(*words[word.casefold()], typed=word)
            else:
                others.append(word)
        if not others:
            raise SlashError("Say what to roll.")
        for place, said in zip(places, " ".join(others).split(maxsplit=len(places) - 1), strict=False):
            fields.put(place, said)
        return fields

    return read


Commands: TypeAlias = Mapping[str, SlashCommand]
"""Those of a campaign by the names of its rulesets, the first of them first."""


def command_of(text: str) -> str:
    """The word after the slash with which a line begins, in small letters and with the slash; "" where it is no command."""
    first = next(iter(text.split(maxsplit=1)), "")
    return first.casefold() if first.startswith("/") and not first.startswith("//") else ""


def is_roll(text: str, commands: Commands) -> bool:
    return not is_whisper(text) and any(command_of(text) in one.words for one in commands.values())


def is_whisper(text: str) -> bool:
    return command_of(text) in WHISPER


def read_words(text: str, commands: Commands) -> str:
    """What a line says that is no command that is known. Raises SlashError where it is one that is not."""
    if command := command_of(text):
        raise SlashError(f"“{command[:40]}” is no command, and nothing was said. {_all(commands)}")
    said = text.lstrip()
    return said[1:] if said.startswith("//") else text


def _all(commands: Commands) -> str:
    there = ", ".join(" and ".join(words) for words in (*(one.words for one in commands.values()), WHISPER))
    return f"There are {there}; to say something that begins with a slash, write two: //."


def read_roll(text: str, commands: Commands) -> Fields:
    """The fields of the roll form that a line stands for, `system` among them. Raises SlashError where it cannot be read."""
    ruleset, command = next(found for found in commands.items() if command_of(text) in found[1].words)
    rest, _, note = text.partition("#")
    rest, _, faces = rest.partition("=")
    words = rest.split()[1:]
    common = Fields(system=ruleset)
    try:
        for word in [one for one in words if one.casefold() in AUDIENCES]:
            common.put("audience", AUDIENCES[word.casefold()])
            words.remove(word)
        if not words:
            raise SlashError("Say what to roll.")
        fields = command.read(words)
    except SlashError as error:
        raise SlashError(f"{error} {command.usage}") from None
    said = {name: value for name, value in (("note", note.strip()), ("faces", faces.strip())) if value}
    return Fields(common | fields | said)


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
