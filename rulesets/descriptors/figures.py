"""Figures of a Descriptors sheet: Advances, the Power track, and the meaning of its changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaigns.models import Campaign
from campaigns.text import signed
from characters.figures import Figure, Figures, State, States
from characters.sheets.sheet import STATE, Values
from rulesets.descriptors.rules.keys import XP_PER_ADVANCE
from rulesets.descriptors.sheet import SHEET, power_box, track


class DescriptorsFigures(Figures):
    def derive(self, values: Values, campaign: Campaign) -> list[Figure]:
        """Return how they are, Advances that can be spent, XP towards the next (descriptors.txt, "Every 5 XP is an Advance"),
        and boxes crossed off.
        """
        xp = SHEET.number(values, "xp")
        earned, towards = divmod(xp, XP_PER_ADVANCE)
        power = track(values)
        return [
            Figure(STATE, (_is_out(values), len(SHEET.rows(values, "injuries")))),
            Figure("power", (len(power.crossed), power.boxes)),
            Figure("advances", (earned - SHEET.number(values, "advances_spent"),)),
            Figure("towards", (towards,)),
        ]

    def words(self, figure: Figure) -> tuple[str, str]:
        number = int(figure.values[0])
        if figure.name == STATE:
            out, injuries = figure.values
            if out:
                return "", _("Out of the scene")
            hurt = ngettext("{count} Injury", "{count} Injuries", int(injuries)).format(count=injuries)
            return "", hurt if injuries else _("Unhurt")
        if figure.name == "power":
            words = _("{count} of {boxes} crossed off").format(count=number, boxes=figure.values[1])
            return pgettext("descriptors", "Power"), words
        if figure.name == "advances":
            return _("Advances to spend"), signed(number) if number < 0 else str(number)
        return _("Towards the next"), _("{count} of {most} XP").format(count=number, most=XP_PER_ADVANCE)

    def bar(self, figure: Figure) -> tuple[str, int, int]:
        """Return the crossed boxes of the Power track, out of those there are."""
        if figure.name != "power":
            return "", 0, 0
        crossed, boxes = map(int, figure.values)
        return f"{pgettext('descriptors', 'Power')} {crossed}/{boxes}", crossed, boxes


def _refreshed(before: Values, after: Values) -> State | None:
    """Return the state after a Refreshment Scene, which frees the track and fills Will; one value alone is no more than a
    correction."""
    was, now = track(before), track(after)
    start, will = SHEET.number(after, "start_will"), SHEET.number(after, "will")
    filled, returned = SHEET.number(before, "will") < start <= will, _is_out(before) and not _is_out(after)
    if filled + returned + len(was.crossed) < 2 or will < start or now.crossed or _is_out(after):
        return None
    return State("refreshed", (will,), ("will", "out_of_scene", *map(power_box, was.crossed)))


def _crossed(before: Values, after: Values) -> Iterator[State]:
    boxes = sorted(track(after).crossed - track(before).crossed)
    # A box that was crossed all along and is one of the track again was not crossed off now.
    boxes = [box for box in boxes if not SHEET.value(before, power_box(box))]
    if boxes:
        yield State("crossed", tuple(boxes), tuple(map(power_box, boxes)))


def _injured(before: Values, after: Values) -> Iterator[State]:
    known_ids = {row["id"] for row in SHEET.rows(before, "injuries")}
    for row in SHEET.rows(after, "injuries"):
        if row["id"] not in known_ids:
            yield State("injured", (row["name"], row["dice"]), ("injuries",))


def _out(before: Values, after: Values) -> Iterator[State]:
    if _is_out(after) and not _is_out(before):
        spent = SHEET.number(after, "will") == 0
        yield State("out_of_scene", (spent,), ("out_of_scene",))
    elif _is_out(before) and not _is_out(after):
        yield State("back", (), ("out_of_scene",))


def _is_out(values: Values) -> bool:
    return bool(SHEET.value(values, "out_of_scene"))


class DescriptorsStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        if refreshed := _refreshed(before, after):
            return [refreshed]
        return [*_crossed(before, after), *_injured(before, after), *_out(before, after)]

    def words(self, state: State) -> str:
        if state.code == "refreshed":
            return _("is refreshed: Will {will}, Power track clear").format(will=state.values[0])
        if state.code == "crossed":
            boxes = ", ".join(map(str, state.values))
            words = ngettext("crosses off Power box {boxes}", "crosses off Power boxes {boxes}", len(state.values))
            return words.format(boxes=boxes)
        if state.code == "injured":
            name, dice = state.values
            return _("takes an Injury: {name}, {dice}D").format(name=name, dice=dice)
        if state.code == "back":
            return _("is back in the scene")
        return _("is out of the scene, with no Will left") if state.values[0] else _("is out of the scene")
