"""A crew and two scoundrels at the table of `play`, and steps of what they settle together in one line each."""

from __future__ import annotations

from uuid import uuid4

from campaigns.models import Clock
from characters.models import Character
from rolls.models import Procedure
from rolls.queries.procedures import open_procedures
from rolls.services.procedures import act, open_procedure
from rules.acts import ActKey
from tests import dice
from tests.cast import seat_at
from tests.rulesets.forged.table.forged import scoundrel
from tests.sheets import create_character

SCORE = {
    "take": "standard",
    "extra": 0,
    "target": 2,
    "exposure": "loud",
    "prominent": False,
    "hostile_turf": False,
    "killing": False,
    "war": False,
}
ACTIVITY = {
    "action": "prowl",
    "clock": None,
    "project": "",
    "thing": "",
    "segments": 8,
    "healer": "",
    "track": "",
    "friend": False,
    "push": False,
}


class Crew:
    """Cross is Mo's (Prowess 3, resolve 1, insight 0; 3 stress, 2 coin), Nyx the other player's; The Wick is their crew."""

    def __init__(self, play, **sheet: int) -> None:
        self.play = play
        self.cross = scoundrel(play, "Cross", coin=2)
        self.nyx = scoundrel(play, "Nyx", play.other, stress=5, tinker=2, coin=1)
        standing = {"tier": 1, "rep": 3, "coin": 1, "heat": 2, "wanted": 1} | sheet
        self.crew = create_character(
            campaign=play.campaign, name="The Wick", system="forged", is_crew=True, sheet=standing
        )

    def number(self, who: Character, address: str) -> int:
        return Character.objects.get(pk=who.pk).number(address)

    def numbers(self, who: Character, *addresses: str) -> tuple[int, ...]:
        return tuple(self.number(who, address) for address in addresses)

    def begin(self, kind="downtime", **given) -> Procedure:
        return open_procedure(self.play.gm, "forged", kind, given, key=uuid4())

    def after_score(self, *faces: int, **given) -> Procedure:
        """Begin a downtime after a score, which is recorded, with these dice for the entanglement."""
        begun = self.begin(**SCORE | given)
        if given.get("take", "standard"):
            self.press(self.play.gm, begun, "write", faces=faces)
        return begun

    def quiet(self, **given) -> Procedure:
        """Begin a downtime without a score before it."""
        return self.begin(**SCORE | {"take": ""} | given)

    def press(self, by, procedure, step, whose="", /, *, faces=(), whom="", key=None, **given) -> Procedure:
        """Take a step for the character with this name, and what else it is for, or for `whom`, in the current state."""
        dice.unload()
        dice.load(*faces)
        name, *more = whose.split(".")
        whom = whom or ".".join([*(str(one.pk) for one in (self.cross, self.nyx) if one.name == name), *more])
        return act(by, procedure.pk, ActKey(step, whom), given=given, key=key or uuid4())

    def take(self, by, procedure, whose, kind, /, *faces, **given) -> Procedure:
        return self.press(by, procedure, "take_activity", whose, faces=faces, **ACTIVITY | {"kind": kind} | given)

    def shown(self, procedure: Procedure, who=None) -> dict:
        for one in open_procedures(seat_at(who or self.play.gm)):
            if one["id"] == str(procedure.pk):
                return one
        return {}

    def row(self, procedure, name, who=None) -> dict:
        """Return a person's row on the stage."""
        return next(row for row in self.shown(procedure, who)["staged"]["rows"] if row["whose"] == name)

    def standing(self, procedure, *names) -> list[str]:
        return [self.row(procedure, name)["detail"] for name in names]

    def entanglements(self, procedure) -> list[dict]:
        return [row for row in self.shown(procedure)["staged"]["rows"] if row["whose"] == "Entanglement"]

    def waits(self, procedure) -> list[tuple[str, str]]:
        return [(one["name"], one["words"]) for one in self.shown(procedure)["waits"]]

    def said(self) -> str:
        told = [event for event in self.play.events() if event.kind.startswith("rolls.procedure")]
        return [event.described["said"] for event in told if event.described["said"]][-1]

    def clock(self, name="The forger", segments=6, **more) -> Clock:
        given = {"kind": "project", "order": 1000} | more
        return Clock.objects.create(campaign=self.play.campaign, name=name, segments=segments, **given)
