"""Plays “Ashes over Harrow”: Storyteller rolls and the Scale, seven sessions of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

from campaigns.clocks import ClockKind
from campaigns.models import Campaign, Membership
from campaigns.models.clocks import ClockVisibility
from campaigns.services import play
from campaigns.services.campaigns import sample, show_as_sample
from campaigns.services.clocks import Draft, make_clock, tick_clock
from campaigns.services.log import happening_at
from campaigns.services.play import add_storyline, plan_session, plan_version
from characters.models import Character
from characters.services import Card, make_character, say_as
from config.demo import harrow_kept as kept
from config.demo import harrow_story as story
from config.demo import images
from config.demo.dice import key_for
from config.demo.stage import Stage
from rolls.models import Audience
from rolls.services.rolls import make_roll
from rulesets.storyteller import sheet
from rulesets.storyteller.table.ask import StorytellerInput
from scale.models import Burn, Scale
from scale.rules.scale import MAJOR_AT
from scale.services.burns import (
    bank_burn,
    choose_effect,
    decide_activation,
    spend_banked,
    take_burn,
    use_free_activation,
)
from scale.services.majors import narrate_burn, see_burn
from scale.services.scale import momentum_of

SESSION_EVERY = timedelta(days=7)
ROLLS_A_SCENE = 22
MAJOR_IN = {3: MAJOR_AT, 6: -MAJOR_AT}
"""The sessions in which a Major Burn falls, and which."""

LEFT_AT = -6
"""The value of the Scale when the visitor arrives, with a Burn on offer."""


class Harrow(Stage):
    """The campaign while it is made."""

    def __init__(self, now: datetime) -> None:
        super().__init__(story.SLUG, now - SESSION_EVERY * (len(story.SESSIONS) - 1) - timedelta(hours=1))
        self.evening = self.now

    def make(self) -> Campaign:
        campaign = self.seat_people(story.NAME, story.PITCH, ["storyteller"])
        if sample() is None:
            with happening_at(self.now):
                show_as_sample(campaign)
        self._write_down()
        for number, (title, scenes) in enumerate(story.SESSIONS, start=1):
            self.now = self.evening + SESSION_EVERY * (number - 1)
            last = number == len(story.SESSIONS)
            self._session(number, title, scenes, last=last)
        return campaign

    def _write_down(self) -> None:
        for role in story.CHARACTERS:
            by = self.viewers[role.player or "gm"]
            card = Card(role.name, role.concept, by if role.player else None, role.shown)
            character = self.do(make_character, by, card)
            self.characters[role.name] = self.fill(by, character, role.sheet)
        self.give_faces()
        for title, whose, notes in story.STORYLINES:
            self.do(add_storyline, self.gm, title, whose=self.viewers[whose] if whose else None, gm_notes=notes)
        for name, kind, segments, visibility, filled in story.CLOCKS:
            draft = Draft(name, segments, ClockKind(kind), ClockVisibility(visibility))
            clock = self.do(make_clock, self.gm, draft)
            for _ in range(filled):
                clock = self.do(tick_clock, self.gm, clock, 1, reason="what came before")

    def _session(self, number: int, title: str, scenes: list[str], *, last: bool) -> None:
        self.do(play.start_session, self.gm, title)
        if last:
            self._meet_again()
        for place, scene in enumerate(scenes):
            self.do(play.open_scene, self.gm, scene, picture=images.picture(scene))
            self.do(play.narrate, self.gm, self.chance.choice(story.NARRATION))
            for turn in range(ROLLS_A_SCENE if not last else 4):
                self._turn(turn)
            if place == 0 and number in MAJOR_IN:
                self._drive_to_major(MAJOR_IN[number])
        if last:
            self._leave_open()
        else:
            kept.before_the_end(self, number)
            self.do(play.end_session, self.gm)
            kept.afterwards(self, number)

    def _turn(self, turn: int) -> None:
        """Play a turn: one person rolls, another speaks, and Burns are settled."""
        name = self.chance.choice(list(story.POOLS))
        if turn % 4 == 1:
            self.do(say_as, self._player(name), self.characters[name], self.chance.choice(story.SPOKEN[name]))
        if turn % 9 == 5:
            ask = kept.soak(self.characters[name])
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
        traits = self.chance.choice(story.POOLS[name])
        difficulty = self.chance.choice([5, 6, 6, 6, 7, 8])
        pool = sheet.pool(Character.objects.get(pk=character.pk).sheet, traits.split("+"))
        dice = max(1, pool.dice + momentum_of(character).die_modifier)
        ask = StorytellerInput(character=character.pk, traits=tuple(traits.split("+")), difficulty=difficulty)
        key = key_for(self.next_key(), dice, difficulty, wanted)
        self.do(make_roll, self._player(name), ask, audience=Audience.TABLE, key=key)

    def _drive_to_major(self, goal: int) -> None:
        """Roll on, banking offers, until the Scale reaches a Major Burn; then the GM narrates it once everyone has seen it."""
        while not (major := Burn.objects.filter(scale__campaign=self.gm.campaign, state=Burn.State.OPEN).first()):
            name = self.chance.choice(list(story.POOLS))
            self._roll(name, lambda delta: delta * goal > 0 and self._stays_driving(delta, goal))
            self._deal_with_burns(bank=True)
        for viewer in ("mo", "iva", "tess"):
            self.do(see_burn, self.viewers[viewer], major.pk)
        text = story.MAJORS[0] if goal < 0 else story.MAJORS[1]
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

    def _meet_again(self) -> None:
        """Plan the next session with a key and a time outside the usual order, so that the dice fall as they always did."""
        at = (self.now + SESSION_EVERY).replace(minute=30, second=0, microsecond=0)
        key = uuid5(NAMESPACE_URL, f"{self.slug} meets again")
        with happening_at(self.now):
            plan_session(self.gm, at, expected=plan_version(self.gm.campaign), key=key)

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
        name = next(role.player for role in story.CHARACTERS if role.name == character)
        return self.viewers[name or "gm"]

    def _player_of(self, burn: Burn) -> Membership:
        assert burn.character is not None  # noqa: S101  # for mypy: a Burn of the demo has one
        return self._player(burn.character.name)
