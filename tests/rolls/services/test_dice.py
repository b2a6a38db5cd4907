"""Where faces come from."""

from itertools import islice
from uuid import uuid4

from rolls.services.fairness import DiceRequest, faces_for, server_dice


def throw(spec="5d10"):
    return DiceRequest(campaign=uuid4(), actor=1, id=uuid4(), spec=spec)


def test_the_server_rolls_every_face_and_no_other():
    assert set(islice(server_dice(throw()), 2000)) == set(range(1, 11))
    assert set(islice(server_dice(throw("5d6")), 1000)) == set(range(1, 7))


def test_dice_of_several_kinds_fall_in_their_order_and_further_ones_are_like_the_last():
    thrown = [list(islice(server_dice(throw("1d20,2d4")), 5)) for _ in range(1000)]
    assert [set(faces) for faces in zip(*thrown, strict=True)] == [set(range(1, 21)), *[set(range(1, 5))] * 4]


def only_sevens(thrown):
    while True:
        yield 7


def test_a_site_may_have_another_source(settings):
    settings.DICE_SOURCE = f"{__name__}.only_sevens"
    assert list(islice(faces_for(throw()), 3)) == [7, 7, 7]
