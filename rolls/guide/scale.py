"""Tables and worked rolls of the guide to the Scale, drawn from its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Final, cast

from django.utils.translation import gettext as _

from campaigns.text import signed
from languages.text import gettext_lazy
from rolls.guide.content import Die, Example, Table
from rolls.ruleset import Ruleset
from rules.tally import read
from scale.counting import RULESETS
from scale.rules import oracles
from scale.rules.scale import DOWN_TO, EFFECT_CHOSEN_BY, UP_FROM, BurnKind, Effect, Side, tally


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


def scale_faces() -> Table:
    rows = (
        (_("{first} to {last}").format(first=1, last=DOWN_TO), _("−1, unless a 1 cancelled a success")),
        (_("{first} to {last}").format(first=DOWN_TO + 1, last=UP_FROM - 1), "0"),
        (_("{first} to {last}").format(first=UP_FROM, last=10), "+1"),
    )
    return Table(_("What each face gives the Scale"), (_("Face"), _("Gives")), rows)


def scale_effects() -> Table:
    who = {Side.PLAYER: _("the player"), Side.GM: _("the GM")}
    what = {
        BurnKind.GRACE: (_("+1 die"), _("a free activation"), _("+1 with an NPC")),
        BurnKind.TROUBLE: (_("−1 die"), _("a complication"), _("−1 with an NPC")),
    }
    rows = tuple((kind.label, who[EFFECT_CHOSEN_BY[kind]], *what[kind]) for kind in BurnKind)
    return Table(
        _("Effects of a Burn (choose one)"), (_("Burn"), _("Chosen by"), _("Die"), _("Discipline"), _("NPC")), rows
    )


COMPLICATIONS: Final = {
    Effect.MISFIRE: gettext_lazy("Misfire"),
    Effect.EXTRA_BLOOD: gettext_lazy("Extra blood"),
    Effect.ATTENTION: gettext_lazy("Unwanted attention"),
}


def scale_complications() -> Table:
    return Table(_("Complications"), (_("Complication"),), tuple((str(words),) for words in COMPLICATIONS.values()))


def oracle_reason() -> Table:
    return Table(_("Reason Oracle"), ("d10", _("The new story grows from")), _faces(oracles.REASON))


def oracle_figures() -> Table:
    rows = tuple(
        (f"{_(title)} ({kind.label})", str(does))
        for kind, results in oracles.FIGURES.items()
        for title, does in results.items()
    )
    return Table(_("What a result does"), (_("Result"), _("In a Major Burn")), rows)


def oracle_grace() -> Table:
    return _oracle(_("Grace Oracle"), oracles.GRACE, oracles.GRACE_SHIFT)


def oracle_trouble() -> Table:
    return _oracle(_("Trouble Oracle"), oracles.TROUBLE, oracles.TROUBLE_SHIFT)


def _oracle(caption: str, first: oracles.Table, second: oracles.Table) -> Table:
    rows = tuple((*row, "") for row in _faces(first))
    # The second results continue the row of the Shift, on which alone they are rolled.
    after = "; ".join(f"{face} {title}" for face, title in _faces(second))
    return Table(caption, ("d10", _("Result"), _("Second d10")), (*rows[:-1], (*rows[-1][:2], after)))


def _faces(entries: oracles.Table) -> tuple[tuple[str, str], ...]:
    """Return neighbouring faces of one title in one row: ("6–7", "Threat")."""
    rows = []
    for title, group in groupby(enumerate(entries, start=1), key=lambda entry: entry[1].title):
        faces = [face for face, entry in group]
        rows.append((f"{faces[0]}–{faces[-1]}" if len(faces) > 1 else str(faces[0]), _(title)))
    return tuple(rows)


TABLES: Final[Mapping[str, Callable[[], Table]]] = {
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
