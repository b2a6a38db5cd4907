"""What is marked of a sheet, and what its table has in sight."""

import pytest

from characters.sheets import SHEETS
from characters.sheets.fields import SheetError
from characters.sheets.told import figure_in_sight, in_sight, kind_of, label_of, marked, named

STORYTELLER, DESCRIPTORS, FORGED = (SHEETS[name] for name in ("storyteller", "descriptors", "forged"))


def test_each_resource_of_each_sheet_is_there_and_has_a_name():
    for sheet in SHEETS.values():
        for one in sheet.layout.resources:
            assert kind_of(sheet, one) and label_of(sheet, one)
            for name in (*one.flags, *([one.length] if one.length else [])):
                assert name in sheet.fields


def test_a_number_moves_by_so_much():
    assert list(marked(STORYTELLER, {"willpower_now": 2, "willpower": 5}, "willpower_now", 1)) == [("willpower_now", 3)]


def test_a_track_is_crossed_off_in_order_and_taken_back_from_the_end():
    values = {"power_1": True, "power_2": True}
    assert list(marked(DESCRIPTORS, values, "power", 2)) == [("power_3", True), ("power_4", True)]
    assert list(marked(DESCRIPTORS, values, "power", -1)) == [("power_2", False)]
    with pytest.raises(SheetError, match="no boxes are crossed off"):
        list(marked(DESCRIPTORS, {}, "power", -1))
    with pytest.raises(SheetError, match="no boxes left"):
        list(marked(DESCRIPTORS, {"power_boxes": 2, **values}, "power", 1))


def test_what_lies_on_a_track_together_is_marked_by_its_own_name():
    assert (
        named(STORYTELLER, "lethal").name == "wounds" and kind_of(STORYTELLER, named(STORYTELLER, "lethal")) == "counts"
    )
    assert list(marked(STORYTELLER, {"lethal": 1}, "lethal", 2)) == [("lethal", 3)]
    with pytest.raises(SheetError, match="choose which"):
        list(marked(STORYTELLER, {}, "wounds", 1))


def test_of_what_has_no_order_somebody_says_which():
    assert list(marked(FORGED, {}, "trauma_cold", 1)) == [("trauma_cold", True)]
    for name in ("trauma", "harm_1"):
        with pytest.raises(SheetError, match="choose which"):
            list(marked(FORGED, {}, name, 1))


@pytest.mark.parametrize("name", ["", "strength", "gm_notes", "notes", "nonsense", "injuries/4f2a/dice"])
def test_what_is_no_resource_is_not_marked(name):
    with pytest.raises(SheetError):
        named(STORYTELLER, name)


def test_in_sight_is_what_stands_beside_the_name():
    assert in_sight(STORYTELLER, "blood") and not in_sight(STORYTELLER, "strength")
    assert in_sight(DESCRIPTORS, "injuries/4f2a/dice") and not in_sight(DESCRIPTORS, "keys/4f2a/name")
    assert figure_in_sight(STORYTELLER, "health") and not in_sight(STORYTELLER, "lethal")
    assert not in_sight(DESCRIPTORS, "power_1") and figure_in_sight(DESCRIPTORS, "power")
    assert not figure_in_sight(DESCRIPTORS, "advances")
