"""What becomes of the state of mind of a character of VI-VIII-X, in words (arc.txt, V.5)."""

from characters.rulesets import state_words, states_between


def said(before, after):
    return told({"som": before}, {"som": after})


def told(before, after):
    states = states_between("arc", before, after)
    return state_words("arc", [{"code": one.code, "values": one.values} for one in states])


def test_only_the_ends_are_told():
    assert said(3, 1) == "is now panicked, no longer shaken: state of mind 1"
    assert said(10, 9) == "is now elated, no longer exalted: state of mind 9"
    assert not said(4, 6) and not said(10, 10)


def test_who_falls_unconscious_and_who_wakes():
    assert told({}, {"unconscious": True}) == "is unconscious"
    assert told({"unconscious": True}, {}) == "is awake again"
