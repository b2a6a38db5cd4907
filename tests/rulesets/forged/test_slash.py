"""/f says what the forged form would have sent; a player's is announced by it."""

from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import translation

from characters.sheets import SHEETS
from characters.sheets.traits import find
from rolls.models import Procedure, Roll
from rolls.registry import commands_of
from rolls.slash import SlashError, is_roll, read_roll
from tests.rulesets.forged.table.forged import players_say

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


def test_position_and_effect_are_taken_in_the_reader_s_language():
    with translation.override("de"):
        fields = read_roll("/f 2 Verzweifelt groß", COMMANDS)
        assert fields == {"system": "forged", "action": "2", "position": "desperate", "effect": "great"}
        assert read_roll("/f 2 desperate", COMMANDS)["position"] == "desperate"


@pytest.mark.parametrize("language", ["en-gb", "de"])
@pytest.mark.parametrize("system", ["forged", "storyteller"])
def test_the_help_s_commands_are_in_the_reader_s_language_and_can_be_typed(language, system):
    commands = commands_of([system])
    with translation.override(language):
        for line, _does in commands[system].examples:
            fields = read_roll(str(line), commands)
            traits = [word for word in fields.get("pool", fields.get("action", "")).split("+") if not word.isdecimal()]
            for trait in traits:
                assert find(SHEETS[system], trait, {}).label.casefold() == trait


# What players type


def typed(person, cross, text):
    data = {"text": text, "voice": f"character:{cross.pk}", "key": uuid4()}
    headers = {"hx-request": "true", "hx-trigger": "say"}
    return person.client.post(reverse("compose", args=[person.member.campaign.slug]), data, headers=headers)


def test_a_player_s_line_announces_the_action_and_rolls_nothing(cast, cross):
    assert typed(cast.player, cross, "/f prowl push # across the yard").status_code == 204
    action = Procedure.objects.get(kind="action")
    assert (action.reason, action.state["stage"], action.state["action"]) == ("across the yard", "asked", "prowl")
    assert [one["push_die"] for one in action.state["rollers"]] == [True]
    assert not Roll.objects.exists()


def test_position_and_effect_in_a_player_s_line_are_refused_and_nothing_is_lost(cast, cross):
    answer = typed(cast.player, cross, "/f prowl desperate")
    assert "The GM sets position and effect. Leave out “desperate”" in answer.content.decode()
    assert not Procedure.objects.exists() and not Roll.objects.exists()


def test_a_gm_s_line_rolls_at_once_and_so_does_a_player_s_where_the_table_says_so(play, cast, cross, dice):
    dice(6, 6, 1, 6)
    assert typed(cast.gm, cross, "/f 2 desperate").status_code == 204
    players_say(play)
    assert typed(cast.player, cross, "/f prowl desperate").status_code == 204
    assert Roll.objects.count() == 2 and not Procedure.objects.exists()
