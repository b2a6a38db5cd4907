"""A robot that goes on with a procedure until each of its forms has been offered to somebody, wherever that takes it.

It presses what the rules offer, and fills forms by chance, so that procedures which a game has from tomorrow on are reached
without a word about them here. What it does can be done once more: chance, dice and keys go by the seed that a run prints.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.urls import reverse

from campaigns.models import Clock
from campaigns.services import clocks, play
from campaigns.services.clocks import Draft
from rolls.models import Procedure
from rolls.procedures import ProcedureKind
from rolls.queries.procedures import actor_of
from rolls.registry import RULESETS, procedures_of
from rules.acts import AvailableAct
from rules.procedures import OPEN
from tests.cast import Cast
from tests.dom import Node
from tests.flows.by_chance import filled_by_chance, key
from tests.flows.robot import Robot, Typed, forms_of
from tests.sheets import create_character
from tests.standing import state_for

WHO = ("gm", "player", "other_player")
WALKS = 80
"""The number of walks from an opening form before what is missing is given up."""

STEPS = 16
"""The steps of one walk."""

BRANCHES = 3
"""The ways on from where a form is met for the first time."""

WAYS = 6
"""In which a form is filled, before something else is pressed."""

FRESH: dict[str, dict[str, Any]] = {
    "storyteller": {"perception": 3, "wits": 2, "dexterity": 2, "willpower": 5, "willpower_now": 5},
    "arc": {"control": 5, "skills": [{"id": "t1", "at": 1, "name": "Tamper", "es": 5, "stat": "control"}]},
    "forged": {"prowl": 2, "skirmish": 1, "items": [{"id": "a1", "at": 1, "name": "A lantern", "load": 1}]},
    "descriptors": {
        "descriptors": [
            {"id": f"r{at}", "at": at, "name": name, "dice": 6, "category": ""}
            for at, name in enumerate(("Swordplay", "Patience", "Owl"))
        ],
        "injuries": [{"id": "i1", "at": 1, "name": "Cut hand", "dice": 2}],
    },
}
FULL = ((1, 2), (2, 2), (3, 1))
WORN: dict[str, dict[str, Any]] = {
    "forged": {
        "prowl": 3,
        **{
            f"harm_{row}": [{"id": f"h{at}", "at": at, "name": f"Hurt {at}"} for at in range(most)]
            for row, most in FULL
        },
    },
    "descriptors": {
        "descriptors": [{"id": "r1", "at": 1, "name": "Cards", "dice": 1, "category": ""}],
        **{f"power_{box}": True for box in range(1, 6)},
    },
}
"""Further values on half of the sheets, because much follows only for characters who have suffered already."""


@dataclass(frozen=True)
class Place:
    """Where a form is offered: of which procedure (None: it opens one), by which offer."""

    system: str
    kind: str
    name: str
    procedure: Procedure | None = None
    offer: AvailableAct | None = None

    @property
    def form(self) -> tuple[str, str, str]:
        return self.system, self.kind, self.name

    @property
    def rules(self) -> ProcedureKind:
        return RULESETS[self.system].procedures[self.kind]

    def asked(self, slug: str) -> tuple[str, dict[str, str]]:
        """Return the address of the form."""
        if self.procedure is None or self.offer is None:
            return reverse("procedure_new", args=[slug, self.system, self.kind]), {}
        return reverse("procedure_form", args=[slug, self.procedure.pk, self.name]), {"whom": self.offer.key.target}

    def sent(self, slug: str) -> str:
        """Return the address that the form is sent to."""
        if self.procedure is None:
            return reverse("procedure_open", args=[slug, self.system, self.kind])
        return reverse("procedure_act", args=[slug, self.procedure.pk])


def every_form() -> set[tuple[str, str, str]]:
    return {
        (system, kind, name)
        for system, ruleset in RULESETS.items()
        for kind, rules in ruleset.procedures.items()
        for name in rules.forms
    }


class Explorer:
    """`reached(place)` is called in the state in which a form is offered for the first time; what is done there is undone."""

    def __init__(self, cast: Cast, reached: Callable[[Place], None]) -> None:
        self.cast, self.reached = cast, reached
        self.slug = cast.campaign.slug
        self.by_hand = set(opened_by_hand(cast.campaign.systems))
        self.robot = Robot(cast, lambda operation, **_: operation(key()))
        self.found: set[tuple[str, str, str]] = set()
        self.pressed: Counter[tuple[str, str, str]] = Counter()

    def sit_down(self) -> None:
        """Give everyone a character of every game, half of them worn, with a crew and two clocks."""
        gm, campaign = self.cast.gm.member, self.cast.campaign
        for who in WHO:
            assert self.cast.everybody[who].client  # signed in before anything is undone
        play.start_session(gm, "One", key=key())
        play.open_scene(gm, "Roof", key=key())
        for system, fresh in FRESH.items():
            worn = fresh | WORN.get(system, {})
            owners = (("Bob", self.cast.player.member), ("Corvina", self.cast.other_player.member), ("Warden", None))
            for (name, owner), sheet in zip(owners, (fresh, worn, worn), strict=True):
                there = {"campaign": campaign, "system": system, "sheet": sheet, "owner": owner}
                create_character(pk=key(), name=f"{name} {system}", **there)
            create_character(pk=key(), name=f"Unseen {system}", shown=False, campaign=campaign, system=system)
        crew = {"sheet": {"heat": 5, "wanted": 2}, "is_crew": True}
        create_character(pk=key(), name="The Lamps", campaign=campaign, system="forged", **crew)
        for name in ("Dawn", "Doubt"):
            clocks.make_clock(gm, Draft(name, 4), key=key())

    def explores(self, kinds: list[tuple[str, str]]) -> None:
        """Procedures of these kinds; then those that they alone lead to, what is opened last first."""
        for system, kind in kinds:
            self._walk_for(system, kind, (kind,), WALKS)
        for system, kind in reversed(kinds):
            led_to = (other for _, other, _ in self.missing(system) if (system, other) not in self.by_hand)
            self._walk_for(system, kind, (kind, *led_to), 4)

    def missing(self, system: str, *kinds: str) -> set[tuple[str, str, str]]:
        """Return the missing forms of these kinds, or of all of a game."""
        return {form for form in every_form() - self.found if form[0] == system and form[1] in (kinds or form)}

    def _walk_for(self, system: str, kind: str, goals: tuple[str, ...], walks: int) -> None:
        for number in range(walks):
            if not self.missing(system, *goals):
                return
            with _undone():
                if number % 2:
                    play.close_scene(self.cast.gm.member, key=key())
                self._walks(system, kind, goals)

    def _walks(self, system: str, kind: str, goals: tuple[str, ...]) -> None:
        self.pressed.clear()
        if self._opens(system, kind):
            self._goes_on(system, goals, STEPS)

    def _goes_on(self, system: str, goals: tuple[str, ...], steps: int) -> None:
        """Walk on, and where a form is met for the first time, in several ways from there: what is rare follows what is rare."""
        for left in range(steps, 0, -1):
            there = list(Procedure.objects.filter(campaign=self.cast.campaign, closed_at=None).order_by("opened_at"))
            known = len(self.found)
            for one in there:
                self._looks(one)
            self._looks_without_clocks(there)
            if not there or not self.missing(system, *goals):
                return
            for _ in range(BRANCHES if len(self.found) > known and left < STEPS else 0):
                with _undone():
                    self._goes_on(system, goals, left - 1)
            self._archives_a_clock(there)
            for one in there:
                self._steps(one, goals)

    def _opens(self, system: str, kind: str) -> bool:
        place = Place(system, kind, OPEN)
        for _ in range(3 * WAYS):
            who = random.choice(WHO)
            for form in self.forms(who, place):
                if self._post(who, place, filled_by_chance(form)):
                    self._meets(place)
                    return True
        return False

    def _meets(self, place: Place) -> None:
        if place.form not in self.found:
            self.found.add(place.form)
            with _undone():
                self.reached(place)

    def _looks(self, procedure: Procedure) -> None:
        for who, place in self._offers(procedure):
            if place.name in place.rules.forms and place.form not in self.found and self.forms(who, place):
                self._meets(place)

    def _offers(self, procedure: Procedure) -> Iterator[tuple[str, Place]]:
        procedure.refresh_from_db()
        if procedure.closed_at:
            return
        rules = RULESETS[procedure.system].procedures[procedure.kind]
        state = state_for(procedure)
        for who in WHO:
            for offer in rules.available(state, actor_of(self.cast.everybody[who].member)):
                yield who, Place(procedure.system, procedure.kind, offer.name, procedure, offer)

    def _steps(self, procedure: Procedure, goals: tuple[str, ...]) -> None:
        """Press what moves it on, or what was pressed least so far, but nothing that ends it while forms are missing."""
        offers = list(self._offers(procedure))
        random.shuffle(offers)
        rules, (row, table) = RULESETS[procedure.system].procedures[procedure.kind], state_for(procedure)
        primary = {one.available.key for one in row.offers(table, {}) if one.primary}
        on = random.random() < 0.5

        def order(one: tuple[str, Place]) -> tuple[bool, float]:
            offer = one[1].offer
            assert offer
            often = 3 if offer.name in rules.forms else 1
            return not (on and offer.key in primary), self.pressed[self._named(one[1])] / often

        for who, place in sorted(offers, key=order)[:4]:
            self.pressed[self._named(place)] += 1
            before, open_now = transaction.savepoint(), self._open_now()
            if not self._presses(who, place):
                continue
            procedure.refresh_from_db()
            if procedure.closed_at is None or self._open_now() - open_now or not self.missing(place.system, *goals):
                break
            self.pressed[self._named(place)] += 2
            transaction.savepoint_rollback(before)
        procedure.refresh_from_db()
        if procedure.closed_at is None:
            self.robot._rolls(procedure)

    def _named(self, place: Place) -> tuple[str, str, str]:
        assert place.offer
        return place.kind, place.name, place.offer.whom

    def _open_now(self) -> set[UUID]:
        return set(Procedure.objects.filter(campaign=self.cast.campaign, closed_at=None).values_list("pk", flat=True))

    def _presses(self, who: str, place: Place) -> bool:
        assert place.offer
        if place.name not in place.rules.forms:
            return self._post(who, place, {"act": [str(place.offer.key)]})
        return any(
            self._post(who, place, filled_by_chance(form)) for form in self.forms(who, place) for _ in range(WAYS)
        )

    def _archives_a_clock(self, there: list[Procedure]) -> None:
        """Sometimes archive a clock as a GM, more often one on which a procedure depends."""
        running, named = self._clocks(there)
        if random.random() < (0.3 if named else 0.1):
            gm = self.cast.gm.member
            clocks.archive_clock(gm, random.choice(named or running), key=key())
            clocks.make_clock(gm, Draft(f"Another {random.randrange(10**6)}", 4), key=key())

    def _looks_without_clocks(self, there: list[Procedure]) -> None:
        """Look at what would be offered, too, if a clock were gone on which a procedure depends."""
        for clock in self._clocks(there)[1]:
            with _undone():
                clocks.archive_clock(self.cast.gm.member, clock, key=key())
                for one in there:
                    self._looks(one)

    def _clocks(self, there: list[Procedure]) -> tuple[list[Clock], list[Clock]]:
        """Return the running clocks, and those that a procedure names."""
        running = [*Clock.objects.running().filter(campaign=self.cast.campaign).order_by("order")]
        return running, [clock for clock in running if any(str(clock.pk) in str(one.state) for one in there)]

    def forms(self, who: str, place: Place) -> list[Node]:
        """Return the form that this person gets; [] if they get none."""
        url, query = place.asked(self.slug)
        answer = self.cast.everybody[who].client.get(url, query)
        assert answer.status_code < 500, (place.form, answer.status_code)
        return forms_of(answer.content.decode())[:1] if answer.status_code == 200 else []

    def _post(self, who: str, place: Place, typed: Typed) -> bool:
        sent = {**typed, "key": str(key())}
        answer = self.cast.everybody[who].client.post(place.sent(self.slug), sent, headers={"hx-request": "true"})
        assert answer.status_code < 500, (place.form, typed)
        return bool(answer.status_code < 300)


class _undone(transaction.Atomic):
    """A block of which nothing stays."""

    def __init__(self) -> None:
        super().__init__(using=None, savepoint=True, durable=False)

    def __exit__(self, *error: Any) -> None:
        if error[0] is None:
            transaction.set_rollback(True)
        super().__exit__(*error)


def opened_by_hand(systems: list[str]) -> list[tuple[str, str]]:
    return [(system, kind) for system, kind, rules in procedures_of(systems) if OPEN in rules.forms]
