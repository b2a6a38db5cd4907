"""Slash commands say what the roll form would have sent."""

import pytest

from rolls.slash import SlashError, is_roll, read_roll


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("/r 5 d7", {"pool": "5", "difficulty": "7"}),
        ("/roll 5", {"pool": "5"}),
        ("/r perception+alertness", {"pool": "perception+alertness"}),
        ("/r Perception + Alertness d8", {"pool": "perception+alertness", "difficulty": "8"}),
        ("/r perception+alertness +1 w", {"pool": "perception+alertness", "modifier": "+1", "willpower": "on"}),
        ("/r 4 - 2", {"pool": "4", "modifier": "-2"}),
        ("/r 4 soak me", {"pool": "4", "kind": "soak", "audience": "self"}),
        ("/r 3 virtue", {"pool": "3", "kind": "virtue"}),
        ("/r humanity d8", {"pool": "humanity", "difficulty": "8"}),
        ("/r 5 d7 = 7 1 1 3 2", {"pool": "5", "difficulty": "7", "faces": "7 1 1 3 2"}),
        ("/r wits+stealth gm # past the dogs", {"pool": "wits+stealth", "audience": "gm", "note": "past the dogs"}),
    ],
)
def test_a_line_stands_for_the_fields_of_the_form(line, fields):
    assert read_roll(line) == {"system": "storyteller"} | fields


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("/f 2", {"action": "2"}),
        ("/f 2 Desperate great", {"action": "2", "position": "desperate", "effect": "great"}),
        ("/forged skirmish push gm", {"action": "skirmish", "push": "die", "audience": "gm"}),
        ("/f skirmish 2 = 6 1 # the door", {"action": "skirmish 2", "faces": "6 1", "note": "the door"}),
    ],
)
def test_a_forged_line_stands_for_an_action(line, fields):
    assert is_roll(line)
    assert read_roll(line) == {"system": "forged"} | fields


@pytest.mark.parametrize("line", ["/f", "/f desperate", "/f 2 risky desperate", "/f # only a note"])
def test_a_forged_line_that_cannot_be_read_says_how_to_write_it(line):
    with pytest.raises(SlashError, match="/f 2"):
        read_roll(line)


@pytest.mark.parametrize("line", ["/r", "/r d7", "/r +1", "/r 5 6", "/r 5 d7 d8", "/r 5 ??", "/r # only a note"])
def test_a_line_that_cannot_be_read_says_how_to_write_it(line):
    with pytest.raises(SlashError, match="/r"):
        read_roll(line)


def test_only_the_whole_word_is_a_command():
    assert is_roll("/r 5")
    assert is_roll("/roll 5")
    assert not is_roll("/rest of the night")
    assert not is_roll("I roll 5 dice")
    assert not is_roll("")
