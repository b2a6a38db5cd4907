"""Two tables that differ in nothing but unknown scores, and the SOM of NPCs, are the same to players while an event goes by
turns: its order, its dice, its Reaction checks and all that is told of them."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from characters.services.fields import set_field
from rolls.models import Procedure
from rolls.services.procedures import act, open_procedure, take_back_step
from rolls.services.rolls import make_roll
from rules.acts import ActKey
from rulesets.arc.procedures.tracker import Tracker
from rulesets.arc.terms import ArcInput
from tests.cast import Cast
from tests.rolls.steps import newest_step
from tests.rulesets.arc.procedures.events import line, those
from tests.rulesets.arc.table.test_twin import Evening, answered_alike
from tests.sheets import rewrite

LIKE, UNLIKE = {"silas": 1, "vesper": 1}, {"silas": 7, "vesper": 6}
SOM = {"vesper": 3, "cat": 9, "falls by": -1}
OTHER_SOM = {"vesper": 2, "cat": 10, "falls by": -2}
"""Neither makes another order, nor another result of the dice of this evening; the highest there is rolls as well."""
DECLARED = {"actions": 1, "skills": [], "against": [], "moves": 2}


class Turns(Evening):
    """Silas (SOM 6) and Vesper, with the same known scores; two dogs that are equal; a turn, and a half."""

    def __init__(self, cast: Cast, unknown: dict[str, int], som: dict[str, int]) -> None:
        super().__init__(cast, unknown)
        self.som = som
        rewrite(self.vesper, sheet=self.vesper.sheet | {"som": som["vesper"]})

    def happens(self) -> dict[str, list[Any]]:
        given = those(self.silas, self.vesper, lines=[line("Dog", many=2, som=4)], Vesper="ambushed") | {"apart": False}
        event = self.do(
            lambda key: open_procedure(self.gm, "arc", "tracker", given, reason="the gate", key=key), 4, 9, 2
        )
        self._first_turn(event)
        self.press(self.gm, event, "react", whom=["1"], occasion="cornered")
        request = event.requests.get(part="check3", closed_at=None)
        ask = ArcInput(kind="reaction", character=self.silas.pk, request=request.pk)
        made = self.do(lambda key: make_roll(self.mo, ask, audience="table", key=key), 2)
        self.silas.refresh_from_db()
        self.do(lambda key: set_field(self.mo, self.silas, "som", 4, expected=5, key=key), 8)
        self.press(self.gm, event, "change", "2", to="surprised", before="")
        self.do(lambda key: take_back_step(self.gm, event.pk, step=newest_step(event), key=key))
        self._second_turn(event)
        return {"character_id": [self.silas.pk, self.vesper.pk], "roll_id": [made.pk], "uid": [made.event.uid]} | {
            "system": ["arc"]
        }

    def _first_turn(self, event: Procedure) -> None:
        """Play the first turn: Vesper, who held a check, then the dogs, then Silas, whose SOM falls at the end of the turn."""
        for by, key in ((self.gm, "2"), (self.gm, "3"), (self.gm, "4"), (self.mo, "1")):
            self.press(by, event, "declare", key, words=f"does {key}", **DECLARED)
            self.press(by, event, "done", key)
        self.press(self.gm, event, "outcome", words="a fright", whom="1", som=-1, becomes="")
        self.press(self.gm, event, "turn")

    def _second_turn(self, event: Procedure) -> None:
        """Play the second turn: somebody holds, comes in and is done at once; a newcomer ambushes; some fall, die and
        leave, others check for it or do not; the surprised go on; the turn ends.
        """
        self.press(self.gm, event, "hold", "2")
        self.press(self.gm, event, "come_in", "2")
        self.press(self.gm, event, "declare", "2", words="comes in", **DECLARED | {"against": ["1"]}, done=True)
        come = {
            "takes_part": [],
            "allies": [],
            "lines": [line("Cat", som=self.som["cat"]), line("Owl", how="surprised")],
        }
        self.press(self.gm, event, "join", **come, ambush="party")
        self.press(self.gm, event, "check", "ambushed")
        self.press(self.gm, event, "waive", "1")
        self.press(self.gm, event, "go_on", "6", words="hoots on", **DECLARED)
        self.press(self.gm, event, "change", "3", to="dead", before="")
        self.press(self.gm, event, "no_check", "first_falls")
        self.press(self.gm, event, "change", "4", to="leaves", before="")
        self.press(self.gm, event, "change", "5", to="moves", before="1")
        self.press(self.gm, event, "change", "2", to="unconscious", before="")
        self.press(self.gm, event, "change", "2", to="dead", before="")
        while current := Tracker.model_validate(Procedure.objects.get(pk=event.pk).state).current:
            self.press(self.gm, event, "skip", current.key)
        self.press(self.gm, event, "outcome", words="", whom="5", som=self.som["falls by"], becomes="")
        self.press(self.gm, event, "turn")
        self.press(self.gm, event, "change", "6", to="dead", before="")
        self.press(self.gm, event, "check", "half_dead")

    def press(self, by: Any, procedure: Procedure, step: str, key: str = "", /, **given: Any) -> None:
        self.do(lambda once: act(by, procedure.pk, ActKey(step, key), given=given, key=once), 5, 6)


@pytest.mark.only_on("sqlite")  # PostgreSQL's sequences go on counting when something is taken back.
@pytest.mark.django_db
def test_nothing_that_players_are_answered_tells_of_a_us_or_of_the_som_of_an_npc(monkeypatch, settings):
    evenings = [partial(Turns, unknown=us, som=som) for us, som in ((LIKE, SOM), (UNLIKE, OTHER_SOM))]
    for table in map(bytes.decode, answered_alike(monkeypatch, settings, evenings, "character", 1)):
        assert "Turn 3" in table and "Reaction check (more than half of the allies die)" in table
