"""Plays “Ashes over Harrow”: Storyteller rolls and the Scale, seven sessions of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from campaigns.clocks import ClockKind
from campaigns.models import Campaign, Event, GameSession, Membership
from campaigns.models.clocks import Clock, ClockVisibility
from campaigns.services import play
from campaigns.services.campaigns import sample, show_as_sample
from campaigns.services.clocks import Draft, make_clock, tick_clock
from campaigns.services.log import happening_at
from campaigns.services.log_entries import amend_words, pin, refile
from campaigns.services.play import (
    add_storyline,
    narrate,
    recap_of,
    recap_version,
    say,
    write_recap,
)
from characters.models import Character
from characters.services.cards import Card, make_character, say_as
from characters.services.fields import set_field
from characters.services.ledger import award_xp
from config.demo.stage import Noted, Stage, picture
from rolls.models import Audience, Roll
from rolls.services.fairness import DiceRequest
from rolls.services.rolls import correct_roll, make_roll, void_roll
from rules.fairness import without_end
from rules.tally import read
from rulesets.storyteller import sheet
from rulesets.storyteller.table import StorytellerCountable
from rulesets.storyteller.terms import StorytellerInput
from scale.models import Burn, Scale
from scale.rules.scale import MAJOR_AT
from scale.services.burns import (
    bank_burn,
    choose_effect,
    decide_activation,
    narrate_burn,
    see_burn,
    spend_banked,
    take_burn,
    use_free_activation,
)
from scale.services.scale import momentum_of
from world.models import PageKind

# Dice of the demo: each throw's faces follow from its id, so that the demo tells the same story on every server.


MOST_TRIED = 10_000


def told_dice(throw: DiceRequest) -> Iterator[int]:
    """Yield the faces of a throw from its id; settings.DICE_SOURCE while the demo is made."""
    # Not for games: this only draws the demo.
    dice = random.Random(throw.id.int)  # noqa: S311
    for sides in without_end(throw.spec):
        yield dice.randint(1, sides)


def key_for(name: UUID, dice: int, difficulty: int, wanted: Callable[[int], bool]) -> UUID:
    """Return a key under which so many dice give the Scale a wanted delta."""
    for attempt in range(MOST_TRIED):
        key = uuid5(name, str(attempt))
        throw = DiceRequest(campaign=key, actor=0, id=key, spec=f"{dice}d10")
        faces = [{"face": face} for face in islice(told_dice(throw), dice)]
        if wanted(read(StorytellerCountable().fallen({"dice": faces, "difficulty": difficulty})).delta):
            return key
    raise ValueError(f"{dice} dice at difficulty {difficulty} cannot fall as wanted")


# The story of “Ashes over Harrow”, in words of our own: characters, storylines, scenes, and dialogue.


NAME = "Ashes over Harrow"
SLUG = "ashes-over-harrow"
PITCH = (
    "Harrow burned for three days and nobody agrees who lit it. A year on, the theatre has reopened, the archive has not, "
    "and somebody is buying up the ruins one street at a time."
)


class Role(NamedTuple):
    """A character: who plays it (None: the GM), whether players know of it, and the fields that differ from a blank sheet."""

    name: str
    concept: str
    player: str | None
    shown: bool
    sheet: dict[str, int]


CHARACTERS = [
    Role(
        "Silas Grey",
        "Archivist without an archive",
        "mo",
        True,
        {"perception": 3, "intelligence": 4, "wits": 2, "dexterity": 3, "strength": 2, "alertness": 2, "occult": 4}
        | {"stealth": 1, "subterfuge": 3, "investigation": 3, "willpower": 7, "willpower_now": 5},
    ),
    Role(
        "Corvina Hale",
        "Actress who was somebody else that night",
        "iva",
        True,
        {"charisma": 4, "manipulation": 3, "appearance": 4, "wits": 3, "performance": 4, "subterfuge": 3, "empathy": 2}
        | {"expression": 3, "willpower": 6, "willpower_now": 4},
    ),
    Role(
        "Bram Teller",
        "Night watchman of an empty street",
        "tess",
        True,
        {"strength": 4, "stamina": 3, "dexterity": 2, "perception": 2, "brawl": 3, "athletics": 2, "streetwise": 3}
        | {"intimidation": 2, "larceny": 2, "willpower": 5, "willpower_now": 5},
    ),
    Role("Madam Orsolya", "Owns the theatre, or what is left of it", None, True, {"manipulation": 4, "willpower": 6}),
    Role("The Surveyor", "Buys the ruins for somebody", None, False, {"wits": 4, "intimidation": 3, "willpower": 7}),
]

STORYLINES = [
    ("Silas owes the lost archive a name", "mo", "The name is his own, struck out in his own hand."),
    ("Corvina’s teacher is alive", "iva", "She has been writing the reviews."),
    ("Who lit the first fire", None, "Three people, none of whom knows of the others."),
    ("The street Bram will not enter", "tess", "He was on duty there. He slept."),
]

POOLS = {
    "Silas Grey": ["perception+alertness", "intelligence+occult", "wits+subterfuge", "intelligence+investigation"],
    "Corvina Hale": ["charisma+performance", "manipulation+subterfuge", "wits+empathy", "charisma+expression"],
    "Bram Teller": ["strength+brawl", "perception+streetwise", "dexterity+larceny", "strength+athletics"],
}

SESSIONS = [
    ("The doors open again", ["The foyer", "Under the stage"]),
    ("A list of names", ["The burned archive", "Ash Lane"]),
    ("Understudies", ["Dressing rooms", "The second act"]),
    ("What the watchman heard", ["Cooper’s Row at four", "The empty street"]),
    ("Reviews", ["The printer’s shop", "A table for two"]),
    ("The Regent’s evening", ["The Regent’s box", "The roof"]),
    ("One beat too late", ["The cloakroom", "Backstage", "The Lantern Room"]),
]

NARRATION = [
    "Soot still falls from the beams when the doors are shut too hard. Nobody shuts them twice.",
    "The lamps along Ash Lane are lit in the wrong order tonight.",
    "Somebody has swept this room. Only this room.",
    "The music drops a half-step. Every head at the bar turns, one beat too late, toward the door.",
    "Rain comes through where the ceiling was. It smells of paper.",
    "On the far side of the street a window opens that has no floor behind it.",
]

SPOKEN = {
    "Silas Grey": [
        "I sweep the balcony. Who is watching *us* and not the stage?",
        "That ledger was never meant to be read twice.",
    ],
    "Corvina Hale": [
        "Smile, Bram. We are guests.",
        "I have died in this room eleven times. Never before the interval.",
    ],
    "Bram Teller": ["I’ll take the back. I always take the back.", "That is not a knock I know."],
}

MAJORS = [
    "The balcony gives way. Not under the crowd: under the one man who had come to say who paid him. The whole house sees who "
    "reaches for him, and who steps back.",
    "A girl from the chorus hands Corvina a key nobody has seen since the fire. It is warm. It fits the door that has stood "
    "bricked up behind the archive for a year.",
]

FILLS = "Where the prompter hid the list"
"""A clock that fills in the third session."""

CLOCKS = [
    ("The Regent’s patience", "danger", 6, "visible", 4),
    ("Find the printer’s ledger", "progress", 8, "visible", 2),
    ("Dawn", "mission", 4, "secret", 3),
    ("Deeds changing hands", "faction", 6, "known", 1),
    (FILLS, "progress", 6, "visible", 4),
]

RECAPS = {
    1: "The theatre opened its doors for the first time since the fire. **Silas** found his own name on a seat that nobody had "
    "sold, **Corvina** was asked for an autograph by a woman who called her by another name, and **Bram** took the back.\n\n"
    "Open: who paid for the new curtain?",
    2: "A beam came down in the burned archive and missed Silas by a hand. Behind it: a list of names, one of them struck out. "
    "Bram knew the street that it begins with, and said nothing.",
    3: "The understudy did not come, so Corvina played both parts. In the second act the house held its breath: a **Major "
    "Grace** put a key into her hand, still warm.\n\n> I have died in this room eleven times. Never before the interval.",
    4: "At four in the morning Bram told what he heard in Cooper’s Row. Most of it was true.",
    6: "The Regent’s box was empty, and somebody had paid for it to stay so.\n\n*Still to write: the roof.*",
}
"""By session. The fifth has none, to show how that looks before one is written."""


NOTES = {
    2: [
        Noted(
            "The Lantern Room",
            "mo",
            "Below the stage, past the ropes. One seat was never sold; it has a name on it.",
            PageKind.PLACE,
        ),
        Noted(
            "Ash Lane",
            "tess",
            "The list begins here. Nine houses, two of them roofed. The lamps are lit in the wrong order.",
            PageKind.PLACE,
            aliases=("the lane",),
        ),
        Noted(
            "The list of names",
            "iva",
            "Found behind the beam in the burned archive. One name is struck out.\n\n* Who wrote it? Not [[Madam Orsolya]]: "
            "she cannot spell *Teller*.\n* It begins in [[Ash Lane]].",
        ),
    ],
    4: [
        Noted(
            "The Lantern Room",
            "iva",
            "Below the stage, past the ropes. One seat was never sold; [[Silas Grey]] found his own name on it.\n\n**The door "
            "behind the bar** opens with the warm key.",
            aliases=("the room below",),
        ),
        Noted(
            "Madam Orsolya",
            "iva",
            "Owns the theatre, or what is left of it. She counts the house before she counts the money.\n\nShe says that she "
            "never saw [[the list of names]].",
            aliases=("the owner",),
        ),
        Noted(
            "Madam Orsolya",
            "gm",
            "Owns the theatre, or what is left of it. She counts the house before she counts the money.\n\nShe says that she "
            "never saw [[the list of names]].",
            aliases=("the owner",),
            gm_words="She sold the first deed herself, and has not slept well since.\n\nShe knows [[the Surveyor]] by his voice.",
        ),
        Noted(
            "Deeds changing hands",
            "mo",
            "Somebody buys the ruins one street at a time, [[Ash Lane]] first. Always in coin, always before noon.",
        ),
    ],
    6: [
        Noted(
            "The Surveyor",
            "gm",
            "",
            gm_words="He buys for the three who lit the fire. None of them knows of the others.\n\nHe was in "
            "[[the Regent’s box]] and left by the roof.",
        ),
        Noted(
            "The Regent’s box",
            "gm",
            "Empty on the Regent’s evening, and paid for.",
            PageKind.PLACE,
            gm_words="Under the carpet lies the second half of [[the list of names]].",
            hidden=True,
        ),
    ],
}
"""What people write on pages after a session. The last page is one that only the GM knows of yet."""


HANDOUTS = [("The list of names", 2, False), ("The Lantern Room", 6, True)]
"""Pictures that the GM hands out, after which session, and whether hidden."""

JOURNAL = {
    6: "**Week one.** A seat with my name on it. I did not buy it.\n\n**Week two.** The list. My name again, struck out. The "
    "hand is mine.\n\n**Week six.** Somebody paid for an empty box. *Ask the printer.*"
}
"""What Silas writes down, after which session."""


# The lasting parts of a session of “Ashes over Harrow”: pins, corrections, voided rolls, XP, and recaps.


XP_A_SESSION = 3
SOAK = 4  # dice


def soak(character: Character, **more: Any) -> StorytellerInput:
    """Return a soak roll of four dice: Stamina, and a modifier for the rest."""
    beside = SOAK - int(character.value("stamina"))
    return StorytellerInput(character=character.pk, traits=("stamina",), modifier=beside, kind="soak", **more)


def before_the_end(stage: Stage, number: int) -> None:
    """Play what goes wrong in a session and is corrected, what people pin, and their XP."""
    put_right = {2: _dice_from_the_table, 3: _a_clock_fills, 4: _a_slip_of_the_tongue, 5: _told_too_late}
    if number in put_right:
        put_right[number](stage)
    _pin(stage, number)
    played = [stage.characters[role.name] for role in CHARACTERS if role.player]
    stage.do(award_xp, stage.gm, played, XP_A_SESSION, reason=SESSIONS[number - 1][0])


def afterwards(stage: Stage, number: int) -> None:
    """Write the recap; the newest one stays a draft."""
    words = RECAPS.get(number)
    if words:
        session = _session(stage, number)
        publish = number < max(RECAPS)
        stage.do(write_recap, stage.gm, session, words, publish=publish, expected=recap_version(recap_of(session)))


def _dice_from_the_table(stage: Stage) -> None:
    """Roll real dice, once typed in with the wrong difficulty, and make a roll by mistake."""
    bram = soak(stage.characters["Bram Teller"], note="The beam")
    stage.do(make_roll, stage.viewers["tess"], bram, audience=Audience.TABLE, faces=[9, 6, 2, 1])
    roll = Roll.objects.filter(campaign=stage.gm.campaign).latest("at")
    stage.do(correct_roll, stage.gm, roll.pk, {"difficulty": 7}, reason="It was a heavy beam")
    silas = soak(stage.characters["Silas Grey"], willpower=True)
    stage.do(make_roll, stage.viewers["mo"], silas, audience=Audience.TABLE)
    roll = Roll.objects.filter(campaign=stage.gm.campaign).latest("at")
    stage.do(void_roll, stage.gm, roll.pk, reason="The beam missed him")


def _a_clock_fills(stage: Stage) -> None:
    clock = Clock.objects.get(campaign=stage.gm.campaign, name=FILLS)
    stage.do(
        tick_clock, stage.gm, clock, clock.segments - clock.filled, reason="The last ledger page was in the prompt book"
    )


def _a_slip_of_the_tongue(stage: Stage) -> None:
    brave = soak(stage.characters["Corvina Hale"], willpower=True, note="The cold")
    stage.do(make_roll, stage.viewers["iva"], brave, audience=Audience.TABLE)
    said = stage.do(
        say_as, stage.viewers["tess"], stage.characters["Bram Teller"], "I was asleep. I mean awake. I was there."
    )
    stage.do(
        amend_words, stage.viewers["tess"], said.uid, "I was awake. I was there.", reason="He would not say it yet"
    )


def _told_too_late(stage: Stage) -> None:
    line = stage.do(narrate, stage.gm, "The printer washes his hands for a long time before he shakes anybody’s.")
    scene = _session(stage, 5).scenes.get(number=1)
    stage.do(refile, stage.gm, line.uid, scene, reason="We came back to the shop for a moment")
    stage.do(say, stage.viewers["iva"], "I have to catch the last tram, so *please* let it be quick.")


def _pin(stage: Stage, number: int) -> None:
    """Pin a line, a roll and a picture as different people."""
    events = Event.objects.filter(campaign=stage.gm.campaign, session=_session(stage, number), stream__name="table")
    said = events.filter(kind="campaigns.said").exclude(subjects=None)
    for viewer, event in (
        ("iva", said.last()),
        ("tess", events.filter(kind="rolls.roll_made", index__outcome__in=("critical", "botch")).last()),
        ("gm", events.filter(kind="campaigns.said").first()),
    ):
        if event:
            stage.do(pin, stage.viewers[viewer], event.uid)


def _session(stage: Stage, number: int) -> GameSession:
    return GameSession.objects.get(campaign=stage.gm.campaign, number=number)


SESSION_EVERY = timedelta(days=7)
ROLLS_A_SCENE = 22
MAJOR_IN = {3: MAJOR_AT, 6: -MAJOR_AT}
"""The sessions in which a Major Burn falls, and which."""

LEFT_AT = -6
"""The value of the Scale when the visitor arrives, with a Burn on offer."""


class Harrow(Stage):
    """The campaign while it is made."""

    def __init__(self, now: datetime) -> None:
        super().__init__(SLUG, now - SESSION_EVERY * (len(SESSIONS) - 1) - timedelta(hours=1))
        self.evening = self.now

    def make(self) -> Campaign:
        campaign = self.seat_people(NAME, PITCH, ["storyteller"])
        if sample() is None:
            with happening_at(self.now):
                show_as_sample(campaign)
        self._write_down()
        for number, (title, scenes) in enumerate(SESSIONS, start=1):
            self.now = self.evening + SESSION_EVERY * (number - 1)
            last = number == len(SESSIONS)
            self._session(number, title, scenes, last=last)
        return campaign

    def _write_down(self) -> None:
        for role in CHARACTERS:
            by = self.viewers[role.player or "gm"]
            card = Card(role.name, role.concept, by if role.player else None, role.shown)
            character = self.do(make_character, by, card)
            self.characters[role.name] = self.fill(by, character, role.sheet)
        self.give_faces()
        for title, whose, notes in STORYLINES:
            self.do(add_storyline, self.gm, title, whose=self.viewers[whose] if whose else None, gm_notes=notes)
        for name, kind, segments, visibility, filled in CLOCKS:
            draft = Draft(name, segments, ClockKind(kind), ClockVisibility(visibility))
            clock = self.do(make_clock, self.gm, draft)
            for _ in range(filled):
                clock = self.do(tick_clock, self.gm, clock, 1, reason="what came before")

    def _session(self, number: int, title: str, scenes: list[str], *, last: bool) -> None:
        self.do(play.start_session, self.gm, title)
        if last:
            answers = {"gm": ["yes"], "iva": ["yes"], "tess": ["maybe"]}
            self.ask_for([self.now + SESSION_EVERY], answers, at_once=True)
        for place, scene in enumerate(scenes):
            self.do(play.open_scene, self.gm, scene, picture=picture(scene))
            self.do(play.narrate, self.gm, self.chance.choice(NARRATION))
            for turn in range(ROLLS_A_SCENE if not last else 4):
                self._turn(turn)
            if place == 0 and number in MAJOR_IN:
                self._drive_to_major(MAJOR_IN[number])
        if last:
            self._leave_open()
        else:
            before_the_end(self, number)
            self.do(play.end_session, self.gm)
            afterwards(self, number)
            for note in NOTES.get(number, ()):
                self.write_page(note)
            self._put_away(number)

    def _put_away(self, number: int) -> None:
        """Hand out pictures after a session, one for everyone and one that only the GM has, and write in a journal."""
        for title, after, hidden in HANDOUTS:
            if after == number:
                drawn = picture(title)
                assert drawn is not None  # noqa: S101  # for mypy: it is there
                self.beside(f"handout {title}", play.hand_out, self.gm, title, drawn, hidden=hidden)
        if number in JOURNAL:
            silas = Character.objects.get(pk=self.characters["Silas Grey"].pk)
            kept = self.beside(
                f"journal {number}",
                set_field,
                self.viewers["mo"],
                silas,
                "journal",
                JOURNAL[number],
                expected=silas.value("journal"),
            )
            self.characters["Silas Grey"] = kept

    def _turn(self, turn: int) -> None:
        """Play a turn: one person rolls, another speaks, and Burns are settled."""
        name = self.chance.choice(list(POOLS))
        if turn % 4 == 1:
            self.do(say_as, self._player(name), self.characters[name], self.chance.choice(SPOKEN[name]))
        if turn % 9 == 5:
            ask = soak(self.characters[name])
            self.do(make_roll, self._player(name), ask, audience=Audience.TABLE)
        if turn % 11 == 7:
            secret = StorytellerInput(
                character=self.characters["The Surveyor"].pk, traits=("wits",), note="Does he notice?"
            )
            self.do(make_roll, self.gm, secret, audience=Audience.GM)
        self._roll(name, lambda delta: abs(self._value() + delta) < MAJOR_AT)
        self._deal_with_burns()

    def _roll(self, name: str, wanted: Callable[[int], bool]) -> None:
        """Make an action roll of a character that moves the Scale as wanted."""
        character = self.characters[name]
        traits = self.chance.choice(POOLS[name])
        difficulty = self.chance.choice([5, 6, 6, 6, 7, 8])
        pool = sheet.pool(Character.objects.get(pk=character.pk).sheet, traits.split("+"))
        dice = max(1, pool.dice + momentum_of(character).die_modifier)
        ask = StorytellerInput(character=character.pk, traits=tuple(traits.split("+")), difficulty=difficulty)
        key = key_for(self.next_key(), dice, difficulty, wanted)
        self.do(make_roll, self._player(name), ask, audience=Audience.TABLE, key=key)

    def _drive_to_major(self, goal: int) -> None:
        """Roll on, banking offers, until the Scale reaches a Major Burn; then the GM narrates it once everyone has seen it."""
        while not (major := Burn.objects.filter(scale__campaign=self.gm.campaign, state=Burn.State.OPEN).first()):
            name = self.chance.choice(list(POOLS))
            self._roll(name, lambda delta: delta * goal > 0 and self._stays_driving(delta, goal))
            self._deal_with_burns(bank=True)
        for viewer in ("mo", "iva", "tess"):
            self.do(see_burn, self.viewers[viewer], major.pk)
        text = MAJORS[0] if goal < 0 else MAJORS[1]
        self.do(narrate_burn, self.gm, major.pk, text)

    def _stays_driving(self, delta: int, goal: int) -> bool:
        """Return whether a delta sets off no second Burn, which would put the Scale back to 0; those need a table that banks."""
        return abs(delta) <= 4 or abs(self._value() + delta) >= abs(goal)

    def _deal_with_burns(self, *, bank: bool = False) -> None:
        for burn in Burn.objects.filter(scale__campaign=self.gm.campaign, state=Burn.State.OFFERED):
            by = self._player_of(burn)
            if bank or self.chance.random() < 0.4:
                self.do(bank_burn, by, burn.pk)
            else:
                self.do(take_burn, by, burn.pk)
        if not bank and self.chance.random() < 0.15:
            for burn in Burn.objects.filter(scale__campaign=self.gm.campaign, state=Burn.State.BANKED):
                self.do(spend_banked, self._player_of(burn), burn.pk)
        for burn in Burn.objects.filter(scale__campaign=self.gm.campaign, state=Burn.State.FIRED):
            self._choose(burn)

    def _choose(self, burn: Burn) -> None:
        chooser = self.gm if burn.kind == Burn.Kind.TROUBLE else self._player_of(burn)
        effect = self.chance.choice(["die", "discipline", "disposition"])
        npc = self.characters["Madam Orsolya"].pk if effect == "disposition" else None
        words = "It answers, and somebody across the street looks up." if effect == "discipline" else ""
        self.do(choose_effect, chooser, burn.pk, effect, words=words, npc=npc)
        if effect == "discipline" and chooser != self.gm:
            self.do(decide_activation, self.gm, burn.pk, plausible=True)
            self.do(use_free_activation, chooser, burn.character_id)

    def _leave_open(self) -> None:
        """Leave the state that visitors find: everything settled, then a roll that takes the Scale to -6 and offers Trouble."""
        for burn in Burn.objects.filter(scale__campaign=self.gm.campaign, state=Burn.State.BANKED):
            self.do(spend_banked, self._player_of(burn), burn.pk)
        self._deal_with_burns()
        self._roll("Bram Teller", lambda delta: -3 < self._value() + delta < 0)
        self._roll("Silas Grey", lambda delta: self._value() + delta == LEFT_AT)
        self.do(say_as, self._player("Corvina Hale"), self.characters["Corvina Hale"], "Nobody move. Applaud.")

    def _value(self) -> int:
        scale = Scale.objects.filter(campaign=self.gm.campaign, character=None).first()
        return scale.value if scale else 0

    def _player(self, character: str) -> Membership:
        name = next(role.player for role in CHARACTERS if role.name == character)
        return self.viewers[name or "gm"]

    def _player_of(self, burn: Burn) -> Membership:
        assert burn.character is not None  # noqa: S101  # for mypy: a Burn of the demo has one
        return self._player(burn.character.name)
