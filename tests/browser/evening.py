"""An evening of sixty acts, played through the services by a process of its own: `python -m tests.browser.evening SLUG`.

Ro leads; Mo plays Silas and Cross, Iva plays Corvina and Thorn; the table is one of tests/browser/world.py. An act is what one
person sets out to do: to speak, to roll, an action of Forged in the Dark, an attack, a mark on a sheet, a tick; with all steps.
More than half of them are words, and 15 are rolls.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import django

if TYPE_CHECKING:
    from campaigns.models import Membership
    from rolls.models import Procedure

ACTS = 60
STAIR = (
    "The stair winds down inside the rock, and every step is wet. Each time the lamp comes round, the shadows of the rail run up"
    " the wall like something that has been waiting.",
    "Silas tests the rail. It holds, more out of habit than strength. Far below a door closes, politely.",
    "Halfway down the lamp comes round. It finds a coat on a hook, and nobody in it; the sleeves are still warm, and in the left"
    " one there is a key that fits nothing in this house.",
    "Below, someone is counting under their breath. They have reached nineteen, and they are not counting up.",
)
LAMP = (
    "The lamp room is warm. Oil drips from the rail onto a letter that nobody has opened, and the keeper stands with his back to"
    " you, as if the sea had asked him something.",
    "The keeper turns, slowly, as if he had been told to expect company. He has put on his good collar for it.",
    "Outside the first ship answers the light. It is not the one they wait for: it shows no flag, and it is much too close.",
)
TALK = (
    ("mo", "Quietly. The third step sings."),
    ("iva", "Then I take two at a time, and you take the blame."),
    ("mo", "Somebody has been here. The wick is trimmed."),
    ("iva", "A careful ghost, then."),
    ("mo", "Hand me the line. No, the other line."),
    ("iva", "If the signal goes up before midnight, we have company."),
    ("mo", "I have seen that handwriting. My brother’s."),
    ("iva", "Your brother has been dead for three years, Silas."),
    ("mo", "So was the light."),
    ("iva", "Keep him talking. I want to see what is in the drawer."),
    ("mo", "We only came to ask the way."),
    ("iva", "Found it. Go, go, go."),
    ("mo", "The stair is taken. Window?"),
    ("iva", "Window. I never liked this coat anyway."),
    ("mo", "Ladies first, then the letter, then me."),
    ("iva", "And the dog, apparently. It has decided for us."),
)


class Evening:
    """The people at the table, doing one thing after the other."""

    def __init__(self, slug: str) -> None:
        from campaigns.models import Clock, Membership
        from characters.models import Character
        from tests.browser.world import CLOCK

        of = {
            one.user.username: one
            for one in Membership.objects.filter(campaign__slug=slug).select_related("campaign", "user")
        }
        self.people: dict[str, Membership] = of
        self.clock = Clock.objects.get(campaign__slug=slug, name=CLOCK)
        self.cast = {one.name: one for one in Character.objects.filter(campaign__slug=slug)}
        self.acts = 0

    def play(self) -> None:
        talk, stair, lamp = iter(TALK), iter(STAIR), iter(LAMP)
        self.scene("The stair of the light", next(stair))
        self.talks(talk, 2)
        self.narrates(stair, 1)
        self.rolls(("iva", "Corvina Hale"), ("mo", "Silas Grey"))
        self.talks(talk, 2)
        self.acts_on("Cut the lamp’s line before the keeper turns", "mo", "Cross", faces=(4, 2, 1))
        self.narrates(stair, 1)
        self.ticks(1)
        self.talks(talk, 2)
        self.asks("What do you hear?")
        self.marks(("mo", "Silas Grey", "bashing", 0, 1), ("iva", "Thorn", "stress", 0, 2))
        self.acts_on("Slip past the watchman", "iva", "Thorn", faces=(6, 3))
        self.narrates(stair, 1)
        self.scene("The lamp room", next(lamp))
        self.talks(talk, 2)
        self.rolls(("mo", "Silas Grey"), ("iva", "Corvina Hale"))
        self.answers("Nobody asks the way here. Not any more.")
        self.attacks("Silas Grey", "the keeper’s dog")
        self.talks(talk, 2)
        self.narrates(lamp, 1)
        self.attacks("Corvina Hale", "the keeper’s dog")
        self.marks(("mo", "Silas Grey", "willpower_now", 5, 4), ("iva", "Corvina Hale", "willpower_now", 5, 4))
        self.acts_on("Burn the letter unread", "mo", "Cross", faces=(5,))
        self.ticks(1)
        self.conflict()
        self.storyline("Who pays the keeper?")
        self.talks(talk, 2)
        self.rolls(("iva", "Corvina Hale"), ("mo", "Silas Grey"))
        self.narrates(lamp, 1)
        self.talks(talk, 4)
        self.asks("Who saw you leave?")
        self.rolls(("mo", "Silas Grey"))
        self.aside("mo", "I need another coffee.")
        self.aside("iva", "Two minutes?")
        self.ticks(2)
        self.answers("Tell your brother the light is paid for.")
        self.shared()
        self.awards(("Silas Grey", 2), ("Corvina Hale", 2))
        self.rolls(("mo", "Silas Grey"), ("iva", "Corvina Hale"))
        self.answers("You have until the tide turns. I would not wait for it.")
        self.aside("iva", "I want to know about the brother.")
        self.aside("gm", "Next time: the ship.")

    def count(self, acts: int = 1) -> None:
        self.acts += acts

    @property
    def gm(self) -> Membership:
        return self.people["gm"]

    def scene(self, title: str, words: str) -> None:
        from campaigns.services.play import open_scene

        open_scene(self.gm, title, words=words, key=uuid4())
        self.count()

    def talks(self, talk: Any, lines: int) -> None:
        from characters.services.cards import say_as
        from tests.browser.world import CHARACTERS

        for _ in range(lines):
            who, words = next(talk)
            say_as(self.people[who], self.cast[CHARACTERS[who]], words, key=uuid4())
            self.count()

    def answers(self, words: str) -> None:
        """Let the GM's character say something."""
        from characters.services.cards import say_as
        from tests.browser.world import NPC

        say_as(self.gm, self.cast[NPC], words, key=uuid4())
        self.count()

    def narrates(self, story: Any, lines: int) -> None:
        from campaigns.services.play import narrate

        for _ in range(lines):
            narrate(self.gm, next(story), key=uuid4())
            self.count()

    def aside(self, who: str, words: str) -> None:
        from campaigns.services.play import say

        say(self.people[who], words, key=uuid4())
        self.count()

    def rolls(self, *those: tuple[str, str]) -> None:
        from rolls.models import Audience
        from rolls.services.rolls import make_roll
        from rulesets.storyteller.terms import StorytellerInput

        for who, name in those:
            asked = StorytellerInput(character=self.cast[name].pk, traits=("perception", "alertness"))
            fall(7, 7, 5, 5, 5)
            make_roll(self.people[who], asked, audience=Audience.TABLE, key=uuid4())
            self.count()

    def asks(self, reason: str) -> None:
        """Let the GM call for a roll, and Corvina make it."""
        from rolls.models import Audience
        from rolls.services.requests import Call, ask_for_roll
        from rolls.services.rolls import make_roll
        from rulesets.storyteller.terms import StorytellerInput

        asked = StorytellerInput(character=self.cast["Corvina Hale"].pk, traits=("perception", "alertness"))
        request = ask_for_roll(self.gm, Call(asked, reason), key=uuid4())
        fall(7, 7, 5, 5, 5)
        answer = StorytellerInput(character=asked.character, traits=asked.traits, request=request.pk)
        make_roll(self.people["iva"], answer, audience=Audience.TABLE, key=uuid4())
        self.count()

    def acts_on(self, goal: str, who: str, name: str, *, faces: tuple[int, ...]) -> None:
        """Play a staged action with a bargain, and with a consequence that is resisted unless it works as hoped."""
        whole = self.opens(
            who, "forged", "action", goal, character=self.cast[name].pk, action="prowl", group=False, setup=False
        )
        terms = {
            "potency": 0,
            "quality": 0,
            "scale": 0,
            "why": "",
            "ability": 0,
            "more": 0,
            "without": [],
            "clock": None,
        }
        spared = {"spared_1": False, "spared_2": False, "spared_3": False}
        self.step("gm", whole, "set", position="risky", base="standard", **terms, **spared)
        self.step("gm", whole, "offer", words="Someone on the shore sees it", coin=0, item="")
        self.step("gm", whole, "accept", str(self.cast[name].pk))
        fall(*faces, 3, 2)
        self.step(who, whole, "roll", str(self.cast[name].pk))
        if max(faces) < 6:
            harm = {"code": "harm_2", "price": False, "words": "Cut hand", "heat": False, "clock": None}
            harm |= {"new_clock": "", "segments": 4, "filled": 0, "size": 0}
            harm |= {"attribute": "prowess", "resisting": "reduces", "by": 1, "whom": None}
            self.step("gm", whole, "inflict", **harm)
            fall(5, 4)
            self.step(who, whole, "resist", "c1")
            self.step(who, whole, "take_it", "c1")
        self.step("gm", whole, "finish")
        whole.refresh_from_db()
        assert whole.closed_at, f"{goal} waits for something"
        self.count()

    def attacks(self, name: str, target: str) -> None:
        """Play an attack from its announcement to its damage."""
        who = {"Silas Grey": "mo", "Corvina Hale": "iva"}[name]
        blow = {"a_character": self.cast[name].pk, "a_name": "", "a_pool": "4", "difficulty": None, "willpower": False}
        blow |= {
            "target": None,
            "target_name": target,
            "dice": 2,
            "strength": False,
            "harm": "bashing",
            "soak": 2,
            "mortal": True,
        }
        attack = self.opens(who, "storyteller", "attack", "", **blow)
        fall(7, 7, 7, 5)
        self.step("gm", attack, "take_hit", "target")
        fall(7, 7, 7, 5, 5)
        self.step(who, attack, "damage", "attacker")
        fall(5, 5)
        self.step("gm", attack, "soak", "target")
        attack.refresh_from_db()
        assert attack.closed_at, f"the attack of {name} waits for something"
        self.count()

    def conflict(self) -> None:
        """Play a conflict of one round."""
        from rolls.services.procedures import close_procedure

        those = [str(self.cast[name].pk) for name in ("Silas Grey", "Corvina Hale")]
        fall(9, 5)
        fight = self.opens("gm", "storyteller", "conflict", "At the lamp", characters=those, names="", anew=False)
        for one, who in zip(those, ("mo", "iva"), strict=True):
            self.step(who, fight, "done", one)
        close_procedure(self.gm, fight.pk, key=uuid4())
        self.count(3)

    def marks(self, *those: tuple[str, str, str, int, int]) -> None:
        from characters.services.fields import set_field

        for who, name, field, was, now in those:
            set_field(self.people[who], self.cast[name], field, now, expected=was, key=uuid4())
            self.count()

    def ticks(self, ticks: int) -> None:
        from campaigns.services.clocks import tick_clock

        tick_clock(self.gm, self.clock, ticks, reason="time", key=uuid4())
        self.count()

    def storyline(self, title: str) -> None:
        from campaigns.services.play import add_storyline

        add_storyline(self.gm, title, key=uuid4())
        self.count()

    def shared(self) -> None:
        from campaigns.services.play import narrate
        from config.demo.stage import picture

        narrate(self.gm, "The signal.", picture=picture("The Salt Signal"), key=uuid4())
        self.count()

    def awards(self, *those: tuple[str, int]) -> None:
        from characters.services.ledger import award_xp

        for name, xp in those:
            award_xp(self.gm, [self.cast[name]], xp, reason="For the light", key=uuid4())
            self.count()

    def opens(self, who: str, system: str, kind: str, reason: str, **given: Any) -> Procedure:
        from rolls.services.procedures import open_procedure

        return open_procedure(self.people[who], system, kind, given, reason=reason, key=uuid4())

    def step(self, who: str, procedure: Procedure, name: str, whom: str = "", /, **given: Any) -> None:
        from rolls.services.procedures import act
        from rules.acts import ActKey

        act(self.people[who], procedure.pk, ActKey(name, whom), given=given, key=uuid4())


def fall(*faces: int) -> None:
    """Let these fall next, whatever was to fall before."""
    from tests import dice

    dice.unload()
    dice.load(*faces)


def main(slug: str) -> None:
    from django.conf import settings
    from django.utils import timezone

    from campaigns.services.log import happening_at
    from tests import dice
    from tests.browser.world import add_scoundrels

    settings.RATE_LIMIT = 1_000_000
    with happening_at(timezone.now() - timedelta(minutes=1)):
        add_scoundrels(slug)
        evening = Evening(slug)
        evening.play()
    dice.unload()
    assert evening.acts == ACTS, f"the evening has {evening.acts} acts"


if __name__ == "__main__":
    django.setup()
    main(*sys.argv[1:])
