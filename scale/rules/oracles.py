"""The oracles of a Major Burn: the tables a campaign starts with, what their results do, and which dice are asked (scale.txt).

Each table has ten entries, for the faces 1 to 10 of a d10. Which result stands on which face is the game's (the table of Major
Burns); the texts are ours, written for any setting, and a GM may rewrite them all. They stand here in
English, by which results are known, and are translated where they are shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from languages.text import gettext_lazy, pgettext_noop
from languages.text import gettext_noop as _
from rules.dice import D10, Faces, draw
from rules.errors import OutOfRange, UnknownWord
from scale.rules.scale import BurnKind

ENTRIES: Final = 10


@dataclass(frozen=True, slots=True)
class Entry:
    """The entry of one face. `shift` asks for a second die, on the table of second results."""

    title: str
    text: str
    shift: bool = False


Table: TypeAlias = tuple[Entry, ...]


GRACE: Final[Table] = (
    Entry(_("Insight"), _("The pattern shows itself, whole, for as long as this scene lasts. Say what is suddenly plain, "
          "and let it lend weight to every attempt built on it.")),
    Entry(_("Vigor"), _("Strength comes back from somewhere deeper than rest. A lasting hurt loosens its hold, or wounds "
          "close that should have taken weeks.")),
    Entry(_("Advantage"), _("The ground tilts in the character’s favour: a door left open, a guard looking away, a name "
          "that carries. It holds until they fail, until the scene ends, or until trouble finds them.")),
    Entry(_("Advantage"), _("Someone who matters decides to help, and shows it. While it lasts, what they touch goes more "
          "easily; a failure or fresh trouble ends it.")),
    Entry(_("Found"), _("What this story has been circling comes to light, here, in reach. It is the real thing, and "
          "someone else will notice that it is gone.")),
    Entry(_("Found"), _("A question that has been open for a long time gets its true answer. Let it close one matter for "
          "good and make another one urgent.")),
    Entry(_("Powerful"), _("For one moment nothing stands in the way. What was about to go wrong goes right, or what went "
          "right goes further than anyone thought possible.")),
    Entry(_("Shift"), _("The story turns towards the character: an ally arrives, an enemy hesitates, an old debt is paid. "
          "Something more comes with it."), shift=True),
    Entry(_("Shift"), _("A power that had been looking elsewhere looks here, and approves. Its favour arrives with "
          "a gift."), shift=True),
    Entry(_("Shift"), _("What looked like the end of this thread was only its middle. The way forward opens, and there is "
          "something lying on it."), shift=True),
)  # fmt: skip

TROUBLE: Final[Table] = (
    Entry(_("Trauma"), _("Something gives way that will not mend by itself. A broken body wants long and complete rest; a "
          "broken mind or name wants to be played through, and a Major Grace.")),
    Entry(_("Frenzy"), _("What the character keeps chained pulls at the chain, harder than usual. Ask at once whether they"
          " can hold it, and make it plain who stands in its way.")),
    Entry(_("Hurt"), _("Harm comes from the side no one was watching. It goes deep: a second die tells whether it bruises "
          "or cuts.")),
    Entry(_("Undermined"), _("The footing is gone: a lie is found out, a patron turns away, a tool cannot be trusted. It "
          "stays that way, in everything that leans on it, until a Major Grace sets it right.")),
    Entry(_("Broken"), _("One thing the character relied on is gone for good. Choose what will be missed, and let them see"
          " it happen.")),
    Entry(_("Threat"), _("Whoever stands against them is more than they seemed: better armed, better informed, or not "
          "alone. From now on this is how strong they are.")),
    Entry(_("Threat"), _("A danger from the edge of the story walks into the middle of it. It has a face and a purpose, "
          "and time is on its side.")),
    Entry(_("Shift"), _("The story turns against the character: a trust is broken, a secret reaches the wrong ears. That "
          "is only the first half."), shift=True),
    Entry(_("Shift"), _("The people who had to stay calm do not stay calm. Whatever they do next cannot be undone, and "
          "someone pays for it now."), shift=True),
    Entry(_("Shift"), _("What was settled is open again, on worse terms. The bill for it arrives in the same hour."), shift=True),
)  # fmt: skip

GRACE_SHIFT: Final[Table] = (
    Entry(_("Insight"), _("In the turning, one thing becomes clear that no one else in the room has understood.")),
    Entry(_("Insight"), _("A half-remembered detail falls into place. Until the scene ends, the character is a step ahead.")),
    Entry(_("Vigor"), _("With the change of fortune comes breath, warmth, and hands that no longer shake.")),
    Entry(_("Vigor"), _("An old wound is suddenly only a scar. Say which, and who can see the difference.")),
    Entry(_("Advantage"), _("For now, those in the way would rather step aside than be the first to object.")),
    Entry(_("Advantage"), _("The place itself is on their side: its light, its noise, its exits. Use it before it changes.")),
    Entry(_("Found"), _("In the confusion something rare is left within reach, and no one is guarding it.")),
    Entry(_("Found"), _("The missing piece was here all the time, under another name. One matter can be closed with it.")),
    Entry(_("Powerful"), _("The next blow, word or leap of the character lands with the weight of everything that led up "
          "to it.")),
    Entry(_("Powerful"), _("A failure of the last hour turns out to have been exactly what was needed.")),
)  # fmt: skip

TROUBLE_SHIFT: Final[Table] = (
    Entry(_("Trauma"), _("The turn leaves a mark. It may be on the skin or under it, and it will still be there tomorrow.")),
    Entry(_("Trauma"), _("What was seen cannot be unseen. Decide with the player what they can no longer do lightly.")),
    Entry(_("Frenzy"), _("Everything that has been swallowed comes up at once. They hold it or they do not, in front of "
          "witnesses.")),
    Entry(_("Hurt"), _("Someone uses the moment to strike. It hurts more than it should have.")),
    Entry(_("Hurt"), _("Escape is possible, but not unharmed: glass, fire, a long fall, a closing door.")),
    Entry(_("Broken"), _("In the middle of it something precious is destroyed. There is no mending it, only replacing it.")),
    Entry(_("Broken"), _("A means they have counted on, a vehicle, a refuge, a good name, does not survive the night.")),
    Entry(_("Threat"), _("The old danger learns where they are weakest, and acts on it.")),
    Entry(_("Threat"), _("Two enemies who had no use for each other come to an understanding.")),
    Entry(_("Threat"), _("Something larger than all of this has now taken notice. It is patient, and it remembers names.")),
)  # fmt: skip

REASON: Final[Table] = (
    Entry(_("Concept"), _("The new story grows from what the character does for a living, or did. Someone from that life "
          "needs it done again.")),
    Entry(_("Nature"), _("It grows from who they are when no one is looking. Put before them the one choice that will show"
          " it.")),
    Entry(_("Demeanor"), _("It grows from the face they show the world. Someone has believed in it, and comes to collect.")),
    Entry(_("Sire"), _("It grows from the one who made them what they are: a maker, a mentor, a parent. There is "
          "unfinished business.")),
    Entry(_("Clan"), _("It grows from the people they belong to by blood or by oath. The family wants something, and it "
          "wants it from them.")),
    Entry(_("Attribute"), _("It grows from what they are by nature good or bad at: a strength that is envied, a weakness "
          "that was noticed.")),
    Entry(_("Ability"), _("It grows from something they have learned. A teacher, a rival or a pupil turns up, and the "
          "skill is at stake.")),
    Entry(_("Background"), _("It grows from what they have rather than what they are: money, friends, a place to sleep. "
          "One of these is at risk.")),
    Entry(_("Merit or Flaw"), _("It grows from the thing that sets them apart. For once it is the very reason why they are"
          " sought out.")),
    Entry(_("Humanity or Path"), _("It grows from their conscience. Something they did, or let happen, asks for an answer.")),
)  # fmt: skip

STARTED_WITH: Final[Mapping[str, Table]] = MappingProxyType(
    {"grace": GRACE, "trouble": TROUBLE, "grace_shift": GRACE_SHIFT, "trouble_shift": TROUBLE_SHIFT, "reason": REASON}
)
"""The five oracles that a campaign begins with, ten entries each, by their names."""

EARLIER: Final[Mapping[str, str]] = MappingProxyType(
    {
        entry.text.replace("no one", "nobody").replace("Someone", "Somebody"): entry.text
        for table in STARTED_WITH.values()
        for entry in table
    }
)
"""Our texts as version 0.2 had them, with those of today: tables that a GM has rewritten hold all ten."""

CONDITION: Final = "condition"
"""The gettext context of what is written on sheets, in English: sheets that have conditions read it so (Text.context)."""

FIGURES: Final[Mapping[BurnKind, Mapping[str, str]]] = MappingProxyType(
    {
        BurnKind.GRACE: MappingProxyType(
            {
                "Insight": pgettext_noop(
                    "condition",
                    "+2 dice in this scene, or 1 success fewer for a foe who resists; or twice that for one roll",
                ),
                "Vigor": pgettext_noop("condition", "one Trauma ends, or 3 health levels heal, or 1 aggravated"),
                "Advantage": pgettext_noop(
                    "condition", "difficulty 2 lower, until a failure, a Trouble Burn or the end of the scene"
                ),
                "Found": pgettext_noop("condition", "a large piece of the plot, a rare thing or a resolution"),
                "Powerful": pgettext_noop(
                    "condition", "4 more damage or 4 degrees more; a failure may turn into a success"
                ),
            }
        ),
        BurnKind.TROUBLE: MappingProxyType(
            {
                "Trauma": pgettext_noop(
                    "condition",
                    "lasting: if bodily, until full rest and 5 blood points; otherwise until played out, and a Major Grace",
                ),
                "Frenzy": pgettext_noop("condition", "a check against frenzy, difficulty 2 higher"),
                "Hurt": pgettext_noop("condition", "6 damage; a d10 decides the type: bashing up to 5, lethal above"),
                "Undermined": pgettext_noop("condition", "difficulty 2 higher, until a Major Grace"),
                "Broken": pgettext_noop("condition", "one item is lost permanently"),
                "Threat": pgettext_noop("condition", "a bigger threat: +2 for it, or difficulty 2 higher permanently"),
            }
        ),
    }
)
"""The effect of each result in a Major Burn, from the game's public page. An older page has the 2 of Advantage and Undermined.
"""


def figure(kind: BurnKind, title: str) -> str:
    """Return the rules' effect of the result with this title, in English; "" for a Shift, and for a table's own titles."""
    return FIGURES[kind].get(title, "")


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice that a result gives and a sheet can hold, with its own `key`: what its `code` says, for a condition with
    its `name` in English. `words` are on its button; with `dice` a d10 decides which.
    """

    key: str
    code: str
    words: str
    name: str = ""
    dice: bool = False


CHOICES: Final[Mapping[BurnKind, Mapping[str, tuple[Choice, ...]]]] = MappingProxyType(
    {
        BurnKind.GRACE: MappingProxyType(
            {
                "Insight": (
                    Choice(
                        "insight", "condition", gettext_lazy("Note Insight"), name=pgettext_noop("condition", "Insight")
                    ),
                ),
                "Vigor": (
                    Choice("heal", "heal", gettext_lazy("Heal 3 health levels")),
                    Choice("heal_aggravated", "heal_aggravated", gettext_lazy("Heal 1 aggravated")),
                    Choice("end_trauma", "end", gettext_lazy("End a Trauma"), name="Trauma"),
                ),
                "Advantage": (
                    Choice(
                        "advantage",
                        "condition",
                        gettext_lazy("Note Advantage"),
                        name=pgettext_noop("condition", "Advantage"),
                    ),
                ),
            }
        ),
        BurnKind.TROUBLE: MappingProxyType(
            {
                "Trauma": (
                    Choice(
                        "trauma", "condition", gettext_lazy("Take a Trauma"), name=pgettext_noop("condition", "Trauma")
                    ),
                ),
                "Hurt": (Choice("hurt", "hurt", gettext_lazy("Roll the type and mark 6 damage"), dice=True),),
                "Undermined": (
                    Choice(
                        "undermined",
                        "condition",
                        gettext_lazy("Note Undermined"),
                        name=pgettext_noop("condition", "Undermined"),
                    ),
                ),
            }
        ),
    }
)
"""The effects that can be marked on a sheet with a click; all others are only text."""


def choices(kind: BurnKind, title: str) -> tuple[Choice, ...]:
    """Return the choices by the title of a result; none for those that a table made up itself."""
    return CHOICES[kind].get(title, ())


STORY_SLOTS: Final = 9
"""Storylines an oracle can hold; its tenth entry is always something new."""


@dataclass(frozen=True, slots=True)
class Consulted:
    """One d10 on one oracle: the face, and its entry."""

    face: int
    entry: Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class MajorBurn:
    """All that the dice said, in the order in which they fell.

    `story_face` is the d10 of the Story Oracle, `story` the storyline it named and `slot` its place (1 to 9). Where it met an
    empty place or the tenth, both are empty and `reason` says what the new story grows from. `second` is there when the `result`
    is a Shift.
    """

    kind: BurnKind
    story_face: int
    slot: int | None
    story: str | None
    reason: Consulted | None
    result: Consulted
    second: Consulted | None


def major_burn(
    kind: BurnKind, storylines: Sequence[str | None], faces: Faces, tables: Mapping[str, Table] = STARTED_WITH
) -> MajorBurn:
    """Draw two to four d10s: story, reason (if the story is new), Grace or Trouble, and the second result of a Shift.

    `storylines` are up to nine open ones by slot; None is an empty slot. A second result never shifts again, whatever its table
    says, or a consultation might not end.
    """
    if not isinstance(kind, BurnKind):
        raise UnknownWord("kind", kind, BurnKind)
    if len(storylines) > STORY_SLOTS:
        raise OutOfRange("storylines", len(storylines), 0, STORY_SLOTS)
    (story_face,) = draw(1, D10, faces)
    story = storylines[story_face - 1] if story_face <= len(storylines) else None
    reason = None if story else _consult(tables["reason"], faces)
    result = _consult(tables[kind], faces)
    second = _consult(tables[table_of(kind, "second")], faces) if result.entry.shift else None
    return MajorBurn(
        kind=kind,
        story_face=story_face,
        slot=story_face if story else None,
        story=story,
        reason=reason,
        result=result,
        second=second,
    )


def table_of(kind: str, oracle: str) -> str:
    """Return the table that a die of a Major Burn is read on; "story" has none."""
    return f"{kind}_shift" if oracle == "second" else oracle


def _consult(table: Sequence[Entry], faces: Faces) -> Consulted:
    (face,) = draw(1, D10, faces)
    return Consulted(face, table[face - 1])
