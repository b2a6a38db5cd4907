"""A downtime by random steps of random people: numbers stay in their ranges, no activity is lost or taken twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from characters.sheets.steps import Add, Put, Shift, Take
from rules.acts import ActKey, Actor, AvailableAct, target_key
from rules.checked import restored, stored
from rules.effects import NewClock, Tick, Write
from rules.errors import RuleError
from rules.procedures import Answer, SheetSnapshot, Snapshot
from rulesets.forged.procedures.downtime_forms import reads, shown
from rulesets.forged.rules import downtime_acts as acts
from rulesets.forged.rules.downtime import Crew, Downtime, Score
from rulesets.forged.rules.downtime_acts import due, fell, voided
from rulesets.forged.rules.roll import Pool, resolve
from tests.rolls.acts import take
from tests.uids import uid

MOST = {
    "stress": 9,
    "coin": 16,
    "rep": 12,
    "heat": 9,
    "wanted": 4,
    "insight_xp": 6,
    "prowess_xp": 6,
    "resolve_xp": 6,
    "playbook_xp": 8,
}
PEOPLE = CROSS, NYX = uid("cross"), uid("nyx")
CREW, CLOCK = uid("crew"), uid("clock")
DOWNTIME = acts.DowntimeRules()
FORM = {
    "action": "prowl",
    "clock": CLOCK,
    "name": "A way in",
    "segments": 0,
    "healer": "",
    "track": "insight_xp",
    "friend": False,
    "push": False,
    "coin": 1,
    "paid_from": "coin",
    "who": "",
}


ASKS = (acts.TAKE, acts.BETTER, acts.PRISON)
"""Steps with a form, which may say what cannot be."""


class Table:
    """Sheets as they would be written, and a clock."""

    def __init__(self, sheets: dict[str, dict[str, Any]]) -> None:
        self.sheets, self.rows, self.ticks = sheets, 0, 0

    def seen(self) -> Snapshot:
        return Snapshot(
            sheets={one: SheetSnapshot(name=one.title(), system="forged", values=v) for one, v in self.sheets.items()},
            clocks=frozenset({CLOCK}),
            full_clocks=frozenset({CLOCK}) if self.ticks > 6 else frozenset(),
        )

    def do(self, effects: Any) -> None:
        for effect in effects:
            match effect:
                case Write(character=who, steps=steps):
                    for step in steps:
                        self._write(self.sheets[who], step)
                case Tick(ticks=ticks):
                    assert ticks > 0
                    self.ticks += ticks
                case NewClock(segments=segments):
                    assert 2 <= segments <= 12

    def _write(self, sheet: dict[str, Any], step: Any) -> None:
        match step:
            case Shift(address=address, by=by):
                sheet[address] = max(0, min(MOST[address], sheet.get(address, 0) + by))
            case Put(address=address, to=to):
                sheet[address] = to
            case Add(rows=rows, given=given):
                self.rows += 1
                sheet.setdefault(rows, []).append({"id": f"{self.rows:x}", "at": 1, **given})
                assert not rows.startswith("harm") or len(sheet[rows]) <= 2
            case Take(rows=rows, row_id=row):
                assert row in [one["id"] for one in sheet[rows]]
                sheet[rows] = [one for one in sheet[rows] if one["id"] != row]


def begun(draw: st.DataObject, table: Table) -> Downtime:
    score = Score(rep=draw.draw(st.integers(0, 8)), coin=2, heat=draw.draw(st.integers(0, 11)))
    given = {
        "those": [{"name": one.title(), "character": one} for one in PEOPLE],
        "crew": Crew(id=CREW, name="Crew"),
        "score": draw.draw(st.sampled_from([None, score])),
        "war": draw.draw(st.booleans()),
        "boxes": 9,
        "filling_counts": True,
    }
    return reads(DOWNTIME.start(given), table.seen())


def roll_what_is_due(draw: st.DataObject, table: Table, state: Downtime) -> Downtime:
    while one := due(state):
        pool = Pool(one.trait + one.bonus)
        faces = draw.draw(st.lists(st.integers(1, 6), min_size=pool.rolled, max_size=pool.rolled))
        fallen = resolve(pool, iter(faces))
        dice = [{"face": die.face, "role": die.role.value} for die in fallen.dice]
        outcome = {"result": fallen.result.name.lower(), "dice": dice}
        before = {x.key: (state.left(x), len(x.taken)) for x in state.those}
        back = voided(state, one.part)
        assert due(back) is None or due(back) != one
        after = fell(
            state, Answer(part=one.part, outcome=outcome, terms={"settles": one.settles, "keeps": dict(one.keeps)})
        )
        table.do(after.effects)
        state = reads(after.state, table.seen())
        taken = sum(len(x.taken) - before[x.key][1] for x in state.those)
        assert taken == (one.character is not None)
    return state


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_nothing_leaves_its_range_and_no_activity_is_lost_or_taken_twice(draw: st.DataObject) -> None:
    harm = {"harm_2": [{"id": "ab", "at": 1, "name": "Cut"}], "harm_3": [{"id": "ac", "at": 1, "name": "Shot"}]}
    sheets: dict[str, dict[str, Any]] = {
        CROSS: {"stress": draw.draw(st.integers(0, 9)), "coin": 2, "prowl": 2, "trauma_cold": True, **harm},
        NYX: {"stress": draw.draw(st.integers(0, 9)), "tinker": 3, "healing": draw.draw(st.integers(0, 4))},
        CREW: {name: draw.draw(st.integers(0, MOST[name])) for name in ("heat", "wanted", "coin", "rep")} | {"tier": 2},
    }
    table = Table(sheets)
    state = begun(draw, table)
    for _ in range(draw.draw(st.integers(1, 25))):
        who = draw.draw(st.sampled_from([Actor(is_gm=True), *(Actor(characters=frozenset([one])) for one in PEOPLE)]))
        offers = DOWNTIME.available(state, who)
        if not offers:
            continue
        offer = draw.draw(st.sampled_from(list(offers)))
        kind = draw.draw(st.sampled_from(["project", "recover", "heat", "acquire", "train", "vice"]))
        values = FORM | {"what": kind, "push": draw.draw(st.booleans()), "coin": draw.draw(st.integers(-1, 5))}
        values |= {"track": draw.draw(st.sampled_from(["insight_xp", "playbook_xp"]))}
        left = {one.key: state.left(one) for one in state.those}
        try:
            after = take(DOWNTIME, state, who, offer.name, offer.target, values=values)
        except RuleError as error:
            assert error.message.endswith(".")
            assert offer.name in ASKS, "what is offered is not refused, but for what a form says"
            assert offer.name != acts.BETTER or some_coin_goes(state, who, offer)
            continue
        table.do(after.effects)
        state = roll_what_is_due(draw, table, reads(after.state, table.seen()))
        check(state, table)
        for one in state.those:
            gained = state.left(one) - left[one.key]
            assert gained in ((0, 1) if offer.name.startswith("buy_") else (0, -1)) or one.done or one.away
        if offer.name in acts.THEIR_OWN:
            assert refused(state, who, offer, values)
    assert restored(Downtime, stored(state)) == state


def some_coin_goes(state: Downtime, who: Actor, offer: AvailableAct) -> bool:
    given = [FORM | {"coin": coin, "paid_from": source} for coin in (1, 2) for source in ("coin", "crew")]
    return not all(refused(state, who, offer, values) for values in given)


def check(state: Downtime, table: Table) -> None:
    for sheet in table.sheets.values():
        for name, most in MOST.items():
            assert 0 <= sheet.get(name, 0) <= most
    assert state.stage is not acts.DowntimeStage.SCORE
    told = shown(state)
    assert not any(one.sheet for one in told.those)
    for who in PEOPLE:
        assert DOWNTIME.available(told, Actor(characters=frozenset([who]))) == DOWNTIME.available(
            state, Actor(characters=frozenset([who]))
        )
    for one in state.those:
        assert one.plan is None and len(one.taken) <= state.free + one.bought


def refused(state: Downtime, who: Actor, offer: AvailableAct, values: dict[str, Any]) -> bool:
    """Return whether the same step is refused a second time."""
    try:
        take(DOWNTIME, state, who, offer.name, offer.target, values=values)
    except RuleError:
        return True
    return False


def test_heat_after_a_score_never_stays_at_nine() -> None:
    table = Table({CROSS: {}, NYX: {}, CREW: {"heat": 3, "wanted": 4}})
    given = {"those": [{"name": "Cross", "character": CROSS}], "crew": Crew(id=CREW, name="Crew"), "war": False}
    given |= {"score": Score(rep=0, coin=2, heat=6), "boxes": 9, "filling_counts": True}
    state = reads(DOWNTIME.start(given), table.seen())
    after = take(DOWNTIME, state, Actor(is_gm=True), acts.WRITE)
    table.do(after.effects)
    assert (table.sheets[CREW]["heat"], table.sheets[CREW]["wanted"]) == (0, 4)


def alone(table: Table) -> Downtime:
    """Return a downtime of Cross, without a crew and without a score before it."""
    given = {"those": [{"name": "Cross", "character": CROSS}], "crew": None, "score": None, "war": False}
    return reads(DOWNTIME.start(given | {"boxes": 9, "filling_counts": True}), table.seen())


def test_of_two_entanglements_the_second_comes_after_the_first() -> None:
    table = Table({CROSS: {}, CREW: {"wanted": 1}})
    state = reads(replace(alone(table), crew=Crew(id=CREW, name="Crew"), entangle=2), table.seen())
    asked = due(state)
    terms = {"settles": asked.settles, "keeps": dict(asked.keeps)}
    after = fell(state, Answer(part=asked.part, outcome={"result": "full", "dice": []}, terms=terms)).state
    assert (after.entangle, len(after.troubles)) == (1, 1)


def test_whoever_has_neither_crew_nor_healer_recovers_without_a_die() -> None:
    state = alone(Table({CROSS: {"harm_1": [{"id": "ab", "at": 1, "name": "Cut"}]}}))
    after = take(DOWNTIME, state, Actor(is_gm=True), acts.TAKE, ("1", 0), values=FORM | {"what": "recover"}).state
    assert due(after).trait == 0


def test_why_a_step_is_not_there_is_said_to_its_owner_alone() -> None:
    state = alone(Table({CROSS: {}}))
    step = ActKey(acts.BUY_COIN, target_key(state.those[0].target))
    owner, other = (Actor(characters=frozenset([one])) for one in PEOPLE)
    assert "has an activity left" in DOWNTIME.why_not(state, owner, step)
    assert DOWNTIME.why_not(state, other, step) == ""
