"""What becomes of a character of the Descriptors rules, in words."""

import pytest

from characters.rulesets import state_words, states_between

OUT = {"out_of_scene": True}
HURT = {"injuries": [{"id": "4f2a", "at": 0, "name": "Burnt hand", "dice": 2}]}


def said(before, after):
    states = states_between("descriptors", before, after)
    return state_words("descriptors", [{"code": one.code, "values": one.values} for one in states])


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ({}, {"power_3": True}, "crosses off Power box 3"),
        ({}, {"power_3": True} | HURT, "crosses off Power box 3 and takes an Injury: Burnt hand, 2D"),
        ({}, {"will": 0} | OUT, "is out of the scene, with no Will left"),
        ({}, {"power_6": True} | OUT, "crosses off Power box 6 and is out of the scene"),
        (OUT, {}, "is back in the scene"),
        ({"will": 0, "power_1": True} | OUT, {}, "is refreshed: Will 9, Power track clear"),
        ({"power_1": True}, {}, ""),
        ({"power_1": True, "power_2": True}, {}, "is refreshed: Will 9, Power track clear"),
        ({"power_1": True, "power_2": True, "will": 3}, {"will": 3}, ""),
        ({"will": 3}, {}, ""),
        (HURT, {}, ""),
        ({"power_7": True}, {"power_7": True, "power_boxes": 7}, ""),
    ],
)
def test_what_is_told(before, after, words):
    assert said(before, after) == words
