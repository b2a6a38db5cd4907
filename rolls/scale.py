"""The Scale in the lists of rules: those of the guide, of the odds, of a campaign's settings, and of the log's filters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any, Final, cast

from django import forms
from django.utils.translation import gettext as _

import scale
from campaigns.models import Viewer
from campaigns.services.log import UnitOfWork
from campaigns.text import signed
from campaigns.waiting import Pending
from languages.text import gettext_lazy
from rolls import odds as shown
from rolls.forms.odds import OddsForm, WholeNumber
from rolls.guide import Die, Example
from rolls.guide import Table as GuideTable
from rolls.odds import Cell, Part, Row, Section, Table, shift
from rolls.ruleset import OddsPage, Rules, Ruleset, SettingsGroup
from rules.tally import Shifts, mean, read
from scale.counting import RULESETS, joins
from scale.events import MAJOR_BURN, NAME, ORACLE_MARKED, OUTCOMES, TOPICS
from scale.odds import Crossing, Policy, Share, crossing, next_major
from scale.rules import oracles
from scale.rules.scale import (
    DOWN_TO,
    EFFECT_CHOSEN_BY,
    HELP,
    MAJOR_AT,
    UP_FROM,
    WORDS,
    BurnKind,
    Effect,
    Reached,
    Settings,
    Side,
    State,
    step,
    tally,
)
from scale.services.scale import tell_anew
from scale.shown import waiting

# Tables and worked rolls of the guide to the Scale, drawn from its rules.


def example(faces: Sequence[int], difficulty: int) -> Example:
    """Return a roll worked by the first rules with countable dice; each die shows what it gives."""
    ruleset, counted = next((ruleset, ruleset.counted) for ruleset in RULESETS.values() if ruleset.counted)
    worked = cast(Ruleset, ruleset).guide_example(faces=faces, difficulty=difficulty)
    fields = {"dice": [{"face": face} for face in faces], "difficulty": difficulty}
    seen = read(counted.fallen(fields), tally())
    ((name, dice),) = worked.pools
    drawn = tuple(
        Die(die.face, die.role, die.why, None if rolled.skipped else rolled.gives, _("Scale"))
        for die, rolled in zip(dice, seen.dice, strict=True)
    )
    moves = _("the Scale moves by {delta}").format(delta=signed(seen.delta)) if seen.delta else _("the Scale stays")
    return Example(worked.asked, ((name, drawn),), f"{worked.came}; {moves}", worked.sides)


def scale_faces() -> GuideTable:
    rows = (
        (_("{first} to {last}").format(first=1, last=DOWN_TO), _("−1, unless a 1 cancelled a success")),
        (_("{first} to {last}").format(first=DOWN_TO + 1, last=UP_FROM - 1), "0"),
        (_("{first} to {last}").format(first=UP_FROM, last=10), "+1"),
    )
    return GuideTable(_("What each face gives the Scale"), (_("Face"), _("Gives")), rows)


def scale_effects() -> GuideTable:
    who = {Side.PLAYER: _("the player"), Side.GM: _("the GM")}
    what = {
        BurnKind.GRACE: (_("+1 die"), _("a free activation"), _("+1 with an NPC")),
        BurnKind.TROUBLE: (_("−1 die"), _("a complication"), _("−1 with an NPC")),
    }
    rows = tuple((kind.label, who[EFFECT_CHOSEN_BY[kind]], *what[kind]) for kind in BurnKind)
    return GuideTable(
        _("Effects of a Burn (choose one)"), (_("Burn"), _("Chosen by"), _("Die"), _("Discipline"), _("NPC")), rows
    )


COMPLICATIONS: Final = {
    Effect.MISFIRE: gettext_lazy("Misfire"),
    Effect.EXTRA_BLOOD: gettext_lazy("Extra blood"),
    Effect.ATTENTION: gettext_lazy("Unwanted attention"),
}


def scale_complications() -> GuideTable:
    return GuideTable(
        _("Complications"), (_("Complication"),), tuple((str(words),) for words in COMPLICATIONS.values())
    )


def oracle_reason() -> GuideTable:
    return GuideTable(_("Reason Oracle"), ("d10", _("The new story grows from")), _faces(oracles.REASON))


def oracle_figures() -> GuideTable:
    rows = tuple(
        (f"{_(title)} ({kind.label})", str(does))
        for kind, results in oracles.FIGURES.items()
        for title, does in results.items()
    )
    return GuideTable(_("What a result does"), (_("Result"), _("In a Major Burn")), rows)


def oracle_grace() -> GuideTable:
    return _oracle(_("Grace Oracle"), oracles.GRACE, oracles.GRACE_SHIFT)


def oracle_trouble() -> GuideTable:
    return _oracle(_("Trouble Oracle"), oracles.TROUBLE, oracles.TROUBLE_SHIFT)


def _oracle(caption: str, first: oracles.Table, second: oracles.Table) -> GuideTable:
    rows = tuple((*row, "") for row in _faces(first))
    # The second results continue the row of the Shift, on which alone they are rolled.
    after = "; ".join(f"{face} {title}" for face, title in _faces(second))
    return GuideTable(caption, ("d10", _("Result"), _("Second d10")), (*rows[:-1], (*rows[-1][:2], after)))


def _faces(entries: oracles.Table) -> tuple[tuple[str, str], ...]:
    """Return neighbouring faces of one title in one row: ("6–7", "Threat")."""
    rows = []
    for title, group in groupby(enumerate(entries, start=1), key=lambda entry: entry[1].title):
        faces = [face for face, entry in group]
        rows.append((f"{faces[0]}–{faces[-1]}" if len(faces) > 1 else str(faces[0]), _(title)))
    return tuple(rows)


TABLES: Final[Mapping[str, Callable[[], GuideTable]]] = {
    **{
        table.__name__: table
        for table in (
            scale_faces,
            scale_effects,
            scale_complications,
            oracle_reason,
            oracle_grace,
            oracle_trouble,
            oracle_figures,
        )
    },
}
"""The tables by the names that rules use."""


# The page of odds of the Scale: what one roll sets off from its present value, and when the next Major Burn comes.


LOWEST_DIFFICULTY, STANDARD, HIGHEST_DIFFICULTY = 2, 6, 10
MOST_DICE: Final = 20


KINDS: Final = {BurnKind.GRACE: gettext_lazy("Grace"), BurnKind.TROUBLE: gettext_lazy("Trouble")}


class ScaleOdds(OddsForm):
    scale = WholeNumber(gettext_lazy("Scale"), 1 - MAJOR_AT, MAJOR_AT - 1, 0)
    banked = forms.ChoiceField(
        label=gettext_lazy("In the bank"),
        choices=[("", gettext_lazy("nothing")), *((kind.value, label) for kind, label in KINDS.items())],
        required=False,
        error_messages={"invalid_choice": gettext_lazy("In the bank: choose nothing, Grace or Trouble.")},
    )
    dice = WholeNumber(gettext_lazy("Dice"), 1, MOST_DICE, 5)
    difficulty = WholeNumber(gettext_lazy("Difficulty"), LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY, STANDARD)


STANDS: Final = range(1 - MAJOR_AT, MAJOR_AT)
POLICIES: Final = {Policy.BANK: gettext_lazy("Burns are banked"), Policy.TAKE: gettext_lazy("Burns are taken at once")}


def _shifts(dice: int, difficulty: int) -> Shifts:
    """Count by the first rules whose dice can be counted."""
    counted = next(ruleset.counted for ruleset in RULESETS.values() if ruleset.counted)
    return counted.shifts({"dice": dice, "difficulty": difficulty}, tally())


def _state(scale: int, banked: str) -> State:
    return State(scale, banked=BurnKind(banked) if banked else None)


EVENTS: Final = {
    "major_trouble": ("worst", gettext_lazy("Major Trouble")),
    "trouble": ("worst", gettext_lazy("Trouble offered")),
    "none": ("bad", gettext_lazy("no Burn")),
    # Two Burns that fire together may be of either kind.
    "both": ("fair", gettext_lazy("both Burns fire")),
    "grace": ("good", gettext_lazy("Grace offered")),
    "major_grace": ("good", gettext_lazy("Major Grace")),
}
"""The events that a roll may cause: their look and words."""


def _events(chances: Crossing) -> Mapping[str, Fraction]:
    return {
        "major_trouble": chances.majors[BurnKind.TROUBLE],
        "trouble": chances.offers[BurnKind.TROUBLE],
        "none": 1 - chances.any,
        "both": chances.both,
        "grace": chances.offers[BurnKind.GRACE],
        "major_grace": chances.majors[BurnKind.GRACE],
    }


def _one_roll(odds: Shifts, state: State, roll: str, average: Fraction) -> Section:
    chances = crossing(odds, state)
    parts = [
        Part(look, str(words), chance)
        for (look, words), chance in zip(EVENTS.values(), _events(chances).values(), strict=True)
    ]
    bar, table = shown.outcomes(_("What the roll sets off"), parts, [(_("any Burn"), chances.any)])
    lines = (_("The roll moves it by {shift} on average.").format(shift=shift(average)),)
    title = _("From {value}, {roll}").format(value=signed(state.scale), roll=roll)
    return Section("roll", title, lines, bar, tables=(table,))


def _afterwards(odds: Shifts, state: State) -> Section:
    ways: Counter[int] = Counter()
    total = sum(odds.values())
    for delta, count in odds.items():
        moved = step(state, delta)
        end = moved.after.scale
        if moved.event is Reached.MAJOR:
            end = MAJOR_AT if moved.fires[0].kind is BurnKind.GRACE else -MAJOR_AT
        ways[end] += count
    chances = {end: Fraction(count, total) for end, count in ways.items()}
    line = _("±8 means a Major Burn, after which the Scale returns to 0. It also returns to 0 when two Burns fire.")
    chart = shown.chart(_("The Scale after the roll"), _("Scale"), chances, look=shown.by_sign, name=signed)
    return Section("after", _("Where it ends up"), (line,), charts=(chart,))


def _next_major(state: State, share: Share) -> Section:
    rows = []
    for policy, words in POLICIES.items():
        chances = next_major(state, [share], policy)
        grace = _("never") if chances.grace is None else f"{shown.decimal(100 * chances.grace)} %"
        rolls = _("never") if chances.rolls is None else shown.decimal(chances.rolls)
        rows.append(Row(str(words), (Cell(grace), Cell(rolls))))
    head = (Cell(_("Grace")), Cell(_("Average rolls")))
    line = _("How often it’s Grace, and how many rolls it takes, if the table keeps making this roll.")
    table = Table(_("By what you do with Burns"), _("If"), head, tuple(rows))
    return Section("major", _("The next Major Burn"), (line,), tables=(table,))


def _from_everywhere(odds: Shifts, settings: dict[str, Any]) -> Section:
    chances = {stand: _events(crossing(odds, _state(stand, settings["banked"]))) for stand in STANDS}
    events = [event for event in chances[0] if event != "none" and any(row[event] for row in chances.values())]
    table = shown.grid(
        _("What this roll sets off, in percent"),
        _("Scale"),
        events,
        STANDS,
        lambda event, stand: chances[stand][event],
        chosen=(None, settings["scale"]),
        link=lambda event, stand: shown.address(settings, scale=stand),
        names=(lambda event: str(EVENTS[event][1]), signed),
    )
    return Section("everywhere", _("The same roll from every position"), tables=(table,))


class ScaleOddsPage(OddsPage):
    name = gettext_lazy("The Scale")
    summary = gettext_lazy(
        "What a roll can set off, where the Scale ends up, how long until the next Major Burn, and whether it’s Grace."
    )
    examples = (
        (gettext_lazy("Five dice from 0"), "?scale=0&dice=5&difficulty=6"),
        (gettext_lazy("Near the edge, with Trouble banked"), "?scale=-6&banked=trouble&dice=6&difficulty=7"),
    )
    form = ScaleOdds

    def sections(self, scale: int, banked: str, dice: int, difficulty: int) -> tuple[Section, ...]:
        """Return the page's sections for a Scale of -7 to 7, "grace", "trouble" or "" in the bank, and 1 to 100 dice."""
        odds = _shifts(dice, difficulty)
        state = _state(scale, banked)
        settings = {"scale": scale, "banked": banked, "dice": dice, "difficulty": difficulty}
        return (
            _one_roll(
                odds,
                state,
                _("{dice} at difficulty {difficulty}").format(dice=shown.dice(dice), difficulty=difficulty),
                mean(odds),
            ),
            _afterwards(odds, state),
            _next_major(state, Share.of(1, odds)),
            _from_everywhere(odds, settings),
        )


class TheScale(Rules):
    name = NAME
    label = gettext_lazy("The Scale")
    short = gettext_lazy("Scale")
    primer = gettext_lazy(
        "The gauge at the top shows which way the story leans. Every action roll moves it by its dice: up towards Grace, down "
        "towards Trouble. At 3 either way you’re offered a Burn, to use now or bank; at 8 a Major Burn stops the room and turns "
        "the story."
    )
    settings = SettingsGroup(kind=Settings, words=WORDS, help=HELP)
    odds = ScaleOddsPage()
    guide_tables = TABLES
    styles = ("scale/pages/scale.css",)
    topics = TOPICS
    outcomes = OUTCOMES
    dice_events = {MAJOR_BURN: "burn", ORACLE_MARKED: ""}

    @property
    def guide(self) -> Path:
        return Path(scale.__path__[0]) / "guide.toml"

    def takes_part(self, names: Sequence[str], decided: Mapping[str, Any]) -> bool:
        return joins(names, decided)

    def waiting(self, viewer: Viewer) -> Iterable[Pending]:
        return waiting(viewer)

    def players_changed(self, work: UnitOfWork) -> None:
        tell_anew(work)

    def guide_example(self, *args: Any, **asked: Any) -> Example:
        return example(**asked)


THE_SCALE = TheScale()
