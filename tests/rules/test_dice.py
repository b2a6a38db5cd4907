from itertools import count

import pytest

from rules.dice import D10, Dice, Die, draw, shown, typed
from rules.errors import NotPossible, OutOfRange


def test_dice_are_taken_from_the_faces_in_their_order_and_no_more_than_asked():
    faces = iter([7, 1, 1, 3, 2, 9])
    assert draw(5, D10, faces) == (7, 1, 1, 3, 2)
    assert next(faces) == 9


@pytest.mark.parametrize("dice", [0, -1, 101, 10**9, 2.0, True, "5", float("nan"), None])
def test_an_impossible_pool_is_refused_before_a_face_is_taken(dice):
    faces = count(1)
    with pytest.raises(OutOfRange):
        draw(dice, D10, faces)
    assert next(faces) == 1


@pytest.mark.parametrize("face", [0, 11, -3, 5.0, True, "5", None, float("nan")])
def test_a_face_the_die_does_not_have_is_refused(face):
    with pytest.raises(OutOfRange):
        draw(1, D10, iter([face]))


def test_faces_that_run_out_are_refused():
    with pytest.raises(NotPossible, match="takes 5 dice, and 2 came"):
        draw(5, D10, iter([1, 2]))


def test_a_typed_zero_is_the_ten_of_a_d10():
    assert typed([0, 5], Dice(count=2)) == (10, 5)


@pytest.mark.parametrize("face", [False, 0.0, "0", None, -1])
def test_only_a_real_zero_is_a_ten(face):
    with pytest.raises(OutOfRange):
        typed([face], Dice(count=1))


def test_a_typed_zero_is_nothing_on_another_die():
    with pytest.raises(OutOfRange):
        typed([0], Dice(count=1, die=Die(6)))


@pytest.mark.parametrize("values", [[], [1], [1, 2, 3]])
def test_typed_dice_are_as_many_as_the_roll_takes(values):
    with pytest.raises(NotPossible):
        typed(values, Dice(count=2))


@pytest.mark.parametrize("values", [[], [5] * 101, "55", None, 5, [False], [0.0]])
def test_what_is_no_list_of_faces_is_refused(values):
    with pytest.raises(OutOfRange):
        shown(values)


@pytest.mark.parametrize("sides", [1, 0, 101, 6.0, True])
def test_a_die_has_2_to_100_sides(sides):
    with pytest.raises(OutOfRange):
        Die(sides)


def test_a_die_is_written_as_people_write_it():
    assert str(D10) == "d10"


@pytest.mark.parametrize(("needed", "told"), [(1, "takes one die, and 2 came"), (3, "takes 3 dice, and 2 came")])
def test_a_wrong_number_of_dice_is_refused_with_both_numbers(needed, told):
    with pytest.raises(NotPossible, match=told) as refused:
        typed([4, 5], Dice(count=needed))
    assert (refused.value.value, refused.value.allowed) == (2, str(needed))


def test_dice_are_named_by_their_number_and_kind():
    assert Dice(count=3, die=Die(6)).spec == "3d6"
