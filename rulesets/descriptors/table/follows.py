"""What follows from a won roll, each of it once (descriptors.txt, "What does success do?").

The loser is hit, the winner makes a Scene Descriptor, somebody makes that one stick before the scene ends. What was done is kept
in `Roll.outcome["follows"]` by its name (HIT, MADE, STUCK) as card.FOLLOWED has it, and with the steps on sheets, which taking
the roll back undoes, as `done`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from campaigns.errors import Blocked, Forbidden, Invalid, NotFound
from campaigns.models import Membership, Role, Viewer
from campaigns.models.streams import TABLE
from campaigns.queries.clocks import sees_event
from campaigns.services.log import UnitOfWork, service
from characters.models import Character
from characters.reasons import Reason
from characters.services.lookup import found, in_play, own
from characters.services.steps import take_steps
from characters.sheets.fields import Value
from characters.sheets.steps import Add, Put, Step
from rolls.models import Roll
from rolls.services.rule_errors import by_the_rules
from rolls.services.undoing import told_in
from rulesets.descriptors.claims import hit_steps, injury_is_a_choice, the_hit
from rulesets.descriptors.events import ROLL_FOLLOWED
from rulesets.descriptors.rules.contest import Side
from rulesets.descriptors.rules.scene import SceneDescriptor, stick
from rulesets.descriptors.rules.will import is_out
from rulesets.descriptors.sheet import SHEET
from rulesets.descriptors.table.ask import NAME, descriptors_of
from rulesets.descriptors.table.card import followed, opponent_of
from rulesets.descriptors.table.words import HIT, MADE, STUCK, follow_words

LOST: Final = Reason("lost_roll", "a lost roll")
STICKS: Final = Reason("scene_descriptor_sticks", "a Scene Descriptor sticks")
LONGEST_NAME: Final = 80


@dataclass(frozen=True)
class Open:
    """What somebody can still do about a roll: `hit` its loser, name what the winner makes, make `made` stick. `done` says the
    rest in words. `injury_instead`: the one who is hit has the choice."""

    hit: Character | None
    injury_instead: bool
    makes: bool
    made: SceneDescriptor | None
    done: list[str]


def open_for(viewer: Viewer, roll_id: UUID) -> Open:
    """What is open to this viewer. Raises NotFound for a roll that nobody won, and for one that it does not see."""
    roll = _won(viewer.by, roll_id)
    follows = roll.outcome.get("follows", {})
    loser = _loser(roll)
    values = descriptors_of(loser)
    hit = (
        loser if HIT not in follows and values is not None and loser is not None and loser.written_by(viewer) else None
    )
    choice = values is not None and injury_is_a_choice(values, viewer.campaign, roll.outcome["successes"])
    made = _made(roll) if MADE in follows and STUCK not in follows else None
    makes = MADE not in follows and _wins(viewer.by, roll)
    return Open(hit, choice, makes, made, [follow_words(one) for one in followed(roll)])


@service(Role.PLAYER)
def take_hit(work: UnitOfWork, roll_id: UUID, *, injury: bool = False, name: str = "Injury", key: UUID) -> Roll:
    """The loser's player, or a GM, crosses off the Power box that the roll hit, or takes an Injury of this name for it. Where
    the box was crossed off before there is nothing to choose, and both come.

    Raises Blocked where that was done, and Invalid for a loser without such a sheet.
    """
    roll = _open(work, roll_id, HIT)
    loser = _loser(roll)
    if loser is None or descriptors_of(loser) is None:
        raise Invalid("There is no sheet of these rules to write it on.")
    there = _writing(work, loser)
    done = the_hit(there.values, work.campaign, roll.outcome["successes"], injury=injury)
    steps = take_steps(work, there, hit_steps(done, _named(name)), why=LOST)
    told = {"who": there.name, "box": done.box, "injury": done.injury, "out": done.out}
    return _follow(work, roll, HIT, told, [(there, steps)])


@service(Role.PLAYER)
def make_descriptor(work: UnitOfWork, roll_id: UUID, name: str, *, key: UUID) -> Roll:
    """The winner's player, or a GM, turns the successes into a Scene Descriptor. Raises Blocked where that was done."""
    roll = _open(work, roll_id, MADE)
    if not _wins(work.by, roll):
        raise Forbidden("Whoever won the roll makes the Scene Descriptor.")
    return _follow(work, roll, MADE, {"name": _named(name), "dice": roll.outcome["successes"]}, [])


@service(Role.PLAYER)
def make_stick(work: UnitOfWork, roll_id: UUID, *, to: UUID, payer: UUID, key: UUID) -> Roll:
    """A character of one's own pays 1 Will, and the Scene Descriptor stays with a character beyond the scene.

    Raises Blocked where nothing was made or it sticks already, and once the scene has ended; Invalid without the Will.
    """
    roll = _open(work, roll_id, STUCK)
    if MADE not in roll.outcome.get("follows", {}):
        raise Blocked("Nobody has made a Scene Descriptor of this roll.")
    if roll.event and roll.event.scene_id != (work.scene.pk if work.scene else None):
        raise Blocked("The scene has ended, and the Scene Descriptor with it.")
    pays, bearer = _writing(work, _sheet(work, payer, "payer")), _sheet(work, to, "to")
    with by_the_rules():
        stuck = stick(_made(roll), bearer.name, SHEET.number(pays.values, "will"))
    paid: list[Step] = [Put("will", stuck.will or 0)]
    if is_out(stuck.will):
        paid.append(Put("out_of_scene", to=True))
    steps = [(pays, take_steps(work, pays, paid, why=STICKS))]
    bearer = found(work, bearer)
    row: dict[str, Value] = {
        "name": stuck.descriptor.name,
        "dice": stuck.descriptor.dice,
        "origin": stuck.descriptor.made_by or "",
    }
    steps.append((bearer, take_steps(work, bearer, [Add("stuck", row)], why=STICKS)))
    told = {"name": stuck.descriptor.name, "dice": stuck.descriptor.dice, "to": bearer.name, "payer": pays.name}
    return _follow(work, roll, STUCK, told, steps)


def made_in_scene(viewer: Viewer) -> list[str]:
    """The Scene Descriptors of the open scene that this viewer knows of, as one writes them into a pool: "Tied up 3"."""
    made = Roll.objects.filter(campaign=viewer.campaign, system=NAME, voided_at=None, outcome__follows__has_key=MADE)
    scene = made.filter(event__session__ended_at=None, event__scene__closed_at=None).exclude(event__scene=None)
    seen = scene if viewer.streams is None else scene.filter(event__stream__name__in=viewer.streams)
    return [f"{_made(roll).name} {_made(roll).dice}" for roll in seen.order_by("at")]


def _won(by: Membership, roll_id: UUID) -> Roll:
    rolls = Roll.objects.select_related("event__stream", "character__owner__user", "by__user", "campaign")
    roll = rolls.filter(campaign=by.campaign_id, system=NAME, pk=roll_id).first()
    if roll is None or roll.event is None or not any(sees_event(by, event.uid) for event in told_in(roll)):
        raise NotFound
    if roll.voided_at:
        raise Blocked("This roll was taken back.")
    if roll.outcome["winner"] is None:
        raise NotFound
    return roll


def _open(work: UnitOfWork, roll_id: UUID, what: str) -> Roll:
    roll = _won(work.by, roll_id)
    if what in roll.outcome.get("follows", {}):
        raise Blocked("That has been done already.")
    return roll


def _side(roll: Roll, side: Side) -> Character | None:
    return roll.character if side is Side.A else opponent_of(roll)


def _loser(roll: Roll) -> Character | None:
    return _side(roll, Side(roll.outcome["winner"]).other)


def _wins(by: Membership, roll: Roll) -> bool:
    """Whether this member speaks for the winner: by its character, by the roll itself, and as a GM always."""
    side = Side(roll.outcome["winner"])
    winner = _side(roll, side)
    if winner is not None:
        return winner.written_by(by)
    return by.is_gm or (side is Side.A and roll.by_id == by.pk)


def _made(roll: Roll) -> SceneDescriptor:
    winner = _side(roll, Side(roll.outcome["winner"]))
    return SceneDescriptor(
        roll.outcome["follows"][MADE]["name"], roll.outcome["successes"], winner.name if winner else None
    )


def _named(name: str) -> str:
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Invalid(f"Give it a name of up to {LONGEST_NAME} characters.", field="name")
    return name


def _writing(work: UnitOfWork, character: Character) -> Character:
    there = own(work, character)
    in_play(there)
    return there


def _sheet(work: UnitOfWork, wanted: UUID, field: str) -> Character:
    """A character of these rules that whoever acts knows of. Raises Invalid at the field."""
    there = Character.objects.seen_by(work.by).active().filter(pk=wanted, system=NAME).first()
    if there is None:
        raise Invalid("Choose a character who is in play and has a sheet of these rules.", field=field)
    return there


def _follow(
    work: UnitOfWork, roll: Roll, what: str, told: dict[str, Any], steps: Sequence[tuple[Character, list[Any]]]
) -> Roll:
    """Keep what was done, and tell it wherever the roll was told."""
    for event in told_in(roll):
        if event.stream.name == TABLE and any(character.is_hidden for character, _ in steps):
            raise Invalid("Players do not know of everybody in this yet. Show them first.")
    kept = told | {"done": [[str(one.pk), done] for one, done in steps]}
    roll.outcome = roll.outcome | {"follows": roll.outcome.get("follows", {}) | {what: kept}}
    roll.save(update_fields=["outcome"])
    about = [one.about for one, _ in steps] or ([roll.character.about] if roll.character else [])
    for event in told_in(roll):
        payload = {"roll": str(roll.pk), "of": str(event.uid), "what": what, "done": followed(roll)}
        work.record(ROLL_FOLLOWED, payload, stream=event.stream.name, about=about, amends=event)
    return roll
