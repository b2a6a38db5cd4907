"""/r says what the Storyteller form would have sent."""

import pytest

from rolls.registry import commands_of
from rolls.slash import SlashError, read_roll

COMMANDS = commands_of(["storyteller"])


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
        ("/r self-control+animal ken d7", {"pool": "self-control+animal ken", "difficulty": "7"}),
        ("/r O’Brien’s law + stone #2 −1", {"pool": "o’brien’s law+stone #2", "modifier": "-1"}),
        ("/r 4 – 2", {"pool": "4", "modifier": "-2"}),
        ("/r humanity d8", {"pool": "humanity", "difficulty": "8"}),
        ("/r 5 d7 = 7 1 1 3 2", {"pool": "5", "difficulty": "7", "faces": "7 1 1 3 2"}),
        ("/r wits+stealth gm # past the dogs", {"pool": "wits+stealth", "audience": "gm", "note": "past the dogs"}),
    ],
)
def test_a_line_stands_for_the_fields_of_the_form(line, fields):
    assert read_roll(line, COMMANDS) == {"system": "storyteller"} | fields


@pytest.mark.parametrize("line", ["/r", "/r d7", "/r +1", "/r 5 6", "/r 5 d7 d8", "/r 5 ??", "/r # only a note"])
def test_a_line_that_cannot_be_read_says_how_to_write_it(line):
    with pytest.raises(SlashError, match="/r"):
        read_roll(line, COMMANDS)
