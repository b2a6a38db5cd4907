"""/f says what the forged form would have sent."""

import pytest

from rolls.registry import commands_of
from rolls.slash import SlashError, is_roll, read_roll

COMMANDS = commands_of(["forged"])


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
    assert is_roll(line, COMMANDS)
    assert read_roll(line, COMMANDS) == {"system": "forged"} | fields


@pytest.mark.parametrize("line", ["/f", "/f desperate", "/f 2 risky desperate", "/f # only a note"])
def test_a_forged_line_that_cannot_be_read_says_how_to_write_it(line):
    with pytest.raises(SlashError, match="/f 2"):
        read_roll(line, COMMANDS)
