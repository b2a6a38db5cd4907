"""Plays “The Salt Signal”: Descriptors, VI-VIII-X and Forged in the Dark at one table, as far as its first open scene."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from campaigns.clocks import ClockKind
from campaigns.models import Campaign, Membership
from campaigns.models.clocks import ClockVisibility
from campaigns.services import play
from campaigns.services.clocks import Draft, make_clock, tick_clock
from characters.services.cards import Card, make_character, say_as
from characters.services.fields import add_row
from config.demo.stage import Stage
from rolls import table_rules as base
from rolls.models import Audience, Procedure, Roll
from rolls.services.procedures import act, close_procedure, open_procedure
from rolls.services.requests import Call, ask_for_roll
from rolls.services.rolls import make_roll
from rules.acts import ActKey
from rulesets.arc import terms as arc
from rulesets.descriptors import terms as descriptors
from rulesets.forged import terms as forged
from rulesets.forged.rules.action import Attribute, Effect, Position

# The story of “The Salt Signal”, in words of our own: one campaign by three sets of rules.


NAME = "The Salt Signal"
SLUG = "the-salt-signal"
PITCH = (
    "Every night at four a lighthouse that nobody lit answers ships that are not there. A smuggler, a captain on leave and an "
    "engineer have a boat, a debt each, and until the spring tide."
)
SYSTEMS = ["descriptors", "arc", "forged"]


class Sitter(NamedTuple):
    """A character: its rules, who plays it (None: the GM), its fields, and its rows by list. `crew`: it is a crew."""

    name: str
    concept: str
    system: str
    player: str | None
    fields: dict[str, Any]
    rows: dict[str, list[dict[str, Any]]]
    crew: bool = False


ADA = Sitter(
    "Ada Finch",
    "Smuggler with a conscience she denies",
    "forged",
    "mo",
    {"playbook": "Runner", "vice": "Gambling", "prowl": 2, "finesse": 2, "sway": 1, "survey": 1, "wreck": 1}
    | {"stress": 2, "load": "normal", "coin": 2, "armor_boxes": 1},
    {
        "abilities": [{"name": "Knows every tide", "words": "On open water her position is one step better."}],
        "items": [
            {"name": "Oilskin", "load": 1, "carried": True},
            {"name": "Dark lantern", "load": 1, "carried": True},
        ],
        "harm_1": [{"name": "Rope burn"}],
    },
)
ILSE = Sitter(
    "Captain Ilse Brandt",
    "On leave, and not by her own wish",
    "descriptors",
    "iva",
    {"will": 7},
    {
        "descriptors": [
            {"name": "Gives orders", "dice": 3, "category": "Abilities"},
            {"name": "Sabre and pistol", "dice": 3, "category": "Abilities"},
            {"name": "Never left a crew behind", "dice": 2, "category": "Values"},
            {"name": "Her brother keeps the light", "dice": 2, "category": "Relationships"},
            {"name": "A coat with brass buttons", "dice": 1, "category": "Equipment"},
        ],
        "background": [{"name": "Raised on a customs cutter"}],
        "keys": [{"name": "The empty berth", "words": "Somebody from her last crew is named."}],
    },
)
JUN = Sitter(
    "Jun Okafor",
    "Engineer of things that should not run",
    "arc",
    "tess",
    {"build": 4, "control": 6, "intellect": 8, "empathy": 5, "som": 6},
    {
        "skills": [
            {"name": "Engines", "es": 7, "stat": "intellect"},
            {"name": "Signals", "es": 5, "stat": "intellect"},
            {"name": "Climb", "es": 3, "stat": "control"},
            {"name": "Perception", "es": 4, "stat": "empathy"},
        ],
        "carried": [{"name": "Toolbox", "weight": "6.5"}, {"name": "Sea boots", "weight": "1.8", "worn": True}],
    },
)
KEEPER = Sitter(
    "Anton Brandt",
    "Keeps a light that burns without him",
    "descriptors",
    None,
    {"will": 9},
    {"descriptors": [{"name": "Bars the stair", "dice": 3}, {"name": "Afraid of the lamp", "dice": 2}]},
)
WATCH = Sitter(
    "Harbour watch",
    "Two men and a lamp on a pole",
    "arc",
    None,
    {"build": 6, "control": 4, "empathy": 4},
    {"skills": [{"name": "Notice", "es": 4, "stat": "empathy"}]},
)
CREW = Sitter(
    "The Low Lantern",
    "A boat, a boathouse, and what is hidden under it",
    "forged",
    None,
    {"crew_type": "Smugglers", "reputation": "Quiet", "tier": 1, "rep": 4, "heat": 3, "coin": 4},
    {"cohorts": [{"name": "The dockhands", "quality": 1}]},
    crew=True,
)
SITTERS = [ADA, ILSE, JUN, KEEPER, WATCH, CREW]

UNKNOWN = {JUN.name: {"us_intellect": 5, "us_control": 4, "us_empathy": 2}, WATCH.name: {"us_empathy": 3}}
"""Fields that only the GM knows."""

CLOCKS = [("The light comes closer", "danger", 8, "visible", 3), ("Spring tide", "mission", 6, "visible", 2)]

LINE = {"action": "finesse"}
LINE_SET = {
    "position": "desperate",
    "base": "great",
    "potency": 0,
    "quality": 0,
    "scale": 0,
    "why": "the lamp is turning",
}
"""The terms of Ada's action at the lamp, set by the GM."""


class Signal(Stage):
    """The campaign while it is made."""

    def __init__(self, now: datetime) -> None:
        super().__init__(SLUG, now - timedelta(hours=1))

    def make(self) -> Campaign:
        campaign = self.seat_people(NAME, PITCH, SYSTEMS)
        for sitter in SITTERS:
            self._sit(sitter)
        self.give_faces()
        for name, kind, segments, visibility, filled in CLOCKS:
            clock = self.do(make_clock, self.gm, Draft(name, segments, ClockKind(kind), ClockVisibility(visibility)))
            self.do(tick_clock, self.gm, clock, filled, reason="what came before")
        self.do(play.start_session, self.gm, "Four in the morning")
        self._at_the_quay()
        self._in_the_lighthouse()
        answers = {"gm": ["yes", "yes", "no"], "iva": ["maybe", "yes", "yes"], "tess": ["yes", "yes"]}
        self.ask_for([self.now + timedelta(days=days) for days in (5, 6, 12)], answers)
        return campaign

    def _sit(self, sitter: Sitter) -> None:
        by = self._player(sitter)
        card = Card(sitter.name, sitter.concept, by if sitter.player else None)
        character = self.do(make_character, by, card, system=sitter.system, is_crew=sitter.crew)
        character = self.fill(by, character, sitter.fields)
        for rows, given in sitter.rows.items():
            for row in given:
                character = self.do(add_row, by, character, rows, row)
        self.characters[sitter.name] = self.fill(self.gm, character, UNKNOWN.get(sitter.name, {}))

    def _at_the_quay(self) -> None:
        self.do(play.open_scene, self.gm, "The quay")
        self.do(play.narrate, self.gm, "The tide is an hour early. The watch has noticed, and does not like it.")
        self._roll(
            ADA,
            forged.ActionTerms(
                action="prowl",
                position=Position.RISKY,
                effect=Effect.STANDARD,
                push_die=True,
                note="Past the lamps",
            ),
        )
        self._roll(JUN, arc.ArcInput(kind="opposed", stat="control", skill="Climb", note="Up the slipway"))
        climbed = Roll.objects.filter(campaign=self.gm.campaign, system="arc").latest("at")
        self._roll(WATCH, arc.ArcInput(kind="opposed", stat="empathy", skill="Notice", against=climbed.pk))
        self.do(say_as, self._player(ADA), self.characters[ADA.name], "If they ask, we sell eels.")
        self._roll(ADA, forged.ResistanceTerms(attribute=Attribute.PROWESS, consequence="A lamp swings round"))
        self._roll(
            JUN, arc.ArcInput(stat="intellect", skill="Engines", level="difficult", note="Start it without a sound")
        )
        self.do(play.close_scene, self.gm)

    def _in_the_lighthouse(self) -> None:
        self.do(play.open_scene, self.gm, "The stair of the light")
        self.do(
            play.narrate, self.gm, "Anton stands on the ninth step with a boathook. Behind him it is far too bright."
        )
        pool = "Gives orders + Her brother keeps the light"
        against = "Bars the stair 3 + Afraid of the lamp 2"
        self._roll(ILSE, descriptors.DescriptorsInput(pool=pool, against=against, versus=KEEPER.name))
        for settled in Procedure.objects.filter(campaign=self.gm.campaign, closed_at=None):
            self.do(close_procedure, self.gm, settled.pk)
        self._begin_contest()
        self.do(
            say_as, self._player(ILSE), self.characters[ILSE.name], "Step aside, Anton. That is an order, and a plea."
        )
        self._roll(JUN, arc.ArcInput(kind="reaction", note="The lamp turns by itself"))
        self._begin_action()
        self._roll(None, forged.FortuneTerms(trait=2, note="Does the light hold?"))

    def _begin_contest(self) -> None:
        """Ilse has one Descriptor in her pool; hers and the keeper's go on being filled."""
        ilse = self.characters[ILSE.name]
        sides = {"a_character": ilse.pk, "b_character": self.characters[KEEPER.name].pk, "b_name": "", "b_dice": None}
        contest = self.do(
            open_procedure,
            self._player(ILSE),
            "descriptors",
            "contest",
            sides | {"override": False},
            reason="Past Anton",
        )
        row = ilse.rules.rows(ilse.values, "descriptors")[0]
        pool = {"chips": [f"{ilse.pk}/descriptors/{row['id']}"], "before": "", "name": "", "name_dice": None}
        given = pool | {"theirs": False, "dice": None}
        self.do(act, self._player(ILSE), contest.pk, ActKey("use", "a"), given=given)

    def _begin_action(self) -> None:
        """Begin Ada's action, set by the GM: others may still help, bargain and trade before she rolls."""
        given = LINE | {"character": self.characters[ADA.name].pk}
        action = self.do(open_procedure, self._player(ADA), "forged", "action", given, reason="Cut the lamp’s line")
        self.do(act, self.gm, action.pk, ActKey("set"), given=LINE_SET)

    def _roll(self, sitter: Sitter | None, ask: base.RollInput) -> None:
        by, whose = self.gm, None
        if sitter:
            by, whose = self._player(sitter), self.characters[sitter.name].pk
        given: dict[str, Any] = {**vars(ask), "character": whose}
        if isinstance(ask, arc.ArcInput) and ask.kind != "reaction" and by != self.gm:
            given["request"] = self.do(ask_for_roll, self.gm, Call(ask, reason=ask.note), member=by.pk).pk
        self.do(make_roll, by, type(ask)(**given), audience=Audience.TABLE)

    def _player(self, sitter: Sitter) -> Membership:
        return self.viewers[sitter.player or "gm"]
