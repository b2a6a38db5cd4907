"""Scene Descriptors, Keys and what clings, as they happen in the played campaign; in the end one lies on the table, and the scene
is about to close."""

from __future__ import annotations

from uuid import UUID, uuid4

from campaigns.models import Membership
from campaigns.services import play
from characters.models import Character
from characters.services import cards, fields
from rolls.services.procedures import act, open_procedure, take_back_step
from rules.acts import ActKey
from rulesets.descriptors.rules.keys import Level
from rulesets.descriptors.services import Does, change_clinging, hit_key
from tests.rolls.steps import newest_step


def scenes_happen(gm: Membership, mo: Membership) -> None:
    christopher = _made(mo, "Christopher")
    bob = _made(mo, "Bob")
    tied = open_procedure(gm, "descriptors", "scene_descriptor", {"name": "Tied up", "dice": 3}, key=uuid4())
    act(gm, tied.pk, ActKey("reduce"), key=uuid4())
    take_back_step(gm, tied.pk, step=newest_step(tied), key=uuid4())
    pays = {"to": bob.pk, "payer": christopher.pk}
    act(mo, tied.pk, ActKey("stick"), given=pays, key=uuid4())
    (row,) = Character.objects.get(pk=bob.pk).sheet["stuck"]
    change_clinging(gm, UUID(str(bob.pk)), "stuck", row["id"], Does.LESS, dice=3, why="a loose knot", key=uuid4())
    keyed = {"name": "The debt", "framework": "dramatic", "words": ""}
    christopher = fields.add_row(mo, christopher, "keys", keyed, key=uuid4())
    (key,) = christopher.sheet["keys"]
    hit_key(mo, christopher, key["id"], Level.INVOLVED, words="He paid some of it.", key=uuid4())
    open_procedure(gm, "descriptors", "scene_descriptor", {"name": "Smoke", "dice": 2}, key=uuid4())
    play.close_scene(gm, ask=True, key=uuid4())
    play.keep_open(gm, key=uuid4())
    play.close_scene(gm, ask=True, key=uuid4())


def _made(by: Membership, name: str) -> Character:
    return cards.make_character(by, cards.Card(name, "", by), system="descriptors", key=uuid4())
