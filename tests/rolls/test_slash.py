"""Slash commands say what the roll form would have sent."""

import pytest

from rolls.slash import SlashError, is_roll, is_whisper, read_roll, read_whisper, read_words

HERE = {1: "Nora", 2: "Norbert Weiß", 3: "Mo", 4: "Mo Li", 5: "Sam", 6: "Sam", 7: "Ólafur"}


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
    assert is_roll(" /R 5")
    assert not is_roll("//r 5")
    assert not is_roll("/rest of the night")
    assert not is_roll("I roll 5 dice")
    assert not is_roll("")


@pytest.mark.parametrize(
    ("line", "whom", "words"),
    [
        ("/w nora behind the mirror", 1, "behind the mirror"),
        ("/W NORA: behind\n\nthe  mirror", 1, "behind\n\nthe  mirror"),
        ("/whisper @nora, come", 1, "come"),
        ("/w norb come", 2, "come"),
        ("/w Norbert Weiß come", 2, "come"),
        ("/w NORBERT WEISS come", 2, "come"),
        ('/w "norbert w" come', 2, "come"),
        ("/w mo come", 3, "come"),
        ('/w "Mo" li is lying', 3, "li is lying"),
        ("/w “mo li” come", 4, "come"),
        ("/w ólafur come", 7, "come"),
        ("/w nora", 1, ""),
        ("/w nora /r 5", 1, "/r 5"),
    ],
)
def test_a_whisper_names_one_of_those_who_are_here(line, whom, words):
    assert is_whisper(line) and not is_roll(line)
    assert read_whisper(line, HERE) == (whom, words)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("/w", "Write it like /w nora"),
        ("/w   ", "Write it like /w nora"),
        ('/w "" come', "Write it like /w nora"),
        ("/w : come", "Write it like /w nora"),
        ("/w nobody come", "Nobody else here is called “nobody”. Here are: Nora, Norbert Weiß, Mo,"),
        ("/w ora come", "Nobody else here is called “ora”"),
        ('/w "Nora B" come', "Nobody else here is called “Nora B”"),
        ("/w nor come", "“nor” could be Nora, Norbert Weiß."),
        ("/w mo li come", "“Mo” could be Mo, Mo Li. Write the whole name in quotes"),
        ("/w sam come", "“Sam” could be Sam, Sam."),
    ],
)
def test_a_whisper_is_not_sent_where_it_is_unclear_to_whom(line, why):
    with pytest.raises(SlashError) as refused:
        read_whisper(line, HERE)
    assert str(refused.value).startswith(why)


def test_where_nobody_else_is_there_is_nobody_to_whisper_to():
    with pytest.raises(SlashError, match="Here are: no others"):
        read_whisper("/w nora come", {})


@pytest.mark.parametrize(
    "line", ["/me nods", "/5d6", "/rest of the night", "/", "/ hm", "  /who", "/w/nora hi", "/" + "x" * 5000]
)
def test_an_unknown_command_is_refused_with_those_there_are(line):
    with pytest.raises(SlashError) as refused:
        read_words(line)
    assert "There are /r and /roll, /f and /forged, /w and /whisper" in str(refused.value)
    assert "write two: //" in str(refused.value) and len(str(refused.value)) < 300


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("I roll 5 dice", "I roll 5 dice"),
        ("", ""),
        ("either/or", "either/or"),
        ("//r 5 is how dice are rolled", "/r 5 is how dice are rolled"),
        ("  //", "/"),
        ("///", "//"),
        ("first\n/second", "first\n/second"),
    ],
)
def test_anything_else_is_said_and_two_slashes_write_one(line, said):
    assert read_words(line) == said
