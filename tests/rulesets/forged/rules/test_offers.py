"""What lies on the table beside actions and downtimes offers nothing that is refused: loads, engagements, traumas,
set-ups (actions: test_staged_action.py, downtimes: test_downtime_acts.py)."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from rules.acts import Actor
from rules.errors import BlockedByState
from rules.procedures import ProcedureRules, SheetSnapshot, Snapshot
from rulesets.forged.rules import action_follows
from rulesets.forged.settings import Settings
from tests.rolls.acts import take

WHO = [Actor(is_gm=True), *(Actor(characters=frozenset(those)) for those in ("a", "b", "ab", ""))]
SETTINGS = [Settings(), Settings(boxes=3, filling_stress_counts=False)]


def seen(data: DataObject, **sheets: dict[str, Any]) -> Snapshot:
    """Return a snapshot of these characters, some of whom may have left play."""
    there = data.draw(st.sets(st.sampled_from(sorted(sheets))))
    known = {one: SheetSnapshot(name=one, system="forged", values=sheets[one]) for one in there}
    return Snapshot(sheets=known, settings=data.draw(st.sampled_from(SETTINGS)))


def all_go(rules: ProcedureRules[Any], state: Any, by: Snapshot, forms: Any = None) -> None:
    """Check that no offer to anyone is refused. What a state forbids is offered to GMs alone."""
    for who in WHO:
        for offer in rules.available(state, who):
            for values in forms(offer) if forms else [{}]:
                try:
                    take(rules, state, who, offer.name, offer.target, values=values, seen=by)
                except BlockedByState:
                    assert who.is_gm


@given(gone=st.booleans())
def test_set_ups_offer_what_goes(gone: bool) -> None:
    all_go(
        action_follows.CarriedRules(),
        action_follows.Carried(character="a", name="a", gives="effect", gone=gone),
        Snapshot(),
    )
