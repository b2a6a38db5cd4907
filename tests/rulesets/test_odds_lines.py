import json
import subprocess
import sys
from fractions import Fraction
from io import BytesIO
from pathlib import Path

import pytest

from rules import questions
from rules.questions import LONGEST_LINE
from rulesets.odds import questions as known

ROOT = Path(__file__).parents[2]
FORGED = '{"system": "forged", "dice": 2}'
FORGED_ANSWER = {"1-3": "1/4", "4/5": "4/9", "6": "5/18", "critical": "1/36"}
WITHOUT_DJANGO = """
import runpy, sys
sys.modules["django"] = None
runpy.run_module("rulesets.odds", run_name="__main__", alter_sys=True)
"""


def answer(line):
    return questions.answer(line, known())


def answers(lines):
    return questions.answers(lines, known())


def start(*options):
    """Start the command without Django."""
    return subprocess.Popen(
        [sys.executable, "-c", WITHOUT_DJANGO, *options],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def total(found):
    return sum(map(Fraction, found.values()))


def test_a_storyteller_roll_is_answered():
    found = answer('{"system": "storyteller", "dice": 5, "difficulty": 6, "ability": 0}')
    assert list(found) == ["botch", "failure", "success", "net", "delta"]
    assert (found["botch"], found["failure"], found["success"]) == ("2101/100000", "13499/100000", "211/250")
    assert Fraction(found["net"]["0"]) == 1 - Fraction(211, 250)
    assert found["delta"]["0"] == "2823/12500"
    assert total(found["net"]) == total(found["delta"]) == 1


def test_the_ability_counts_for_botches():
    found = answer('{"system": "storyteller", "dice": 5, "difficulty": 6, "ability": 5}')
    assert round(float(Fraction(found["botch"])), 4) == 0.0082


def test_difficulty_and_ability_have_their_usual_values_unless_given():
    usual = answer('{"system": "storyteller", "dice": 5, "difficulty": 6, "ability": 0}')
    assert answer('{"system": "storyteller", "dice": 5}') == usual


def test_descriptors_are_answered_with_the_successes_of_either_side():
    found = answer('{"system": "descriptors", "a": 3, "b": 2}')
    assert (found["win"], found["stalemate"]) == ("31607/50000", "0/1")
    assert total(found["successes"]["a"]) == Fraction(found["win"])
    assert total(found["successes"]["b"]) == Fraction(found["lose"])
    assert set(found["successes"]["b"]) == {"1", "2"}


def test_a_side_without_dice_is_asked_about_too():
    assert answer('{"system": "descriptors", "a": 0, "b": 0}')["stalemate"] == "1/1"
    assert answer('{"system": "descriptors", "a": 0, "b": 4}')["lose"] == "1/1"


@pytest.mark.parametrize(("dice", "critical"), [(-2, "0/1"), (0, "0/1"), (2, "1/36"), (4, "19/144")])
def test_forged_is_answered_for_any_number_of_dice(dice, critical):
    found = answer(json.dumps({"system": "forged", "dice": dice}))
    assert list(found) == ["1-3", "4/5", "6", "critical"]
    assert found["critical"] == critical
    assert total(found) == 1


@pytest.mark.parametrize(("needed", "success"), [(0, "5/8"), (1, "1/2"), (5, "0/1"), (-4, "1/1")])
def test_arc_is_answered(needed, success):
    assert answer(json.dumps({"system": "arc", "es": 5, "needed": needed})) == {"success": success}


def test_the_order_of_the_keys_does_not_matter():
    assert answer('{"dice": 2, "system": "forged"}') == answer(FORGED) == FORGED_ANSWER


@pytest.mark.parametrize(
    "value",
    [
        *("1000000000", "9" * 4000, "-" + "9" * 4000, "101", "-1", "0", "NaN", "Infinity", "-Infinity", "1e400", "5.0"),
        *('"5"', '""', "true", "false", "null", "[5]", '{"a": 5}'),
    ],
)
def test_what_is_no_number_of_dice_is_refused_with_its_field(value):
    found = answer(f'{{"system": "storyteller", "dice": {value}}}')
    assert set(found) == {"error", "field"}
    assert found["field"] == "dice"
    assert "1 to 100" in found["error"]
    assert len(found["error"]) < 200


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ('{"system": "storyteller", "dice": 5, "difficulty": 1}', "difficulty"),
        ('{"system": "storyteller", "dice": 5, "ability": NaN}', "ability"),
        ('{"system": "descriptors", "a": 3}', "b"),
        ('{"system": "descriptors", "a": -1, "b": 2}', "a"),
        ('{"system": "arc", "es": 11, "needed": 0}', "es"),
        ('{"system": "arc", "es": 5, "needed": 1e9}', "needed"),
        ('{"system": "poker", "dice": 5}', "system"),
        ('{"system": ["forged"], "dice": 5}', "system"),
        ('{"dice": 5}', "system"),
        ("{}", "system"),
        ('{"system": "forged", "dice": 2, "sides": 8}', "sides"),
        ('{"system": "forged", "dice": 2, "dice": 3}', "dice"),
        ('{"system": "forged", "dice": 2, "' + "x" * 3000 + '": 3}', "x" * 24),
        ("", "line"),
        ("dice", "line"),
        ("[]", "line"),
        ("5", "line"),
        ("NaN", "line"),
        ("[" * 4000, "line"),
        (b"\xff\xfe", "line"),
    ],
)
def test_other_questions_that_make_no_sense_are_refused_with_their_field(line, field):
    found = answer(line)
    assert set(found) == {"error", "field"}
    assert found["field"] == field
    assert found["error"]


@pytest.mark.parametrize("value", ["9" * 4000, "-" + "9" * 4000, "9" * 20])
def test_a_number_too_long_to_be_read_is_not_told_as_another(value):
    assert "not a number that long" in answer(f'{{"system": "forged", "dice": {value}}}')["error"]


def test_a_line_without_end_is_refused_in_pieces_and_the_next_is_answered():
    class Pieces(BytesIO):
        largest = 0

        def readline(self, size):
            piece = super().readline(size)
            self.largest = max(self.largest, len(piece))
            return piece

    lines = Pieces(b"[" * 10**6 + b"\n" + FORGED.encode())
    refused, answered = answers(lines)
    assert (refused["field"], answered) == ("line", FORGED_ANSWER)
    assert lines.largest <= LONGEST_LINE + 1


def test_a_line_one_byte_too_long_does_not_swallow_the_next():
    just = FORGED.ljust(LONGEST_LINE - 1) + "\n"
    over = FORGED.ljust(LONGEST_LINE) + "\n"
    found = list(answers(BytesIO((just + over + FORGED).encode())))
    assert [one.get("field") for one in found] == [None, "line", None]


def test_the_command_goes_on_after_a_bad_line_and_says_so_in_the_end():
    command = start()
    out, err = command.communicate(f"{FORGED}\nnonsense\n\n{FORGED}")
    first, second, third, fourth = map(json.loads, out.splitlines())
    assert first == fourth == FORGED_ANSWER
    assert second["field"] == third["field"] == "line"
    assert (command.returncode, err) == (1, "")


def test_the_command_answers_at_once_and_can_be_kept_open():
    with start() as command:
        for dice in (2, 0, 2):
            command.stdin.write(json.dumps({"system": "forged", "dice": dice}) + "\n")
            command.stdin.flush()
            assert json.loads(command.stdout.readline())["1-3"] == {2: "1/4", 0: "3/4"}[dice]
        command.stdin.close()
        assert command.wait() == 0
