"""Slash commands of the composer: a line of text becomes what a form would have sent, and the same form reads it.

Rolls are the rulesets': each has commands of its own (`SlashCommand`), and reads what is its own in a line. Every one of them
understands what all rolls have in common:

/r 5 gm                          who sees it: all, me (and the GM), gm
/r 5 = 7 1 1 3 2                 dice that fell on a real table
/r wits+stealth # past the dogs  what it is for

Beside them there are, at every table:

/w nora behind the mirror        a whisper; so much of a name as only one has, or a name in quotes
/as orsolya good evening         in the voice of another character of one's own, or "myself"
/me draws a knife                what one does, beside what one says
/ask nora wits+stealth d7 # why  a GM asks Nora, or "all", for the roll that this line would be
/search lantern                  what is found in the campaign; nothing is said
/table streets gm                a GM rolls on one of their tables, in secret with "gm"
//r is how dice are rolled       no command: what is said begins with one slash

No other word after a slash is taken for something to be said, whatever a keyboard or the clipboard put before it or made of it:
blanks, line breaks, invisible signs, a full-width slash. Signs are read as our cards print them, too (−2).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TypeAlias, TypeVar

from languages.letters import fold, normalised, plain_signs, seen, seen_start
from languages.text import gettext, gettext_noop
from rolls.settings import RollSettings

K = TypeVar("K", int, str)


class Spoken(Enum):
    """The commands of every table: the words they begin with, their usage, and what they do."""

    WHISPER = (("/w", "/whisper"), gettext_noop("Try: /w nora, then what only Nora should read."))
    AS = (("/as",), gettext_noop("Try: /as orsolya, then what they say."))
    ME = (("/me",), gettext_noop("Try: /me draws a knife."))
    ASK = (("/ask",), gettext_noop("Try: /ask nora wits+stealth d7 # reason. Use “all” to ask every player."))
    SEARCH = (("/search",), gettext_noop("Try: /search lantern."))
    TABLE = (("/table",), gettext_noop("Try: /table streets. Add “gm” to roll in secret."))

    @property
    def words(self) -> tuple[str, ...]:
        return self.value[0]

    @property
    def usage(self) -> str:
        return gettext(self.value[1])


EVERYBODY = 0
"""No member has this number."""

AUDIENCES = {"all": "table", "me": "self", "gm": "gm"}

_QUOTED = re.compile(r'["“”„]([^"“”„]*)["“”„]')
_AROUND_NAMES = "@:,"
# Other keyboards' slashes, and what looks like one.
_SLASHES = re.compile(r"[/\u2044\u2215\u29f8\uff0f]{1,2}")
_FIRST_WORD = re.compile(r"\S+")
# A number after it is the end of a name: Stone #2.
_NOTE = re.compile(r"[#\uff03](?!(?<=[^\W\d_] .)\d+(?!\w))")


class SlashError(Exception):
    """A command that cannot be read; the message says how to write it."""


class Fields(dict[str, str]):
    """Fields of a roll form, each of which is said once."""

    def put(self, name: str, value: str, *, typed: str = "") -> None:
        """Raises SlashError where the field was said before; `typed` is the word for it, where that is not its value."""
        if name in self:
            raise SlashError(gettext("“{words}” repeats something. Say it once.").format(words=typed or value))
        self[name] = value


class SlashCommand:
    """A line that rolls by the rules of a ruleset: "/r 5 d7". Ranges are not looked at here: the form does that."""

    words: tuple[str, ...]
    """Names of the command, slash included, in lower case; if two rulesets share one, the campaign's first gets it."""
    usage: str
    """A sentence that says how to write it, added to what `read` raises."""
    examples: Sequence[tuple[str, str]] = ()
    """(A line, what it does), in the reader's language, for the list of commands; the empty composer shows the first."""
    places: tuple[str, ...] = ()
    """The fields of the roll form that each take a typed word, the last one all that is left; the first has to be said."""
    keywords: Mapping[str, tuple[str, str]] = {}
    """Its own keywords, each with a field and its value: {"push": ("push", "die")}."""

    def keyword(self, word: str) -> tuple[str, str] | None:
        """Return the field and the value of a keyword; None for another word."""
        return self.keywords.get(fold(word))

    def read(self, typed: Sequence[str]) -> Fields:
        """Make the fields of the roll form of the words after the command, of which there is at least one. Raises SlashError."""
        fields, others = Fields(), []
        for word in typed:
            if keyword := self.keyword(word):
                fields.put(*keyword, typed=word)
            else:
                others.append(word)
        if not others:
            raise SlashError(gettext("Say what to roll."))
        for place, said in zip(self.places, " ".join(others).split(maxsplit=len(self.places) - 1), strict=False):
            fields.put(place, said)
        return fields

    def announces(self, fields: Fields, settings: RollSettings) -> bool:
        """Return whether a player's command is announced to the GM, by the campaign's settings, and rolled once the GM
        sets it.

        Raises SlashError for terms that only the GM may set.
        """
        return False


Commands: TypeAlias = Mapping[str, SlashCommand]
"""Those of a campaign by the names of its rulesets, its first ruleset first."""


def as_typed(text: str) -> str:
    """Return a line from the first sign that one sees, with plain slashes, and the word after one without invisible signs, in
    small letters: "/w Nora". All else stays as it is."""
    line = seen_start(text)
    if not (slashes := _SLASHES.match(line)):
        return line
    line = "/" * len(slashes[0]) + line[slashes.end() :]
    if line.startswith("//"):
        return line
    return _FIRST_WORD.sub(lambda word: fold(word[0]), line, count=1)


def command_of(text: str) -> str:
    """Return the word after the slash with which a line begins, in small letters and with the slash; "" where it is no
    command."""
    line = as_typed(text)
    return line.split(maxsplit=1)[0] if line.startswith("/") and not line.startswith("//") else ""


def spoken(text: str) -> Spoken | None:
    """Return which of the commands of every table a line is; None for none."""
    return next((command for command in Spoken if command_of(text) in command.words), None)


def check_lines(text: str) -> None:
    """Raise SlashError for a whisper below other lines, which would be said to whoever hears those."""
    _first, *below = as_typed(text).splitlines() or [""]
    if any(spoken(line) is Spoken.WHISPER for line in below):
        raise SlashError(gettext("One of the lines below is a whisper, so nothing was sent. Send it by itself."))


def is_roll(text: str, commands: Commands) -> bool:
    return not spoken(text) and any(command_of(text) in command.words for command in commands.values())


def read_words(text: str, commands: Commands) -> str:
    """Return the words of a line that is not a command. Raises SlashError for an unknown command."""
    if command := command_of(text):
        names = ", ".join(word for known in (*commands.values(), *Spoken) for word in known.words)
        words = gettext(
            "“{command}” isn’t a command, so nothing was sent. Commands: {names}. To start a message with a slash, type two: //."
        )
        raise SlashError(words.format(command=command[:40], names=names))
    line = as_typed(text)
    return line[1:] if line.startswith("//") else text


def read_roll(text: str, commands: Commands) -> Fields:
    """Return the fields of the roll form for a line, with `system`. Raises SlashError if it cannot be read."""
    ruleset, command = next(candidate for candidate in commands.items() if command_of(text) in candidate[1].words)
    rest, *notes = _NOTE.split(as_typed(text), maxsplit=1)
    rest, _, faces = plain_signs(seen(rest)).partition("=")
    words, note = rest.split()[1:], "".join(notes)
    common = Fields(system=ruleset)
    try:
        for word in [one for one in words if one.casefold() in AUDIENCES]:
            common.put("audience", AUDIENCES[word.casefold()])
            words.remove(word)
        if not words:
            raise SlashError(gettext("Say what to roll."))
        fields = command.read(words)
    except SlashError as error:
        raise SlashError(f"{error} {command.usage}") from None
    said = {name: value for name, value in (("note", note.strip()), ("faces", faces.strip())) if value}
    return Fields(common | fields | said)


def read_whisper(text: str, names: Mapping[int, str]) -> tuple[int, str]:
    """Return the member (a key of `names`, the others at the table) a whisper is for, and its words, which may be empty.

    Raises SlashError if nobody or several could be meant: a whisper must not reach the wrong person.
    """
    return _read_named(
        text,
        names,
        Spoken.WHISPER,
        unknown=gettext("No one here is called “{name}”. You can whisper to: {names}."),
        several=gettext(
            "“{name}” could be {names}. Put the whole name in quotes, or choose “whisper to …” beside the box."
        ),
    )


def read_voice(text: str, voices: Mapping[str, str]) -> tuple[str, str]:
    """Return the key of the voice in `voices` that is to speak, and the words. Raises SlashError as `read_whisper`."""
    return _read_named(
        text,
        voices,
        Spoken.AS,
        unknown=gettext("You have no voice called “{name}”. You can speak as: {names}."),
        several=gettext("“{name}” could be {names}. Put the whole name in quotes, or choose the voice beside the box."),
    )


def read_me(text: str) -> str:
    """Return an action in emphasis, line by line. Raises SlashError if it is empty."""
    words = words_after(text)
    if not words:
        raise SlashError(Spoken.ME.usage)
    return "\n".join(f"*{line.strip()}*" if line.strip() else "" for line in words.split("\n"))


def words_after(text: str) -> str:
    """Return what stands after the command of a line."""
    return _after(as_typed(text), 1).strip()


def read_request(
    text: str, names: Mapping[int, str], commands: Commands, games: Mapping[int, str]
) -> tuple[int | None, Fields]:
    """Return the key in `names` of who is asked for a roll (None: every player), and the fields of the roll form. Without a
    command the roll goes by the rules of who is asked (`games`). Raises SlashError.
    """
    everybody = {**names, EVERYBODY: "all"}
    member, line = _read_named(
        text,
        everybody,
        Spoken.ASK,
        unknown=gettext("No player here is called “{name}”. You can ask: {names}."),
        several=gettext("“{name}” could be {names}. Put the whole name in quotes, or press “Request a roll”."),
    )
    if not commands:
        raise SlashError(gettext("You can’t request rolls by command in this campaign."))
    if not command_of(line):
        usual = commands.get(games.get(member, ""), next(iter(commands.values())))
        line = f"{usual.words[0]} {line}"
    if not is_roll(line, commands):
        words = gettext("“{command}” isn’t a roll. {usage}")
        raise SlashError(words.format(command=command_of(line)[:40], usage=Spoken.ASK.usage))
    fields = read_roll(line, commands)
    if "faces" in fields:
        raise SlashError(gettext("Leave out the dice: whoever you ask rolls them."))
    return None if member == EVERYBODY else member, fields


def read_table(text: str, names: Mapping[int, str]) -> tuple[int, str]:
    """Return the key in `names` of the table to roll on, and who sees it, as AUDIENCES have it. Raises SlashError as
    `read_whisper`."""
    said = seen(_after(as_typed(text), 1)).strip()
    head, _, last = said.rpartition(" ")
    whole = [number for number, spelt in names.items() if _words(spelt) == _words(said)]
    audience = AUDIENCES.get(last.casefold(), "") if head and not whole and last.casefold() != "me" else ""
    name = (head if audience else said).strip('"“”„ ')
    if not name:
        raise SlashError(Spoken.TABLE.usage)
    whole = whole or [number for number, spelt in names.items() if _words(spelt) == _words(name)]
    table = _only_one(
        whole or _beginning(name, names),
        name,
        names,
        unknown=gettext("No table is called “{name}”. You can roll on: {names}."),
        several=gettext("“{name}” could be {names}. Write more of the name."),
    )
    return table, audience or "table"


def _read_named(text: str, names: Mapping[K, str], command: Spoken, *, unknown: str, several: str) -> tuple[K, str]:
    """Return the key in `names` that a line means, and the text after it.

    Raises SlashError with `unknown` if the name is none of `names`, with `several` if it could be more than one.
    """
    name, found, words = _addressed(seen_start(_after(as_typed(text), 1)), names)
    if not name:
        raise SlashError(command.usage)
    return _only_one(found, name, names, unknown=unknown, several=several), words


def _only_one(found: Sequence[K], name: str, names: Mapping[K, str], *, unknown: str, several: str) -> K:
    if not found:
        known = ", ".join(names.values()) or gettext("no one")
        raise SlashError(unknown.format(name=name[:40], names=known))
    if len(found) > 1:
        matching = ", ".join(names[number] for number in found)
        raise SlashError(several.format(name=name[:40], names=matching))
    return found[0]


def _addressed(line: str, names: Mapping[K, str]) -> tuple[str, list[K], str]:
    """Return the name at the beginning of a line, the keys of all it could mean, and the text after it."""
    if quoted := _QUOTED.match(line):
        name, words = quoted[1].strip(), line[quoted.end() :].strip()
        alike = [number for number, spelt in names.items() if _words(spelt) == _words(name)]
        return name, _spelt_so(name, alike, names) or _beginning(name, names), words
    said = _words(line)
    whole = [number for number, spelt in names.items() if said[: len(spelt.split())] == _words(spelt)]
    if whole:
        return names[whole[0]], _spelt_so(line, whole, names), _after(line, len(names[whole[0]].split()))
    name = " ".join(line.split()[:1]).strip(_AROUND_NAMES)
    return name, _beginning(name, names), _after(line, 1)


def _spelt_so(line: str, found: list[K], names: Mapping[K, str]) -> list[K]:
    """Return those of the `found` whom a line could mean: of names that differ in accents alone, the one that it has."""
    said = _spelt(line)
    spelt = [number for number in found if said[: len(names[number].split())] == _spelt(names[number])]
    others = [_words(names[number]) for number in spelt]
    return [number for number in found if number in spelt or _words(names[number]) not in others]


def _spelt(name: str) -> list[str]:
    return [word.strip(_AROUND_NAMES) for word in normalised(seen(name)).casefold().split()]


def _beginning(name: str, names: Mapping[K, str]) -> list[K]:
    return [number for number, spelt in names.items() if " ".join(_words(spelt)).startswith(" ".join(_words(name)))]


def _words(text: str) -> list[str]:
    return [fold(word).strip(_AROUND_NAMES) for word in text.split()]


def _after(text: str, words: int) -> str:
    """Return the text after the first `words` words, with its line breaks."""
    return "".join(text.split(maxsplit=words)[words:])
