"""What becomes of a scoundrel and of a crew, in words."""

import pytest

from characters.rulesets import state_words, states_between


def said(sheet, before, after):
    states = states_between(sheet, before, after)
    return state_words(sheet, [{"code": one.code, "values": one.values} for one in states])


def hurt(level, *names):
    rows = [{"id": f"{level}{at}", "at": at, "name": name} for at, name in enumerate(names)]
    return {f"harm_{level}": rows}


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ({}, hurt(2, "Broken hand"), "takes level 2 harm: Broken hand"),
        (hurt(2, "Broken hand"), hurt(1, "Broken hand"), "recovers: Broken hand is now level 1"),
        (hurt(1, "Bruised"), hurt(2, "Bruised"), "takes level 2 harm: Bruised"),
        (hurt(1, "Bruised"), hurt(1, "Bruised", "Bruised"), "takes level 1 harm: Bruised"),
        (hurt(1, "Bruised"), {}, ""),
        ({"stress": 8}, {"stress": 9}, ""),
        ({"stress": 8}, {"trauma_cold": True}, "suffers trauma: Cold"),
        (
            {"trauma_cold": True, "trauma_soft": True, "trauma_vicious": True},
            {"trauma_cold": True, "trauma_soft": True, "trauma_vicious": True, "trauma_haunted": True},
            "suffers their last trauma: Haunted",
        ),
        ({"stress": 2}, {"stress": 4}, ""),
        ({}, {"load": "heavy"}, "chooses a load: Heavy"),
        ({"load": "heavy", "armor": True}, {"armor": True}, "puts down what they carried"),
    ],
)
def test_what_is_told_of_a_scoundrel(before, after, words):
    assert said("forged", before, after) == words


def test_a_crew_is_told_of_its_wanted_level():
    assert said("crew", {"heat": 8}, {"heat": 1, "wanted": 1}) == "are now wanted, level 1"
    assert not said("crew", {"heat": 1}, {"heat": 3})
