"""Experience at the end of a session: each player answers what their character did, and marks xp for it; so does the crew (public
rules, Advancement).

Once is a mark, more than once are two, on the playbook's track or on an attribute's, as the player chooses for each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

from pydantic import BaseModel

from campaigns.schema import Code
from characters.reasons import Reason
from languages.text import gettext_lazy
from rolls.stage import Row, Staged
from rules.acting import OneOf, Procedure, Waits, act, anyone, owner
from rules.messages import Message, Words, joined, worded
from rules.messages import gettext as _
from rules.procedures import Button
from rules.table import Refused, Table
from rulesets.forged import sheet
from rulesets.forged.rows import Crew, Scoundrel, check_people, crews, people, row_of

PLAYBOOK: Final = "playbook_xp"
CREW_TRACK: Final = "crew_xp"
TRACKS: Final = (PLAYBOOK, *map(sheet.xp_of, sheet.ACTIONS))
ASKED: Final = {
    "playbook": gettext_lazy("Met a challenge in the way of their playbook"),
    "beliefs": gettext_lazy("Showed what they believe, want or come from"),
    "trouble": gettext_lazy("Struggled with their vice or traumas"),
    "work": gettext_lazy("Did well at what a crew of this kind does"),
    "above": gettext_lazy("Took on someone above their standing"),
    "renown": gettext_lazy("Made their name better known, or made a new one"),
    "nature": gettext_lazy("Showed what the crew is about and what drives it"),
}
QUESTIONS, CREW_QUESTIONS = tuple(ASKED)[:3], tuple(ASKED)[3:]


class Answers(BaseModel):
    """What one has answered: how often each question was so (0 to 2), and the xp that were marked for it by tracks."""

    often: dict[Code, int] = {}
    marks: dict[Code, int] = {}

    @property
    def said(self) -> Message:
        """Return words such as "Playbook XP +2, Prowess XP +1"."""
        tracks = (track for track in (*TRACKS, CREW_TRACK) if track in self.marks)
        marked = (joined("", (label(track), f" +{self.marks[track]}")) for track in tracks)
        return joined(", ", marked) if self.marks else _("no XP")


def label(track: str) -> Message:
    return worded((sheet.CREW if track == CREW_TRACK else sheet.SHEET).field(track).label)


def how_often(procedure: Experience, table: Table, who: Scoundrel | Crew) -> Iterator[tuple[int, Words]]:
    yield from enumerate((_("no"), _("once: 1 XP"), _("more than once: 2 XP")))


def tracks(procedure: Experience, table: Table, who: Scoundrel) -> Iterator[tuple[str, Words]]:
    for track in TRACKS:
        yield (
            track,
            _(
                "{track}, {marks} of {boxes}",
                track=label(track),
                marks=getattr(who, track),
                boxes=sheet.XP_BOXES[track],
            ),
        )


def so_far(procedure: Experience, table: Table, who: Scoundrel | Crew) -> Any:
    return procedure.answers.get(who.id)


def button(procedure: Experience, table: Table, who: Scoundrel | Crew) -> Words:
    return _("Change") if who.id in procedure.answers else _("Mark experience")


def is_first(procedure: Experience, table: Table, who: Scoundrel | Crew) -> bool:
    return who.id not in procedure.answers


On = Annotated[str, OneOf(tracks), gettext_lazy("Track")]
MARKED: Final = gettext_lazy("{who} marked experience: {xp}.")


class Experience(Procedure):
    """Players answer for their own characters, and may change answers; any player may answer for the crew."""

    label = gettext_lazy("Experience")
    why = Reason("forged_experience", gettext_lazy("experience at the end of a session"))

    answers: dict[Code, Answers] = {}

    @act(label, says=gettext_lazy("Everyone was asked to mark experience for this session."))
    def open(self, table: Table) -> None:
        check_people(table)

    @act(button, says=MARKED, by=owner, each=lambda self, table: people(table), terms=so_far, primary=is_first)
    def answer(
        self,
        table: Table,
        who: Scoundrel,
        *,
        playbook: Annotated[int, OneOf(how_often), ASKED["playbook"]] = 0,
        playbook_on: On = PLAYBOOK,
        beliefs: Annotated[int, OneOf(how_often), ASKED["beliefs"]] = 0,
        beliefs_on: On = PLAYBOOK,
        trouble: Annotated[int, OneOf(how_often), ASKED["trouble"]] = 0,
        trouble_on: On = PLAYBOOK,
        over: Annotated[
            str, OneOf(tracks, none=gettext_lazy("nowhere else")), gettext_lazy("XP beyond a full track goes to")
        ] = "",
    ) -> Mapping[str, Words]:
        on = {"playbook": playbook_on, "beliefs": beliefs_on, "trouble": trouble_on}
        return self._answered(who, {"playbook": playbook, "beliefs": beliefs, "trouble": trouble}, on, over)

    @act(button, says=MARKED, by=anyone, each=lambda self, table: crews(table), terms=so_far, primary=is_first)
    def answer_crew(
        self,
        table: Table,
        who: Crew,
        *,
        work: Annotated[int, OneOf(how_often), ASKED["work"]] = 0,
        above: Annotated[int, OneOf(how_often), ASKED["above"]] = 0,
        renown: Annotated[int, OneOf(how_often), ASKED["renown"]] = 0,
        nature: Annotated[int, OneOf(how_often), ASKED["nature"]] = 0,
    ) -> Mapping[str, Words]:
        often = {"work": work, "above": above, "renown": renown, "nature": nature}
        return self._answered(who, often, dict.fromkeys(often, CREW_TRACK), "")

    @act(lambda self, table: _("End without the rest") if self.waited(table) else _("End"))
    def end(self, table: Table) -> Words:
        self.over = True
        return self._ended(table)

    def so_far(self, act: str, table: Table, *target: Any) -> Mapping[str, Any]:
        answers = self.answers.get(target[0].id) if target else None
        return answers.often if answers else {}

    def asked(self, table: Table) -> list[Scoundrel | Crew]:
        """Return all who answer, the crew last."""
        return [*people(table), *crews(table)]

    def waited(self, table: Table) -> list[Scoundrel | Crew]:
        """Return those who have not answered."""
        return [one for one in self.asked(table) if one.id not in self.answers]

    def waits(self, table: Table) -> Sequence[Waits]:
        return [Waits(one.id, _("to mark experience")) for one in self.waited(table)] or [
            Waits("", _("to end it: everyone has marked theirs"))
        ]

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(
            above=_("Experience"),
            rows=[self._row(one, buttons) for one in self.asked(table)],
            acts=[button for button in buttons if button.name == "end"],
        )

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        there = [one for one in state["those"] if one["there"]]
        answers = {
            one["character"]: Answers(
                often=dict(zip(CREW_QUESTIONS if one["crew"] else QUESTIONS, one["answers"], strict=False)),
                marks={mark["track"]: mark["xp"] for mark in one["marks"]},
            )
            for one in there
            if one["answered"]
        }
        people = ((Crew if one["crew"] else Scoundrel)(id=one["character"], name=one["name"]) for one in there)
        return Table([cls(answers=answers, over=state["ended"]), *people])

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        if act == "end":
            return self._ended(table)
        there = (
            one for one in (*table.all(Scoundrel), *table.all(Crew)) if one.name == whom and one.id in self.answers
        )
        said = (worded(MARKED, who=one.name, xp=self.answers[one.id].said) for one in there if act == "answer")
        return next(said, "" if act == "answer" else super().line_before(table, act, whom))

    def _answered(
        self, who: Scoundrel | Crew, often: Mapping[str, int], on: Mapping[str, str], over: str
    ) -> Mapping[str, Words]:
        """Mark xp for answers, on the track that is named for each, or, as far as that has no room, on the one called `over`.
        Answered again, the difference is marked."""
        before = self.answers[who.id].marks if who.id in self.answers else {}
        marked: Counter[str] = Counter()
        for question, xp in often.items():
            for _mark in range(xp):
                first = on[question]
                rest = (track for track in (first, over or first) if _room(who, track, before) > marked[track])
                if (track := next(rest, None)) is None:
                    words = gettext_lazy(
                        "{track} has no room for all of it. Choose where the rest goes, or take the advance first."
                    )
                    raise Refused(worded(words, track=label(first)), "over")
                marked[track] += 1
        for track in {*before, *marked}:
            now = getattr(who, track) + marked[track] - before.get(track, 0)
            if now < 0:
                words = gettext_lazy("The XP on {track} is already spent. Leave that answer as it was.")
                raise Refused(worded(words, track=label(track)))
            setattr(who, track, now)
        answers = Answers(
            often=dict(often), marks={track: marked[track] for track in (*TRACKS, CREW_TRACK) if marked[track]}
        )
        self.answers[who.id] = answers
        return {"xp": answers.said}

    def _ended(self, table: Table) -> Words:
        if left := self.waited(table):
            names = joined(", ", (one.name for one in left))
            return _("Experience for this session ended, with nothing marked for {names}.", names=names)
        return _("Experience for this session ended.")

    def _row(self, who: Scoundrel | Crew, buttons: Sequence[Button]) -> Row:
        answers = self.answers.get(who.id)
        lines = [worded(asked) for name, asked in ASKED.items() if answers.often.get(name)] if answers else ()
        return row_of(who, buttons, detail=answers.said if answers else _("not marked yet"), lines=lines)


def _room(who: Scoundrel | Crew, track: str, before: Mapping[str, int]) -> int:
    marks: int = getattr(who, track)
    return sheet.XP_BOXES[track] - marks + before.get(track, 0)
