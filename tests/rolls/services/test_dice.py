"""Where faces come from."""

from itertools import islice
from uuid import uuid4

from rolls.rules.dice import Die
from rolls.services.dice import DiceRequest, faces_for, server_dice


def throw(**more):
    return DiceRequest(campaign=uuid4(), actor=1, id=uuid4(), spec="5d10", **more)


def test_the_server_rolls_every_face_and_no_other():
    assert set(islice(server_dice(throw()), 2000)) == set(range(1, 11))
    assert set(islice(server_dice(throw(die=Die(6))), 1000)) == set(range(1, 7))


def only_sevens(thrown):
    while True:
        yield 7


def test_a_site_may_have_another_source(settings):
    settings.DICE_SOURCE = f"{__name__}.only_sevens"
    assert list(islice(faces_for(throw()), 3)) == [7, 7, 7]
