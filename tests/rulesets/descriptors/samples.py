"""What the conformance tests try Descriptors with."""

from __future__ import annotations

from contextlib import suppress
from uuid import uuid4

from campaigns.errors import Blocked
from campaigns.services.play import close_scene
from characters.models import Character
from characters.services.fields import add_row, set_field
from rolls.services.procedures import act, open_procedure
from rules.acts import ActKey
from tests.flows.procedures_descriptors import NOTHING

SHEET = {"will": 9}
ROWS = {"descriptors": [{"name": "Fencing", "dice": 2}]}
ROLLS = {
    "a Descriptor": {"pool": "fencing", "against": "2", "versus": "the door guard"},
    "typed": {"pool": "Old grudge 1", "against": "Shield wall 2"},
}
ASKED = {"a pool": ({"against": "Shield wall 1", "versus": "the door guard"}, {"pool": "fencing"})}


def contest(at, other):
    """Fill both sides, of which one is ready."""
    given = {"a_character": at.character.pk, "b_character": other.pk, "b_name": "", "b_dice": None, "override": False}
    begun = open_procedure(at.cast.player.member, "descriptors", "contest", given, key=uuid4())
    for side, dice in (("a", 3), ("b", 2)):
        act(at.cast.gm.member, begun.pk, ActKey("use", side), given=NOTHING | {"dice": dice}, key=uuid4())
    act(at.cast.player.member, begun.pk, ActKey("ready", "a"), key=uuid4())


def recovery(at, other):
    """Begin a roll against an Injury."""
    add_row(at.cast.player.member, at.character, "injuries", {"name": "Cut hand", "dice": 2}, key=uuid4())
    injured = Character.objects.get(pk=at.character.pk)
    (row,) = injured.rules.rows(injured.values, "injuries")
    given = {"injury": f"{injured.pk}/{row['id']}", "helpers": [str(injured.pk)], "override": False}
    open_procedure(at.cast.player.member, "descriptors", "recovery", given, key=uuid4())


def refreshment(at, other):
    """Ask for a Refreshment Scene, for which no scene may go on."""
    with suppress(Blocked):
        close_scene(at.cast.gm.member, key=uuid4())
    worn = Character.objects.get(pk=at.character.pk)
    set_field(at.cast.player.member, worn, "will", 1, expected=worn.value("will"), key=uuid4())
    given = {"caller": str(at.character.pk), "partner": str(other.pk), "name": ""}
    return open_procedure(at.cast.player.member, "descriptors", "refreshment", given, key=uuid4())


def escalation(at, other):
    """Hold one, of which comes the GM's right."""
    asked = refreshment(at, other)
    act(at.cast.other_player.member, asked.pk, ActKey("agree", "partner"), key=uuid4())


BEGUN = {one.__name__: one for one in (contest, recovery, refreshment, escalation)}
