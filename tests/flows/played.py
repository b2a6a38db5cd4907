"""A campaign in which everything has happened once: every kind of event, and a canary in every private field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from uuid import uuid4

from campaigns.clocks import ClockKind
from campaigns.models import (
    ApiToken,
    Campaign,
    Clock,
    ClockTemplate,
    Event,
    Invitation,
    Membership,
    Picture,
    Role,
    SessionDate,
    Storyline,
)
from campaigns.models.clocks import ClockVisibility
from campaigns.services import campaigns, clocks, members, play
from campaigns.services.clocks import Draft
from campaigns.services.log import version
from characters.models import Character, CharacterTemplate, Claim, LedgerEntry
from characters.services import cards, fields
from rolls.models import Audience, Procedure, Roll, RollRequest, RollTable
from rolls.registry import RULESETS
from rolls.services import requests
from rolls.services import scale as scale_acts
from rolls.services.rolls import correct_roll, make_roll, reveal_roll, void_roll
from rulesets.forged import terms as forged
from rulesets.storyteller.terms import StorytellerInput
from scale.models import Burn, Scale
from scale.rules.oracles import STARTED_WITH
from scale.services import burns
from scale.services.burns import change_oracle, defer_burn, entries_version, narrate_burn, see_burn
from tests.canaries import canary
from tests.cast import Cast, person
from tests.flows.checks import Checks
from tests.flows.creation import creation_happens
from tests.flows.faces import delete_mistakes, give_faces
from tests.flows.kept import log_is_kept, rules_change, table_takes_care, they_agree_on_a_date
from tests.flows.moments import keep_moments
from tests.flows.opposed import Opposed
from tests.flows.pages import pages_are_written
from tests.flows.pictures import pictures_happen
from tests.flows.seeds import some_seeds
from tests.flows.sheets import come_on, write_on_sheets
from tests.flows.tables import tables_are_rolled_on
from tests.flows.underway import procedures_happen
from tests.rolls.thrown_again import throw_again
from tests.webhooks.receiving import GONE, TAKEN, Receiver, deliver
from webhooks import services as webhooks
from webhooks.models import Delivery, Format
from world.models import Page

PLUS_4 = (10, 9, 8, 8, 5)
MINUS_4 = (2, 3, 2, 3, 5)
NOTHING = (5, 5, 5, 5, 5)


@dataclass
class Played:
    """What a campaign holds in the end, for addresses that name things. What is called hidden no player knows of."""

    character: Character
    npc: Character
    hidden_npc: Character
    storyline: Storyline
    clock: Clock
    hidden_clock: Clock
    template: ClockTemplate
    character_template: CharacterTemplate
    roll: Roll
    hidden_roll: Roll
    request: RollRequest
    procedure: Procedure
    fired: Burn
    banked: Burn
    major: Burn
    entry: LedgerEntry
    claim: Claim
    scale: Scale
    invitation: Invitation
    token: ApiToken
    delivery: Delivery
    picture: Picture
    showing: Event
    date: SessionDate
    page: Page
    hidden_page: Page
    table: RollTable


class Table:
    """The people at it, doing one thing after the other."""

    def __init__(self, cast: Cast, dice: Callable[..., None]) -> None:
        self.cast, self.dice = cast, dice
        self.gm, self.mo, self.other = cast.gm.member, cast.player.member, cast.other_player.member

    def people(self) -> None:
        late = person("late", "Late")
        viewer = late.join(self.gm, Role.SPECTATOR)
        viewer = members.change_role(self.gm, viewer, Role.PLAYER, expected=Role.SPECTATOR, key=uuid4())
        members.leave(viewer, key=uuid4())
        open_one = members.invite(self.gm, Role.PLAYER, days=3, uses=5, key=uuid4())
        members.revoke_invitation(self.gm, open_one, key=uuid4())
        self.invitation = members.invite(self.gm, Role.PLAYER, days=3, uses=5, key=uuid4())
        members.make_token(self.mo, canary("mo", "token"), writes=False, days=3, key=uuid4())
        webhook = webhooks.add_webhook(
            self.gm, "https://bots.example.org/table", sent_as=Format.STANDARD, topics=["roll", "recap"], key=uuid4()
        )
        self.delivery = webhooks.send_test(self.gm, webhook.pk, key=uuid4())
        self.token = members.make_token(self.gm, canary("gm", "token"), writes=True, days=3, key=uuid4())
        campaigns.start_watching(self.gm, key=uuid4())
        seen = campaigns.campaign_version(Campaign.objects.get(pk=self.gm.campaign_id))
        played = list(RULESETS)
        campaigns.edit_campaign(self.gm, name="Ashes", pitch="It burned.", systems=played, expected=seen, key=uuid4())
        campaigns.archive_campaign(self.gm, key=uuid4())
        campaigns.reopen_campaign(self.gm, key=uuid4())

    def sessions(self) -> None:
        first = play.start_session(self.gm, "First", key=uuid4())
        play.title_session(self.gm, first, "The first", expected=version({"title": "First"}), key=uuid4())
        scene = play.open_scene(self.gm, "Door", key=uuid4())
        play.title_scene(self.gm, scene, "The door", expected=version({"title": "Door"}), key=uuid4())
        play.close_scene(self.gm, key=uuid4())
        play.end_session(self.gm, key=uuid4())
        play.remember(self.mo, first, "The *door*.", expected=play.memory_version(""), key=uuid4())
        play.start_session(self.gm, "Second", key=uuid4())
        play.open_scene(self.gm, "Roof", key=uuid4())
        self.storyline = play.add_storyline(
            self.gm, "A debt", whose=self.mo, gm_notes=canary("gm", "notes"), key=uuid4()
        )
        play.say(self.mo, "Hello *all*", key=uuid4())
        play.narrate(self.gm, "It rains.", key=uuid4())
        play.whisper(self.mo, canary("mo", "whisper"), to=[self.gm], key=uuid4())
        play.whisper(self.other, canary("other", "whisper"), to=[self.gm], key=uuid4())
        told, *others = STARTED_WITH["grace"]
        seen = entries_version(STARTED_WITH["grace"])
        entries = [replace(told, title="A storm", text=canary("gm", "oracle")), *others]
        change_oracle(self.gm, "grace", entries, expected=seen, key=uuid4())

    def clocks(self) -> None:
        draft = Draft("Dawn", 4, owner="crew")
        self.clock = clocks.make_clock(self.gm, draft, key=uuid4())
        clocks.tick_clock(self.mo, self.clock, 2, reason="time", key=uuid4())
        hidden = Draft(canary("gm", "clock"), 6, ClockKind.DANGER, ClockVisibility.SECRET)
        self.hidden_clock = clocks.make_clock(self.gm, hidden, key=uuid4())
        clocks.tick_clock(self.gm, self.hidden_clock, 1, reason=canary("gm", "reason"), key=uuid4())
        known = clocks.make_clock(self.gm, Draft("Deeds", 6, visibility=ClockVisibility.KNOWN), key=uuid4())
        clocks.tick_clock(self.gm, known, 3, reason=canary("gm", "reason"), key=uuid4())
        clocks.move_clock(self.gm, known, up=True, key=uuid4())
        self.template = clocks.keep_template(self.gm, self.hidden_clock, key=uuid4())
        gone = clocks.make_clock(self.gm, Draft("Gone", 4), key=uuid4())
        clocks.archive_clock(self.gm, gone, key=uuid4())

    def characters(self) -> None:
        self.character = self._character(self.mo, cards.Card("Silas", "Archivist", self.mo))
        for field, value in (("perception", 3), ("alertness", 2), ("willpower", 7), ("willpower_now", 6)):
            seen = self.character.value(field)
            self.character = fields.set_field(self.mo, self.character, field, value, expected=seen, key=uuid4())
        self._character(self.other, cards.Card("Corvina", "Actress", self.other))
        self.npc = self._character(self.gm, cards.Card("Orsolya", "Owner"))
        self.hidden_npc = self._character(self.gm, cards.Card(canary("gm", "npc"), "", None, shown=False))
        gone = self._character(self.mo, cards.Card("Gone", "", self.mo))
        seen = cards.card_version(gone)
        away = cards.Card("Away", "", self.mo)
        gone = cards.change_character(self.mo, gone, away, expected=seen, key=uuid4())
        gone = cards.retire_character(self.mo, gone, key=uuid4())
        gone = cards.return_character(self.mo, gone, key=uuid4())
        gone = cards.retire_character(self.mo, gone, key=uuid4())
        cards.kill_character(self.gm, gone, key=uuid4())
        self.character = write_on_sheets(self.gm, self.mo, self.character, self.hidden_npc)
        self.character_template = creation_happens(self.gm, self.mo, self.npc, self.hidden_npc)
        three = give_faces(self.gm, self.character, self.npc, self.hidden_npc)
        self.character, self.npc, self.hidden_npc = three
        delete_mistakes(self.gm, self.other)
        cards.say_as(self.mo, self.character, "Who is there?", key=uuid4())

    def _character(self, by: Membership, card: cards.Card) -> Character:
        return cards.make_character(by, card, key=uuid4())

    def roll(self, faces: tuple[int, ...], audience: Audience = Audience.TABLE, **ask: object) -> Roll:
        self.dice(*faces)
        asked = StorytellerInput(character=self.character.pk, traits=("perception", "alertness"), **ask)
        return make_roll(self.mo, asked, audience=audience, key=uuid4())

    def burn(self, state: Burn.State) -> Burn:
        return Burn.objects.get(scale__campaign=self.gm.campaign_id, state=state)

    def rolls(self) -> None:
        self.roll(NOTHING, note="into the dark")
        self.roll(NOTHING, Audience.SELF, note=canary("mo", "note"))
        self.dice(*NOTHING)
        secret = StorytellerInput(character=self.hidden_npc.pk, dice=5, note=canary("gm", "note"))
        self.hidden_roll = make_roll(self.gm, secret, audience=Audience.GM, key=uuid4())
        shown = make_roll(self.gm, StorytellerInput(dice=2, note="shown later"), audience=Audience.GM, key=uuid4())
        reveal_roll(self.gm, shown.pk, key=uuid4())
        easier = {"difficulty": 5, "kind": "action", "ability": 2, "note": ""}
        correct_roll(self.gm, self.roll(NOTHING).pk, easier, key=uuid4())
        call = requests.Call(StorytellerInput(traits=("perception",), difficulty=7), reason="a noise")
        asked = requests.ask_for_roll(self.gm, call, key=uuid4())
        requests.change_request(self.gm, asked.pk, requests.Call(StorytellerInput(difficulty=8)), key=uuid4())
        requests.close_request(self.gm, asked.pk, key=uuid4())
        self.request = requests.ask_for_roll(self.gm, call, member=self.other.pk, audience=Audience.SELF, key=uuid4())
        again = self.roll(NOTHING)
        self.dice(4)
        throw_again(self.mo, again.pk, 0, key=uuid4())
        for _ in range(2):  # so that statistics count no number of tests/flows/checks.py
            self.roll(NOTHING)
        some_seeds(self.gm, self.mo)
        self.table = tables_are_rolled_on(self.gm, self.dice)

    def opposed(self) -> None:
        Opposed(self.gm, self.mo, self.dice, self.character).happen(self.hidden_npc)

    def procedures(self) -> None:
        self.procedure = procedures_happen(self.gm, self.mo, self.character, self.dice)

    def actions(self) -> None:
        thorn = cards.make_character(self.mo, cards.Card("Thorn", "", self.mo), system="forged", key=uuid4())
        thorn = fields.set_field(self.mo, thorn, "skirmish", 2, expected=0, key=uuid4())
        thorn = fields.set_field(self.mo, thorn, "stress", 3, expected=0, key=uuid4())
        said = {"position": "desperate", "effect": "great", "harm1": True, "trade": "position", "note": "on the roof"}
        call = requests.Call(forged.ActionTerms(action="skirmish", position="desperate", effect="great"))
        said["request"] = requests.ask_for_roll(self.gm, call, member=self.mo.pk, key=uuid4()).pk
        made = self._act(thorn, (6, 6, 1, 2), action="skirmish", helper=self.character.pk, bargain="a witness", **said)
        correct_roll(self.gm, made.pk, {"position": "risky", "reduced": True}, key=uuid4())
        pushed = self._act(thorn, (1, 2, 3), action="skirmish", push_die=True).pk
        void_roll(self.gm, pushed, reason="no push", key=uuid4())
        self._act(thorn, (4,), kind="resistance", attribute="prowess", consequence="severe harm")
        self._act(thorn, (4, 5, 1), action="skirmish", bargain=canary("mo", "bargain"), audience=Audience.SELF)
        hidden = self._act(self.hidden_npc, (2,), kind="fortune", note=canary("gm", "fortune"), audience=Audience.GM)
        correct_roll(self.gm, hidden.pk, {"note": canary("gm", "corrected")}, key=uuid4())

    def _act(self, who: Character, faces: tuple[int, ...], audience: Audience = Audience.TABLE, **ask: object) -> Roll:
        self.dice(*faces)
        by = self.gm if who == self.hidden_npc else self.mo
        return make_roll(
            by, forged.TERMS[ask.get("kind", "action")](character=who.pk, **ask), audience=audience, key=uuid4()
        )

    def advances(self) -> None:
        self.entry, self.claim = come_on(self.gm, self.mo, self.character, self.hidden_npc)

    def checks(self) -> None:
        Checks(self.gm, self.mo, self.dice).happen()

    def burns(self) -> None:
        void_roll(self.gm, self.roll(PLUS_4).pk, reason="too early", key=uuid4())
        self.roll(PLUS_4)
        offered = self.burn(Burn.State.OFFERED)
        burns.take_burn(self.mo, offered.pk, key=uuid4())
        burns.choose_effect(self.mo, offered.pk, "discipline", words="unseen", key=uuid4())
        burns.decide_activation(self.gm, offered.pk, plausible=False, key=uuid4())
        burns.choose_effect(self.mo, offered.pk, "discipline", words="unheard", key=uuid4())
        burns.decide_activation(self.gm, offered.pk, plausible=True, key=uuid4())
        burns.use_free_activation(self.mo, self.character.pk, key=uuid4())
        self.roll(MINUS_4)
        burns.bank_burn(self.mo, self.burn(Burn.State.OFFERED).pk, key=uuid4())
        burns.spend_banked(self.mo, self.burn(Burn.State.BANKED).pk, key=uuid4())
        burns.choose_effect(self.gm, self.burn(Burn.State.FIRED).pk, "disposition", npc=self.npc.pk, key=uuid4())
        self.scale = Scale.objects.get(campaign=self.gm.campaign_id)
        scale_acts.undo_newest(self.gm, self.scale.pk, reason="misread", key=uuid4())
        burns.choose_effect(self.gm, self.burn(Burn.State.FIRED).pk, "die", key=uuid4())
        void_roll(self.gm, self.roll(NOTHING[:4]).pk, reason="slipped", key=uuid4())
        self.roll(NOTHING[:4])

    def majors(self) -> None:
        self.roll(PLUS_4)
        story, oracle = 1, 3
        self.roll((*PLUS_4, story, oracle))
        narrated = self.burn(Burn.State.OPEN)
        see_burn(self.mo, narrated.pk, key=uuid4())
        defer_burn(self.gm, narrated.pk, key=uuid4())
        narrate_burn(self.gm, narrated.pk, "The roof *falls*.", key=uuid4())
        scale_acts.mark_oracle(self.mo, narrated.pk, "grace", "advantage", key=uuid4())
        keep_moments(self.gm, self.mo)

    def settings(self) -> None:
        rules_change(self.gm)
        table_takes_care(self.cast)
        self.date = they_agree_on_a_date(self.cast)
        self.page, self.hidden_page = pages_are_written(self.gm, self.mo, self.npc, self.hidden_npc)
        deliver(Receiver([TAKEN, GONE]))
        self.picture, self.showing = pictures_happen(self.gm, self.mo)
        log_is_kept(self.cast)


def everything_happens(cast: Cast, dice: Callable[..., None]) -> Played:
    """Do everything there is to do, in an order in which it can be done."""
    table = Table(cast, dice)
    for chapter in (
        "people",
        "sessions",
        "clocks",
        "characters",
        "rolls",
        "opposed",
        "procedures",
        "actions",
        "advances",
        "checks",
        "burns",
        "majors",
        "settings",
    ):
        getattr(table, chapter)()
    return leave_things_open(table)


def leave_things_open(work: Table) -> Played:
    """Leave open at the end: a fired Burn, a banked one, a Major Burn to be narrated, and a request."""
    work.roll(PLUS_4)  # with one in the bank both fire
    work.roll(PLUS_4)
    story, oracle, second = 10, 8, 3
    work.roll((*PLUS_4, story, 7, oracle, second))
    return Played(
        character=work.character,
        npc=work.npc,
        hidden_npc=work.hidden_npc,
        storyline=work.storyline,
        clock=work.clock,
        hidden_clock=work.hidden_clock,
        template=work.template,
        character_template=work.character_template,
        roll=Roll.objects.filter(by=work.mo, audience=Audience.TABLE, voided_at=None).latest("at"),
        hidden_roll=work.hidden_roll,
        request=work.request,
        procedure=work.procedure,
        fired=Burn.objects.filter(scale=work.scale, state=Burn.State.FIRED)[0],
        banked=work.burn(Burn.State.BANKED),
        major=work.burn(Burn.State.OPEN),
        entry=work.entry,
        claim=work.claim,
        scale=work.scale,
        invitation=work.invitation,
        token=work.token,
        delivery=work.delivery,
        picture=work.picture,
        showing=work.showing,
        date=work.date,
        page=work.page,
        hidden_page=work.hidden_page,
        table=work.table,
    )
