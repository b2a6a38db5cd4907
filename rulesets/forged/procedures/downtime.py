"""The downtime at the table: the payoff of a score, entanglements, and everyone's activities until the next (public rules)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Annotated, Any, ClassVar, Final
from uuid import UUID

from campaigns.schema import Code
from characters.reasons import Reason
from languages.text import gettext_lazy, pgettext_lazy
from rolls.stage import Row, Staged
from rules.acting import OPEN, Between, OneOf, Procedure, Roll, Text, Waits, act, owner
from rules.errors import OutOfRange
from rules.messages import Message, Words, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import Button
from rules.table import Clock, Refused, Table, add_row
from rulesets.forged import sheet
from rulesets.forged.procedures.experience import PLAYBOOK, TRACKS, label
from rulesets.forged.procedures.score import Loads, Opening
from rulesets.forged.rows import Crew, Item, Scoundrel, check_people, crew_of, found, people, row_of
from rulesets.forged.rules import LONGEST_NAME, ORDER, Result
from rulesets.forged.rules.action import PUSH_COST, Attribute, check_payment
from rulesets.forged.rules.downtime import (
    AWAY,
    COIN_PER_TIER,
    ENTANGLEMENT,
    ENTANGLEMENT_WORDS,
    FREE_ACTIVITIES,
    FREE_AT_WAR,
    HEAT_BOXES,
    HIGHEST_TIER,
    MOST_EXTRA_COIN,
    TRAINING_XP,
    Activity,
    Away,
    Exposure,
    Person,
    Plan,
    Score,
    Take,
    Taken,
    entanglement,
    indulged,
    payoff,
    score_heat,
)
from rulesets.forged.sheet import MOST_COIN, REP
from rulesets.forged.terms import FortuneTerms

MOST_BETTER: Final = 40
USUAL_SEGMENTS: Final = 8
BRAG_HEAT: Final = 2

SCORE = Reason("forged_score", gettext_lazy("a score"))
ACTIVITY = Reason("forged_activity", gettext_lazy("a downtime activity"))
PUSHED = Reason("forged_downtime_push", gettext_lazy("a push in downtime"))
BOUGHT = Reason("forged_bought_activity", gettext_lazy("one more activity"))
ASSET = Reason("forged_asset", gettext_lazy("acquired in downtime"))
BETTERED = Reason("forged_bettered", gettext_lazy("coin for a better result"))
VICE_LEFT = Reason("forged_vice_left", gettext_lazy("a downtime without the vice"))
OVER = Reason("forged_overindulged", gettext_lazy("overindulging"))
PRISONED = Reason("forged_prison", gettext_lazy("someone went to prison"))

ACTIVITIES: Final = {
    Activity.VICE: gettext_lazy("Indulge the vice"),
    Activity.RECOVER: gettext_lazy("Recover"),
    Activity.HEAT: gettext_lazy("Reduce heat"),
    Activity.PROJECT: gettext_lazy("Long-term project"),
    Activity.ACQUIRE: gettext_lazy("Acquire an asset"),
    Activity.TRAIN: pgettext_lazy("downtime activity", "Train"),
}
TAKES: Final = {
    "": gettext_lazy("no score before this"),
    Take.MINOR: gettext_lazy("minor: 2 coin"),
    Take.SMALL: gettext_lazy("small: 4 coin"),
    Take.STANDARD: gettext_lazy("standard: 6 coin"),
    Take.BIG: gettext_lazy("big: 8 coin"),
    Take.MAJOR: gettext_lazy("major: 10 coin or more"),
}
EXPOSURES: Final = {
    Exposure.UNSEEN: gettext_lazy("unseen: 0 heat"),
    Exposure.CONTAINED: gettext_lazy("contained: 2 heat"),
    Exposure.LOUD: gettext_lazy("loud: 4 heat"),
    Exposure.WILD: gettext_lazy("wild: 6 heat"),
}
SENTENCES: Final = {
    4: gettext_lazy("It’s for life, or the gallows."),
    3: gettext_lazy("It takes a year or two."),
    2: gettext_lazy("It takes several months."),
    1: gettext_lazy("It takes a month or two."),
    0: gettext_lazy("It takes a few weeks."),
}
"""The length of a prison sentence, by the wanted level before it (public rules)."""
OWN, CREWS, REPS = "coin", "crew", "rep"
PAID_FROM: Final = {OWN: gettext_lazy("your own coin"), CREWS: gettext_lazy("the crew’s coin")}
BUYS: Final = {
    OWN: gettext_lazy("Buy one more: 1 coin"),
    CREWS: gettext_lazy("Buy one more: 1 of the crew’s coin"),
    REPS: gettext_lazy("Buy one more: 1 rep"),
}
TROUBLE, BRAG, LOST, CUT_OFF = "trouble", "brag", "lost", "cut_off"
COMES: Final = {
    TROUBLE: gettext_lazy("Trouble: an entanglement"),
    BRAG: gettext_lazy("Loose talk: 2 heat"),
    LOST: gettext_lazy("Gone for a while"),
    CUT_OFF: gettext_lazy("Cut off by the purveyor"),
}
"""What comes of overindulging."""
SAID: Final = {
    "done": gettext_lazy("{name} finished the downtime."),
    f"buy_{OWN}": gettext_lazy("{name} bought one more activity for 1 coin."),
    f"buy_{CREWS}": gettext_lazy("{name} bought one more activity for 1 of the crew’s coin."),
    f"buy_{REPS}": gettext_lazy("{name} bought one more activity for 1 rep."),
    TROUBLE: gettext_lazy("{name} overindulged, and trouble came of it."),
    BRAG: gettext_lazy("{name} overindulged and talked too much: 2 heat."),
    LOST: gettext_lazy("{name} overindulged and is gone for a while."),
    CUT_OFF: gettext_lazy("{name} overindulged, and the purveyor cut them off."),
}
"""The sentences of the log that name nothing but who it was, as acts of 0.2 were called."""


def staying(procedure: Downtime, table: Table) -> list[Scoundrel]:
    """Return those in play who are neither in prison nor gone."""
    return [who for who in found(table, procedure.those) if who.in_play and not procedure.those[who.id].away]


def free(procedure: Downtime, table: Table) -> list[Scoundrel]:
    there = [(who, procedure.those[who.id]) for who in staying(procedure, table)]
    return [who for who, person in there if not (person.over or person.done)]


def entries(procedure: Downtime, table: Table) -> Iterator[tuple[int, int]]:
    """Yield which of the entanglements that came, and which of its entries, of each to pick from."""
    undecided = ((number, trouble) for number, trouble in enumerate(procedure.troubles) if len(trouble) > 1)
    return ((number, entry) for number, trouble in undecided for entry in range(len(trouble)))


def actions(procedure: Downtime, table: Table, who: Scoundrel) -> Iterator[tuple[str, Words]]:
    """Yield the actions of someone's own, the best first."""
    if table.by.plays(who.id):
        for name in sorted(sheet.ACTION_LABELS, key=who.dots, reverse=True):
            yield name, joined("", (worded(sheet.ACTION_LABELS[name]), f" {who.dots(name)}"))


def projects(procedure: Downtime, table: Table, who: Scoundrel) -> Iterator[tuple[Clock, Words]]:
    """Yield the clocks that a project may be worked on: in sight of all, and not full."""
    for clock in table.all(Clock):
        if clock.kind in ("project", "progress") and not (clock.is_full or clock.hidden or clock.untold):
            named = {"clock": clock.name, "filled": clock.filled, "segments": clock.segments}
            yield clock, _("{clock}, {filled} of {segments}", **named)


def tracks(procedure: Downtime, table: Table, who: Scoundrel) -> Iterator[tuple[str, Words]]:
    """Yield the tracks that have a box that is free, each once in a downtime."""
    roomy = (track for track in (*TRACKS[1:], PLAYBOOK) if getattr(who, track) < sheet.XP_BOXES[track])
    return ((track, label(track)) for track in roomy if not procedure.those[who.id].has(Activity.TRAIN, track))


def sources(procedure: Downtime, table: Table, who: Scoundrel) -> Iterator[tuple[str, Words]]:
    """Yield from what they can pay for a better result of their last activity."""
    least, crew = procedure.least(table, who), crew_of(table)
    for source, have in ((OWN, who.coin), (CREWS, crew.coin if crew else 0)):
        if 0 < least <= have:
            yield source, PAID_FROM[source]


def begun(procedure: Downtime, table: Table) -> bool:
    return procedure.written


def of_a_crew(procedure: Downtime, table: Table) -> bool:
    return procedure.written and crew_of(table) is not None


def theirs(procedure: Downtime, table: Table, who: Scoundrel, *more: str) -> Person:
    return procedure.those[who.id]


class Downtime(Procedure):
    """Players choose for their own characters, GMs for all; payoff, entanglements and the end are the GM's."""

    label = gettext_lazy("Downtime")
    why = ACTIVITY
    on_card: ClassVar = {"take_activity": "forged/_activities.html"}

    those: dict[Code, Person] = {}
    war: bool = False
    score: Score | None = None
    written: bool = True
    """Whether what the score brought is on the crew's sheet; without a score the activities begin at once."""
    entangle: int | None = None
    """The heat at which an entanglement is about to be rolled."""
    troubles: list[list[Code]] = []
    """The entanglements that came: of two entries the GM picks one."""

    @act(
        label,
        says=lambda self, table: (
            gettext_lazy("Downtime began, at war: {names}.") if self.war else gettext_lazy("Downtime began: {names}.")
        ),
    )
    def open(
        self,
        table: Table,
        *,
        take: Annotated[
            str,
            OneOf(lambda self, table: TAKES.items() if crew_of(table) else [("", TAKES[""])]),
            gettext_lazy("Haul"),
        ] = "",
        extra: Annotated[int, Between(0, MOST_EXTRA_COIN), gettext_lazy("Extra coin of a major haul")] = 0,
        target: Annotated[int, Between(0, HIGHEST_TIER), gettext_lazy("Target’s Tier")] = 0,
        exposure: Annotated[Exposure, OneOf.of(EXPOSURES), gettext_lazy("How it was done")] = Exposure.UNSEEN,
        prominent: Annotated[bool, gettext_lazy("Prominent target: +1 heat")] = False,
        hostile_turf: Annotated[bool, gettext_lazy("On hostile turf: +1 heat")] = False,
        killing: Annotated[bool, gettext_lazy("Someone was killed: +2 heat")] = False,
        war: Annotated[bool, gettext_lazy("At war: +1 heat, and one activity each")] = False,
    ) -> None:
        check_people(table)
        self.war = war
        if take and (crew := crew_of(table)):
            self.score, self.written = payoff(crew.tier, target, Take(take), extra), False
            self.score.heat = score_heat(
                exposure, prominent=prominent, hostile_turf=hostile_turf, war=war, killing=killing
            )
        self.settle(table)

    @act(gettext_lazy("Record it"), when=lambda self, table: not self.written, primary=True)
    def write(self, table: Table) -> Words:
        """Write rep, coin and heat of the score, after which the entanglement that follows is rolled. The score is over, so loads
        and its opening position go."""
        crew, score = self._crew(table), self.score
        if score is None:
            raise Refused(_("There was no score."))
        table.because(SCORE)
        crew.rep, crew.coin = crew.rep + score.rep, crew.coin + score.coin
        crew.mark_heat(score.heat)
        self.written, self.entangle = True, crew.heat
        for who in found(table, self.those):
            if who.in_play:
                who.load = ""
                for item in who.items.values():
                    item.carried = False
        for token in (*table.all(Loads), *table.all(Opening)):
            token.over = True
        return self._wrote(table)

    def so_far(self, act: str, table: Table, *target: Any) -> Mapping[str, Any]:
        usual = {"take": Take.STANDARD if crew_of(table) else "", "exposure": Exposure.CONTAINED}
        return usual if act == OPEN else super().so_far(act, table, *target)

    @act(
        gettext_lazy("Choose an activity"),
        by=owner,
        when=begun,
        each=lambda self, table: filter(self.left, free(self, table)),
        terms=theirs,
    )
    def take_activity(
        self,
        table: Table,
        who: Scoundrel,
        *,
        kind: Annotated[
            Activity,
            OneOf(
                lambda self, table, who: (
                    (what, "" if self.hindrance(table, who, what) else words) for what, words in ACTIVITIES.items()
                )
            ),
        ],
        action: Annotated[str, OneOf(actions)] = "",
        clock: Annotated[Clock | None, OneOf(projects)] = None,
        project: Annotated[str, Text(LONGEST_NAME)] = "",
        thing: Annotated[str, Text(LONGEST_NAME)] = "",
        segments: Annotated[int, Between(2, 12), gettext_lazy("Segments")] = USUAL_SEGMENTS,
        healer: Annotated[
            Scoundrel | None,
            OneOf(
                lambda self, table, who: [
                    ("", _("someone you pay: rolls the crew’s Tier")),
                    *((one, _("{name}, with Tinker", name=one.name)) for one in staying(self, table)),
                ]
            ),
        ] = None,
        track: Annotated[str, OneOf(tracks)] = "",
        friend: bool = False,
        push: bool = False,
    ) -> Words:
        """Train, or say for what dice fall; what is said of other activities is ignored."""
        person, crew = self.those[who.id], crew_of(table)
        if why := self.hindrance(table, who, kind):
            raise Refused(why, "kind")
        plan = Plan(what=kind, rating=crew.tier if crew else 0, friend=friend, push=push)
        match kind:
            case Activity.TRAIN:
                if not track:
                    raise Refused(_("Choose what to train."), "track")
                setattr(who, track, getattr(who, track) + TRAINING_XP)
                person.taken.append(Taken(what=kind, amount=TRAINING_XP, name=track))
                return self._trained(who)
            case Activity.VICE:
                plan = Plan(what=kind, rating=min(map(who.attribute, Attribute)))  # public rules, Vice
            case Activity.ACQUIRE:
                plan.name = _named(thing, "thing", _("Say what you acquire."))
            case Activity.RECOVER if healer:
                plan.action, plan.rating = "tinker", healer.dots("tinker")
            case Activity.HEAT | Activity.PROJECT:
                if not action:
                    raise Refused(_("Choose an action to roll."), "action")
                plan.action, plan.rating = action, who.dots(action)
        if kind is Activity.PROJECT and clock:
            plan.clock, plan.name = clock.id, clock.name
        elif kind is Activity.PROJECT:
            plan.name = _named(project, "project", _("Choose a clock for the project, or name a new one."))
            plan.segments = segments
        if plan.push:
            who.check_room(table)
            if not table.override:
                check_payment(who.stress, PUSH_COST, table.settings)
        person.plan = plan
        return ""

    @act(
        lambda self, table, who, source: worded(BUYS[source]),
        by=owner,
        when=begun,
        each=lambda self, table: product(free(self, table), BUYS if crew_of(table) else [OWN]),
        terms=theirs,
    )
    def buy(self, table: Table, who: Scoundrel, source: str) -> Words:
        """Buy one more activity, out of their own coin, the crew's, or its rep."""
        if self.left(who):
            raise Refused(_("{name} has an activity left. Take that first.", name=who.name))
        self._pay(table, who, source, 1, BOUGHT)
        self.those[who.id].bought += 1
        return worded(SAID[f"buy_{source}"], name=who.name)

    @act(
        gettext_lazy("Improve for coin"),
        by=owner,
        when=begun,
        each=lambda self, table: [who for who in free(self, table) if any(sources(self, table, who))],
        terms=theirs,
    )
    def better(
        self,
        table: Table,
        who: Scoundrel,
        *,
        coin: Annotated[int, Between(1, MOST_BETTER), gettext_lazy("Coin")],
        paid_from: Annotated[str, OneOf(sources), gettext_lazy("Paid from")] = OWN,
    ) -> Words:
        """Spend coin after the roll: each is one result better; beyond a critical 2 are a Tier more of an asset."""
        taken = self.those[who.id].taken[-1]
        most, more = len(ORDER) - 1 - ORDER.index(taken.result or Result.BAD) - taken.bettered, taken.better(coin)
        if taken.what is not Activity.ACQUIRE and coin > most:
            raise OutOfRange("coin", coin, 1, most)
        if more == taken.amount:
            raise Refused(_("That changes nothing: another Tier costs {coin} coin.", coin=COIN_PER_TIER), "coin")
        self._pay(table, who, paid_from, coin, BETTERED)
        table.because(ACTIVITY)
        self._count(table, who, taken, more - taken.amount)
        asset = next((item for item in who.items.values() if item.name == taken.asset), None)
        taken.amount, taken.bettered = more, taken.bettered + coin
        if taken.what is Activity.ACQUIRE:
            self._acquire(table, who, taken, asset)
        return self._bettered(who)

    @act(pgettext_lazy("downtime", "Done"), by=owner, when=begun, each=free, terms=theirs)
    def done(self, table: Table, who: Scoundrel) -> Words:
        self.those[who.id].done = True
        return worded(SAID["done"], name=who.name)

    @act(
        lambda self, table, who, comes: worded(COMES[comes]),
        by=owner,
        when=begun,
        each=lambda self, table: product(self.overindulged(table), COMES if crew_of(table) else [LOST, CUT_OFF]),
    )
    def overindulge(self, table: Table, who: Scoundrel, comes: str) -> Words:
        """Settle what comes of too much of a vice, as the player chooses."""
        person, crew = self.those[who.id], crew_of(table)
        person.over = False
        table.because(OVER)
        if comes == LOST:
            person.away = Away.LOST
        elif comes == CUT_OFF:
            who.vice_purveyor = ""
        elif crew and comes == BRAG:
            crew.mark_heat(BRAG_HEAT)
        elif crew:
            self.entangle = crew.heat
        return worded(SAID[comes], name=who.name)

    @act(
        lambda self, table, number, entry: worded(ENTANGLEMENT_WORDS[self.troubles[number][entry]]),
        says=gettext_lazy("The entanglement was chosen: {entries}."),
        when=begun,
        each=entries,
    )
    def choose(self, table: Table, number: int, entry: int) -> None:
        self.troubles[number] = [self.troubles[number][entry]]

    @act(gettext_lazy("Roll an entanglement"), when=of_a_crew, terms=lambda self, table: len(self.troubles))
    def roll_entanglement(self, table: Table) -> None:
        self.entangle = self._crew(table).heat

    @act(gettext_lazy("Send someone to prison…"), when=of_a_crew)
    def prison(
        self,
        table: Table,
        *,
        who: Annotated[
            Scoundrel | None,
            OneOf(staying, none=gettext_lazy("someone else from the crew")),
            gettext_lazy("Character"),
        ] = None,
    ) -> Words:
        """Lock someone up for the crew: the wanted level goes down by one, and the heat is gone."""
        crew = self._crew(table)
        table.because(PRISONED)
        crew.heat, crew.wanted = 0, max(0, crew.wanted - 1)
        if who:
            self.those[who.id].away = Away.PRISON
        return self._prisoned(table)

    @act(gettext_lazy("End downtime"), when=begun)
    def end(self, table: Table) -> Words:
        """End the downtime: who has not indulged has stress for each trauma."""
        for who in self.overindulged(table):
            raise Refused(_("{name} has overindulged. Choose what comes of it first.", name=who.name))
        table.because(VICE_LEFT)
        for who in self._without_vice(table):
            who.strain(table, len(who.traumas))
        self.over = True
        return self._ended(table)

    def settle(self, table: Table) -> None:
        """Let whoever comes into play take part."""
        for who in people(table):
            self.those.setdefault(who.id, Person())

    def next_roll(self, table: Table) -> Roll | None:
        """Return the dice that are due: an activity’s, then those of an entanglement, by the wanted level."""
        if planned := self._planned(table):
            who, plan = planned
            dice = {"trait": plan.rating, "advantages": plan.friend + plan.push}
            return _roll(plan.what.value, plan.model_dump(mode="json"), character=UUID(who.id), **dice)
        crew = crew_of(table)
        if crew is None or self.entangle is None:
            return None
        return _roll(ENTANGLEMENT, {"heat": self.entangle}, trait=crew.wanted)

    def on_roll(self, table: Table, part: str, outcome: Mapping[str, Any]) -> Words:
        """Count what was rolled for. The roll has its own card."""
        result = Result[outcome["result"].upper()]
        if planned := self._planned(table):
            who, plan = planned
            face = next(die["face"] for die in outcome["dice"] if die["role"] == "kept")
            self.those[who.id].plan = None
            self.those[who.id].taken.append(self._fell(table, who, plan, result, face))
        elif self.entangle is not None:
            self.troubles.append([*entanglement(min(self.entangle, HEAT_BOXES - 1), result)])
            self.entangle = None
        return ""

    def undo_roll(self, table: Table, part: str) -> None:
        """Forget it: its activity is free again; an entanglement is the GM's to roll again, or to let be."""
        self.entangle = None
        for person in self.those.values():
            person.plan = None

    def overindulged(self, table: Table) -> list[Scoundrel]:
        """Return who has yet to choose what comes of it."""
        return [who for who in found(table, self.those) if who.in_play and self.those[who.id].over]

    def left(self, who: Scoundrel) -> int:
        """Return how many activities someone has left; 0 for one who takes no more."""
        person, each = self.those[who.id], FREE_AT_WAR if self.war else FREE_ACTIVITIES
        if person.done or person.away or not who.in_play:
            return 0
        return max(0, each + person.bought - len(person.taken))

    def hindrance(self, table: Table, who: Scoundrel, what: Activity) -> Words:
        """Return why someone cannot take an activity; "" if they can."""
        crew = crew_of(table)
        match what:
            case Activity.VICE if self.those[who.id].has(what):
                return _("{name} has already indulged in this downtime.", name=who.name)
            case Activity.RECOVER if not any(who.harm.values()):
                return _("There’s no harm to heal.")
            case Activity.HEAT | Activity.ACQUIRE if crew is None:
                return _("There’s no crew sheet in this campaign yet. Create one first.")
            case Activity.HEAT if crew and not crew.heat:
                return _("The crew has no heat to reduce.")
            case Activity.TRAIN if not any(tracks(self, table, who)):
                return _("That track is full. Take its advance first.")
        return ""

    def least(self, table: Table, who: Scoundrel) -> int:
        """Return the least coin that makes their last activity better; 0 where none buys anything: there is no harm to heal, no
        heat to reduce, no room on the clock."""
        taken, crew = next(iter(self.those[who.id].taken[-1:]), None), crew_of(table)
        if taken is None or taken.result is None:
            return 0
        clock = table.find(Clock, taken.clock) if taken.clock else None
        counts = {
            Activity.PROJECT: clock is not None and not clock.is_full,
            Activity.RECOVER: any(who.harm.values()),
            Activity.HEAT: crew is not None and crew.heat > 0,
        }
        more = (coin for coin in range(1, COIN_PER_TIER + 1) if taken.better(coin) != taken.amount)
        return next(more, 0) if counts.get(taken.what, True) else 0

    def waits(self, table: Table) -> Sequence[Waits]:
        if not self.written:
            return [Waits("", _("to record what the score brought"))]
        waits, over = [], [who.id for who in self.overindulged(table)]
        for who in found(table, self.those):
            if who.id in over:
                waits.append(Waits(who.id, _("to choose what comes of overindulging")))
            elif left := self.left(who):
                words = ngettext("to choose {count} activity", "to choose {count} activities", left)
                waits.append(Waits(who.id, words))
        if any(entries(self, table)):
            waits.append(Waits("", _("to choose the entanglement")))
        return waits or [Waits("", _("to end the downtime"))]

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        """Return what a score has brought until it is recorded, and then how everyone stands."""
        crew = crew_of(table)
        return Staged(
            above=_("Downtime"),
            title="" if self.written else _("Score: {gains}", gains=self._gains),
            notes=[*self._notes(table, crew)],
            rows=[*self._rows(table, buttons)] if self.written else (),
            acts=[button for button in buttons if not button.target],
        )

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        those = {
            one["character"]: Person(**{name: one[name] for name in ("bought", "taken", "plan", "over", "done")})
            for one in state["those"]
        }
        people = [
            Scoundrel(id=one["character"], name=one["name"], in_play=one["away"] != "left") for one in state["those"]
        ]
        for one in state["those"]:
            those[one["character"]].away = Away(one["away"]) if one["away"] in [*Away] else None
        troubles = [[*entanglement(one["heat"], Result(one["result"]))] for one in state["troubles"]]
        told = cls(
            those=those,
            war=state["war"],
            score=state["score"],
            written=state["stage"] != "score",
            over=state["stage"] == "ended",
            troubles=[
                came if one["chosen"] is None else [came[one["chosen"]]]
                for one, came in zip(state["troubles"], troubles, strict=True)
            ],
        )
        return Table([told, *people, *([Crew(**state["crew"])] if state["crew"] else [])])

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        who = next((one for one in found(table, self.those) if one.name == whom), None)
        if act in SAID:
            return worded(SAID[act], name=whom)
        match act:
            case "write":
                return self._wrote(table)
            case "take" if who and not self.those[who.id].plan:
                return self._trained(who)
            case "better" if who:
                return self._bettered(who)
            case "prison":
                return self._prisoned(table)
            case "end":
                return self._ended(table)
        return super().line_before(table, act, whom)

    def line_names(self, table: Table) -> Mapping[str, Words]:
        chosen = (worded(ENTANGLEMENT_WORDS[one[0]]) for one in self.troubles if len(one) == 1)
        return {
            "names": joined(", ", (who.name for who in found(table, self.those))),
            "entries": joined("; ", chosen),
        }

    def _crew(self, table: Table) -> Crew:
        if (crew := crew_of(table)) is None:
            raise Refused(_("There’s no crew sheet in this campaign yet. Create one first."))
        return crew

    def _pay(self, table: Table, who: Scoundrel, source: str, much: int, why: Reason) -> None:
        payer, what = who if source == OWN else self._crew(table), REPS if source == REPS else OWN
        if (have := getattr(payer, what)) < much:
            message = (
                _("{name} has {count} rep, which isn’t enough.", name=payer.name, count=have)
                if what == REPS
                else ngettext(
                    "{name} has {count} coin, which isn’t enough.",
                    "{name} has {count} coin, which isn’t enough.",
                    have,
                    name=payer.name,
                )
            )
            raise Refused(message, "paid_from")
        table.because(why)
        setattr(payer, what, have - much)

    def _planned(self, table: Table) -> tuple[Scoundrel, Plan] | None:
        """Return for whom dice are about to fall, if for anyone."""
        there = ((who, self.those[who.id].plan) for who in found(table, self.those))
        return next(((who, plan) for who, plan in there if plan), None)

    def _fell(self, table: Table, who: Scoundrel, plan: Plan, result: Result, face: int) -> Taken:
        """Return what a roll for an activity has come to, and write what follows from it."""
        if plan.what is Activity.VICE:
            cleared, self.those[who.id].over = indulged(min(who.stress, table.settings.boxes), face)
            who.stress -= cleared
            return Taken(what=plan.what, amount=cleared)
        taken = Taken(what=plan.what, amount=0, result=result, rating=plan.rating, name=plan.name, clock=plan.clock)
        taken.amount = taken.better(0)
        if plan.push:
            table.because(PUSHED)
            who.strain(table, PUSH_COST)
        table.because(ACTIVITY)
        if plan.segments:
            clock = Clock(name=plan.name, segments=plan.segments, kind="project", whose=who.id)
            table.add(clock)
            taken.clock = clock.id
        self._count(table, who, taken, taken.amount)
        if plan.what is Activity.ACQUIRE:
            self._acquire(table, who, taken)
        return taken

    def _count(self, table: Table, who: Scoundrel, taken: Taken, amount: int) -> None:
        """Write an amount on the healing clock, the heat, or the clock of a project."""
        crew, clock = crew_of(table), table.find(Clock, taken.clock) if taken.clock else None
        if taken.what is Activity.RECOVER and any(who.harm.values()):
            who.recover(amount)
        if taken.what is Activity.HEAT and crew:
            crew.mark_heat(-amount)
        if clock:
            clock.filled += amount

    def _acquire(self, table: Table, who: Scoundrel, taken: Taken, there: Item | None = None) -> None:
        """Write an asset among their items; one of a higher Tier in the row that it has."""
        table.because(ASSET)
        if there:
            there.name = taken.asset
        else:
            add_row(who.items, Item(name=taken.asset))

    def _without_vice(self, table: Table) -> list[Scoundrel]:
        return [who for who in found(table, self.those) if who.in_play and not self.those[who.id].has(Activity.VICE)]

    # Words

    @property
    def _gains(self) -> Words:
        if (score := self.score) is None:
            return _("no score")
        return _("{rep} rep, {coin}, {heat} heat", rep=score.rep, coin=_coins(score.coin), heat=score.heat)

    def _wrote(self, table: Table) -> Words:
        return joined(" ", (_("The score brought {gains}.", gains=self._gains), _law(crew_of(table))))

    def _prisoned(self, table: Table) -> Words:
        return joined(" ", (_("Someone went to prison for the crew."), _law(crew_of(table))))

    def _trained(self, who: Scoundrel) -> Words:
        taken = next(iter(self.those[who.id].taken[-1:]), None)
        if taken is None or taken.what is not Activity.TRAIN:
            return ""
        return _("{name} trained: {gain}.", name=who.name, gain=taken.gain)

    def _bettered(self, who: Scoundrel) -> Words:
        if not (taken := self.those[who.id].taken[-1:]):
            return ""
        words = gettext_lazy("{name} paid {coin} in all for a better result: {gain}.")
        return worded(words, name=who.name, coin=_coins(taken[0].bettered), gain=taken[0].gain)

    def _ended(self, table: Table) -> Words:
        ended = _("Downtime ended.")
        if not (left := joined(", ", (who.name for who in self._without_vice(table)))):
            return ended
        return joined(" ", (ended, _("Without their vice: {names}.", names=left)))

    def _notes(self, table: Table, crew: Crew | None) -> Iterator[Words]:
        """Yield what of the score the crew's sheet has no room for, before it is written; then how the law sees the crew."""
        if crew and self.written:
            yield _law(crew)
            if self.war:
                yield _("At war: one activity each.")
        elif crew and (score := self.score):
            rep, coin = crew.rep + score.rep - REP, crew.coin + score.coin - MOST_COIN
            over = [_("{count} rep", count=rep)] * (rep > 0) + [_coins(coin)] * (coin > 0)
            if over:
                sentence = gettext_lazy("The crew’s sheet has no room for {figures}. Share that out by hand.")
                yield worded(sentence, figures=joined(", ", over))

    def _standing(self, who: Scoundrel) -> Words:
        """Return words for how someone stands, such as "1 activity left"."""
        person, left = self.those[who.id], self.left(who)
        if not who.in_play:
            return _("no longer in play")
        if person.away:
            return worded(AWAY[person.away])
        if person.over:
            return _("overindulged")
        if person.done:
            return worded(pgettext_lazy("downtime", "done"))
        if not left:
            return _("no activities left")
        return ngettext("{count} activity left", "{count} activities left", left)

    def _rows(self, table: Table, buttons: Sequence[Button]) -> Iterator[Row]:
        """Yield the entanglements, of which the buttons say the entries where two are to choose from, then everyone."""
        for number, trouble in enumerate(self.troubles):
            own = [button for button in buttons if button.name == "choose" and button.whom == str(number)]
            words = worded(ENTANGLEMENT_WORDS[trouble[0]]) if len(trouble) == 1 else _("one of two")
            yield Row(whose=_("Entanglement"), words=words, look="trouble", buttons=own)
        yield from (self._row(who, buttons) for who in found(table, self.those))

    def _row(self, who: Scoundrel, buttons: Sequence[Button]) -> Row:
        person = self.those[who.id]
        lines = [joined(": ", (worded(ACTIVITIES[taken.what]), taken.gain)) for taken in person.taken]
        look = "settled" if person.away or not who.in_play else ""
        return row_of(who, buttons, detail=self._standing(who), lines=lines, look=look)


def _roll(settles: str, keeps: Mapping[str, Any], **more: Any) -> Roll:
    return Roll(part=settles, ask=FortuneTerms(settles=settles, keeps=keeps, **more))


def _named(name: str, field: str, message: Words) -> str:
    if not (words := " ".join(name.split())):
        raise Refused(message, field)
    return words


def _coins(count: int) -> Message:
    return ngettext("{count} coin", "{count} coin", count)


def _law(crew: Crew | None) -> Words:
    if crew is None:
        return ""
    words = gettext_lazy("Heat {heat} of {boxes}, wanted level {level}.")
    return worded(words, heat=crew.heat, boxes=HEAT_BOXES, level=crew.wanted)
