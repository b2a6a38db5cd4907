"""Two people: one bearer goes ahead and another follows. Both roll, and whoever has light may share oil with whoever has none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django import forms

from afterburn.procedures import (
    NO_CHARACTER,
    OPEN,
    REREAD,
    Act,
    Answer,
    Asked,
    AvailableAct,
    Button,
    Mark,
    ProcedureContext,
    ProcedureForm,
    ProcedureKind,
    RollPart,
    Side,
    Snapshot,
    Staged,
    StepResult,
    Target,
    Values,
    Write,
    act,
    player_of,
)
from afterburn.rules import whole
from afterburn.ruleset import Character, Code, Invalid, Name, Role, Uid, Viewer
from afterburn.sheets import Reason, Shift
from afterburn_lanterns.rules import HIGHEST, Light
from afterburn_lanterns.sheet import SHEET

SHARED = Reason("lanterns_shared", "oil that was shared")


@dataclass(frozen=True, kw_only=True)
class Bearer:
    """One of the two: what their roll gave ("" until it has fallen), and the oil they have left."""

    id: Uid
    name: Name
    light: Code = ""
    oil: int = 0


@dataclass(frozen=True, kw_only=True)
class Pair:
    bearers: tuple[Bearer, Bearer]
    wind: int = 0
    shared: bool = False
    over: bool = False

    def __post_init__(self) -> None:
        whole("wind", self.wind, 0, HIGHEST)

    @property
    def giver(self) -> int | None:
        """Return the index of the bearer with light and oil while the other is in the dark; None if nobody may share."""
        lights = [bearer.light for bearer in self.bearers]
        for at, bearer in enumerate(self.bearers):
            dark = lights[1 - at] == Light.DARK and bearer.light not in ("", Light.DARK)
            if dark and bearer.oil and not (self.shared or self.over):
                return at
        return None


class OpenTogetherForm(ProcedureForm):
    against_field, own_field = "other", "own"

    own = forms.UUIDField()
    other = forms.UUIDField()
    wind = forms.IntegerField(min_value=0, max_value=HIGHEST)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, object]:
        mine = Character.objects.brought_by(viewer.by).filter(system=SHEET.name)
        others = Character.objects.known_to_all(viewer.campaign).filter(system=SHEET.name)
        named = {"own": mine, "other": others}
        chosen = {
            what: [(str(character.pk), character.name) for character in characters]
            for what, characters in named.items()
        }
        return {"nothing": "" if mine and len(others) > 1 else NO_CHARACTER} | chosen


def _givers(pair: Pair) -> list[int]:
    return [] if pair.giver is None else [pair.giver]


class Together(ProcedureKind[Pair]):
    label = "Go together"
    opened_by = Role.PLAYER
    state = Pair
    forms = {OPEN: OpenTogetherForm}

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        both = [context.character(str(given[who])) for who in ("own", "other")]
        if both[0] == both[1] or not context.actor.plays(str(both[0].pk)):
            raise Invalid("Choose one of yours, and somebody else.", field="other")
        bearers = tuple(
            Bearer(id=str(character.pk), name=character.name, oil=character.number("oil")) for character in both
        )
        return {"bearers": bearers, "wind": given["wind"]}

    def start(self, given: Values) -> Pair:
        return Pair(**given)

    @act(by=player_of(lambda pair, at: pair.bearers[at].id), each=_givers)
    def share(self, pair: Pair, step: Act, at: int) -> StepResult[Pair]:
        """Move a measure of oil from one lantern to the other."""
        giver, taker = pair.bearers[at].id, pair.bearers[1 - at].id
        moved = (Shift("oil", -1), Shift("oil", 1))
        writes = (
            Write(character=who, steps=(step,), why=SHARED) for who, step in zip((giver, taker), moved, strict=True)
        )
        return StepResult(replace(pair, shared=True), tuple(writes))

    @act(by=player_of(lambda pair: pair.bearers[0].id), when=lambda pair: all(bearer.light for bearer in pair.bearers))
    def go_on(self, pair: Pair, step: Act) -> Pair:
        return replace(pair, over=True)

    def requests(self, pair: Pair) -> Sequence[Asked]:
        """Return a roll of each who has not rolled."""
        if pair.over:
            return []
        terms = {"wind": pair.wind}
        return [
            Asked(part=RollPart(f"of{at}"), terms=terms, character=bearer.id)
            for at, bearer in enumerate(pair.bearers)
            if not bearer.light
        ]

    def on_answers(self, pair: Pair, answers: Sequence[Answer]) -> Pair:
        fell = {str(answer.part): answer.outcome["result"] for answer in answers}
        first, second = (replace(bearer, light=fell.get(f"of{at}", "")) for at, bearer in enumerate(pair.bearers))
        return replace(pair, bearers=(first, second))

    def reads(self, pair: Pair, seen: Snapshot) -> Pair:
        """Return the oil as it is on the sheets now."""
        now = {who: SHEET.number(sheet.values, "oil") for who, sheet in seen.sheets.items()}
        first, second = (replace(bearer, oil=now.get(bearer.id, 0)) for bearer in pair.bearers)
        return replace(pair, bearers=(first, second))

    def waiting(self, pair: Pair) -> Sequence[tuple[str, str]]:
        rolls = [(asked.part.name[-1], "to roll") for asked in self.requests(pair)]
        return rolls or [("0", "to go on")]

    def is_over(self, pair: Pair) -> bool:
        return pair.over

    def played(self, pair: Pair) -> Sequence[str]:
        return [bearer.id for bearer in pair.bearers]

    def party(self, pair: Pair, target: Target) -> tuple[str, str | None]:
        bearer = pair.bearers[int(target[0])] if target else pair.bearers[0]
        return bearer.name, bearer.id

    def describe(self, pair: Pair, buttons: Sequence[Button]) -> Values:
        sides = [
            Side(
                name=bearer.name,
                character=bearer.id,
                words=bearer.light or "yet to roll",
                marks=[Mark(f"oil for {bearer.oil}")],
            )
            for bearer in pair.bearers
        ]
        return {"staged": Staged(above="Go together", notes=[f"Wind {pair.wind}."], sides=sides, acts=buttons)}

    def button_words(self, pair: Pair, available: AvailableAct) -> str:
        if available.name == "go_on":
            return "Go on"
        return f"Share oil with {pair.bearers[1 - available.target[0]].name}"

    def said(self, pair: Pair, name: str, whom: str) -> str:
        first, second = pair.bearers
        fell = ", ".join(f"{bearer.name}: {bearer.light or 'yet to roll'}" for bearer in pair.bearers) + "."
        lines = {
            OPEN: f"{first.name} and {second.name} went into the dark, wind {pair.wind}.",
            "share": f"{whom} shared oil.",
            "go_on": f"{first.name} and {second.name} went on.",
            REREAD: "",  # the sheets say how much oil is left
        }
        return lines.get(name, fell)
