"""Experience at the end of a session: each player answers what their character did, and marks xp for it; so does the crew (public
rules, Advancement).

Once is a mark, more than once are two, on the playbook's track or on an attribute's, as the player chooses for each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from campaigns.schema import Code, Name, Uid
from characters.reasons import Reason
from characters.sheets.sheet import Sheet
from characters.sheets.steps import Shift
from languages.text import gettext as _
from languages.text import gettext_lazy
from rules.acts import Actor, act
from rules.effects import StepResult, Write
from rules.errors import NotPossible, whole, word
from rules.procedures import Act, Parties, ProcedureRules, SheetSnapshot, Snapshot, Values
from rulesets.forged import crew, sheet
from rulesets.forged.rules.body import ACTIONS, Attribute
from rulesets.forged.rules.roll import HIGHEST_RATING
from rulesets.forged.settings import DEFAULTS, Settings

MOST_XP_AT_ONCE: Final = 100


class Track(StrEnum):
    """The track that is marked: one of the three attributes', or the playbook's."""

    ATTRIBUTE = "attribute"
    PLAYBOOK = "playbook"


BOXES: Final[Mapping[Track, int]] = MappingProxyType({Track.ATTRIBUTE: 6, Track.PLAYBOOK: 8})


@dataclass(frozen=True, slots=True)
class Marked:
    """A track after marking it: its marks (below its boxes), and the resulting advances."""

    marks: int
    advances: int


def mark(track: Track, marks: int, xp: int, settings: Settings = DEFAULTS) -> Marked:
    """Mark `xp` (0 to 100) on a track with `marks` (0 to 5, or to 7 on the playbook's). A full one empties for an advance.

    The surplus starts the track again, and may fill it again; or is lost if the campaign has it so.
    """
    boxes = BOXES[word("track", track, Track)]
    after = whole("marks", marks, 0, boxes - 1) + whole("xp", xp, 0, MOST_XP_AT_ONCE)
    if after < boxes:
        return Marked(after, 0)
    if settings.xp_rolls_over:
        advances, left = divmod(after, boxes)
        return Marked(left, advances)
    return Marked(0, 1)


def advanced(dots: int, attribute: Attribute, action: str) -> int:
    """Return the dots after an advance in an action of the attribute whose track was full.

    NotPossible for an action of another attribute, and above 4.
    """
    actions = ACTIONS[attribute]
    if action not in actions:
        message = _("This advance goes to one of these actions: {actions}.").format(
            actions=", ".join(map(sheet.called, actions))
        )
        raise NotPossible("action", action, allowed=", ".join(actions), message=message)
    if dots >= HIGHEST_RATING:
        message = _("{action} can’t go any higher.").format(action=sheet.called(action))
        raise NotPossible("action", action, allowed=f"below {HIGHEST_RATING} dots", message=message)
    return dots + 1


ANSWER, END = "answer", "end"
MOST_A_QUESTION: Final = 2
PLAYBOOK: Final = "playbook_xp"
CREW_TRACK: Final = "crew_xp"
TRACKS: Final = (PLAYBOOK, *map(sheet.xp_of, sheet.ACTIONS))
QUESTIONS: Final = ("playbook", "beliefs", "trouble")
CREW_QUESTIONS: Final = ("work", "above", "renown", "nature")
MARKED = Reason("forged_experience", gettext_lazy("experience at the end of a session"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """So many xp on a `track`."""

    track: Code
    xp: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """A scoundrel, or the `crew`: how often each of its questions was so (0 to 2), once it has `answered`, and its marks."""

    key: Code
    name: Name
    character: Uid
    crew: bool = False
    there: bool = True
    answered: bool = False
    answers: tuple[int, ...] = ()
    marks: tuple[Mark, ...] = ()

    @property
    def questions(self) -> tuple[str, ...]:
        return CREW_QUESTIONS if self.crew else QUESTIONS

    @property
    def tracks(self) -> tuple[str, ...]:
        return (CREW_TRACK,) if self.crew else TRACKS

    @property
    def sheet(self) -> Sheet:
        return crew.SHEET if self.crew else sheet.SHEET


@dataclass(frozen=True, slots=True, kw_only=True)
class Experience:
    those: tuple[Learner, ...]
    ended: bool = False

    @property
    def waited(self) -> list[Learner]:
        return [learner for learner in self.those if learner.there and not learner.answered]

    def found(self, key: str) -> Learner:
        learner = next((learner for learner in self.those if learner.key == key and learner.there), None)
        if learner is None:
            raise NotPossible("whom", key, allowed="who is here", message=_("They’re no longer in play."))
        return learner


def _answers(state: Experience, who: Actor, learner: Learner) -> bool:
    played = [other.character for other in state.those if other.there and not other.crew]
    return any(map(who.plays, played)) if learner.crew else who.plays(learner.character)


def _answered(state: Experience, learner: Learner, snapshot: SheetSnapshot, values: Values) -> StepResult[Experience]:
    """Mark xp for answers. `values` say for each question how often (0 to 2), for each `<question>_on` the track, and `over`, the
    track for what another has no room for. Answered again, the difference is marked."""
    answers = tuple(whole(name, values.get(name) or 0, 0, MOST_A_QUESTION) for name in learner.questions)
    before = {mark.track: mark.xp for mark in learner.marks}
    room = {
        track: BOXES[_kind(track)] - learner.sheet.number(snapshot.values, track) + before.get(track, 0)
        for track in learner.tracks
    }
    marked = _placed(learner, answers, values, room)
    changes = {track: marked[track] - before.get(track, 0) for track in learner.tracks}
    for track, change in changes.items():
        if learner.sheet.number(snapshot.values, track) + change < 0:
            message = _("The XP on {track} is already spent. Leave that answer as it was.").format(
                track=label(learner, track)
            )
            raise NotPossible(track, change, allowed="what is there", message=message)
    steps = tuple(Shift(track, change) for track, change in changes.items() if change)
    marks = tuple(Mark(track=track, xp=xp) for track, xp in marked.items() if xp)
    now = replace(learner, answered=True, answers=answers, marks=marks)
    after = replace(state, those=tuple(now if them.key == learner.key else them for them in state.those))
    return StepResult(after, [Write(character=learner.character, steps=steps, why=MARKED)] if steps else [])


def _placed(learner: Learner, answers: Sequence[int], values: Values, room: Mapping[str, int]) -> Counter[str]:
    """Return the xp for each track. Raises NotPossible if a track has no room."""
    marked: Counter[str] = Counter()
    for name, xp in zip(learner.questions, answers, strict=True):
        first = values.get(f"{name}_on") or learner.tracks[0]
        over = values.get("over") or first
        for _mark in range(xp):
            track = next((track for track in (first, over) if track in room and marked[track] < room[track]), None)
            if track is None:
                raise _no_room(learner, name, first)
            marked[track] += 1
    return marked


def _no_room(learner: Learner, name: str, track: str) -> NotPossible:
    if track not in learner.tracks:
        return NotPossible(
            f"{name}_on", track, allowed=", ".join(learner.tracks), message=_("Choose one of the tracks.")
        )
    message = _("{track} has no room for all of it. Choose where the rest goes, or take the advance first.").format(
        track=label(learner, track)
    )
    return NotPossible("over", track, allowed="a track with room", message=message)


def _kind(track: str) -> Track:
    return Track.PLAYBOOK if track in (PLAYBOOK, CREW_TRACK) else Track.ATTRIBUTE


def label(learner: Learner, track: str) -> str:
    return learner.sheet.field(track).label


def _as_it_is(learner: Learner, seen: Snapshot) -> Learner:
    snapshot = seen.sheets.get(learner.character)
    return replace(learner, there=snapshot is not None, name=snapshot.name if snapshot else learner.name)


def _as_answered(state: Experience, key: str) -> tuple[Any, ...]:
    learner = state.found(key)
    return learner.answered, learner.answers, learner.marks


def _open(state: Experience) -> bool:
    return not state.ended


class ExperienceRules(ProcedureRules[Experience]):
    """Players answer for their own characters, and may change answers; any player may answer for the crew."""

    state = Experience

    def start(self, given: Values) -> Experience:
        """Begin with `those` who were there, as (name, character), and the `crew` with them."""
        learners = tuple(Learner(key=str(number), **learner) for number, learner in enumerate(given["those"], 1))
        if not learners:
            message = _("No character in this campaign has a Forged in the Dark sheet.")
            raise NotPossible("characters", 0, allowed="1 or more", message=message)
        return Experience(those=learners)

    @act(
        by=lambda state, who, key: _answers(state, who, state.found(key)),
        when=_open,
        each=lambda state: [learner.key for learner in state.those if learner.there],
        terms=_as_answered,
        asks=True,
    )
    def answer(self, state: Experience, step: Act, key: str) -> StepResult[Experience]:
        learner = state.found(key)
        snapshot = step.seen.sheets.get(learner.character) if step.seen else None
        if snapshot is None:
            raise NotPossible(
                "whom", key, allowed="who is here", message=_("{name} is no longer in play.").format(name=learner.name)
            )
        return _answered(state, learner, snapshot, step.values)

    @act(when=_open)
    def end(self, state: Experience, step: Act) -> Experience:
        return replace(state, ended=True)

    def reads(self, state: Experience, seen: Snapshot) -> Experience:
        """Wait no more for someone who has left play."""
        return replace(state, those=tuple(_as_it_is(learner, seen) for learner in state.those))

    def waiting(self, state: Experience) -> Sequence[tuple[str, str]]:
        if state.ended:
            return []
        return [(learner.key, _("to mark experience")) for learner in state.waited] or [
            ("", _("to end it: everyone has marked theirs"))
        ]

    def is_over(self, state: Experience) -> bool:
        return state.ended

    def parties(self, state: Experience) -> Parties:
        return {learner.key: (learner.name, learner.character) for learner in state.those}
