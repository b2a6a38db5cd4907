"""Slash commands say what the roll form would have sent, by the rules whose command a line begins with."""

from functools import partial

import pytest

from rolls.slash import (
    Fields,
    SlashCommand,
    SlashError,
    Spoken,
    check_lines,
    is_roll,
    read_me,
    read_request,
    read_roll,
    read_voice,
    read_whisper,
    read_words,
    spoken,
)
from tests.answers import refusal

HERE = {1: "Nora", 2: "Norbert Weiß", 3: "Mo", 4: "Mo Li", 5: "Sam", 6: "Sam", 7: "Ólafur"}


class Doubled(SlashCommand):
    def __init__(self, *words):
        self.words, self.usage = words, f"Write it like {words[0]} 5."

    def read(self, typed):
        if "wrong" in typed:
            raise SlashError("That is wrong.")
        return Fields(pool=" ".join(typed))


PLAYED = {"dusk": Doubled("/r", "/roll"), "dawn": Doubled("/d", "/r")}


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("/r 5", {"system": "dusk", "pool": "5"}),
        ("/ROLL 5", {"system": "dusk", "pool": "5"}),
        ("/d 5 5", {"system": "dawn", "pool": "5 5"}),
        ("/r ME 5", {"system": "dusk", "pool": "5", "audience": "self"}),
        ("/r 5 gm", {"system": "dusk", "pool": "5", "audience": "gm"}),
        ("/r 5 = 7 1 # past the gm", {"system": "dusk", "pool": "5", "faces": "7 1", "note": "past the gm"}),
    ],
)
def test_a_line_is_read_by_the_rules_whose_command_it_begins_with_the_first_of_two(line, fields):
    assert is_roll(line, PLAYED)
    assert read_roll(line, PLAYED) == fields


class LanternCommand(SlashCommand):
    words = ("/l",)
    usage = "Write it like /l nerve."
    places = ("trait", "wind")
    keywords = {"oil": ("oil", "on")}


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        (["nerve"], {"trait": "nerve"}),
        (["Nerve", "2", "OIL"], {"trait": "Nerve", "wind": "2", "oil": "on"}),
        (["oil", "3"], {"trait": "3", "oil": "on"}),
        (["nerve", "2", "3"], {"trait": "nerve", "wind": "2 3"}),
    ],
)
def test_words_go_into_their_fields_and_the_others_where_there_is_place_in_their_order(words, fields):
    assert LanternCommand().read(words) == fields


def test_no_ruleset_takes_the_command_of_whispers():
    whisper = Doubled("/w")
    assert spoken("/w 5") is Spoken.WHISPER and not is_roll("/w 5", {"greedy": whisper})


def test_only_the_whole_word_is_a_command():
    assert is_roll("/r 5", PLAYED)
    assert is_roll("/roll 5", PLAYED)
    assert is_roll("/R 5", PLAYED)
    assert not is_roll("//r 5", PLAYED)
    assert not is_roll("/rest of the night", PLAYED)
    assert not is_roll("I roll 5 dice", PLAYED)
    assert not is_roll("", PLAYED)


UNSEEN = ("", " ", "\n", "\r\n\t", "\u00a0", "\ufeff", "\u200b", "\u00ad", "\u2060 \u3164", "\u2028")


@pytest.mark.parametrize("before", UNSEEN)
@pytest.mark.parametrize("slash", ["/", "\uff0f", "\u2044", "\u2215", "/\u200b", "/\u00ad"])
@pytest.mark.parametrize("word", ["w", "W", "\uff57", "w\u200b", "whi\u00adsper"])
def test_what_no_one_sees_and_another_keyboard_s_signs_do_not_say_a_whisper_aloud(before, slash, word):
    line = f"{before}{slash}{word} nora behind the mirror"
    assert spoken(line) is Spoken.WHISPER
    assert read_whisper(line, HERE) == (1, "behind the mirror")


def test_other_commands_are_found_behind_them_as_well():
    for before in UNSEEN:
        assert is_roll(f"{before}\uff0fr 5", PLAYED) and read_roll(f"{before}\uff0fR 5", PLAYED)["pool"] == "5"
        assert read_me(f"{before}\uff0fme nods") == "*nods*"
        assert read_voice(f"{before}\uff0fas \u200bsilas hm", {"character:1": "Silas"}) == ("character:1", "hm")
        assert read_request(f"{before}/ask nora \uff0fr 5", HERE, PLAYED, {})[1]["pool"] == "5"
        with pytest.raises(SlashError, match="isn’t a command"):
            read_words(f"{before}\uff0fnod", PLAYED)


@pytest.mark.parametrize(
    "text", ["hello\n/w nora it’s me", "/w mo one\r\n\uff0fw nora two", "/me nods\n\u200b/whisper nora no"]
)
def test_a_whisper_below_other_lines_is_not_said_to_who_hears_those(text):
    with pytest.raises(SlashError, match="Send it by itself"):
        check_lines(text)


@pytest.mark.parametrize("text", ["", "\n/w nora it’s me", "hello\n//w nora\n/rest\nand/w nora"])
def test_other_lines_may_stand_below(text):
    check_lines(text)


def test_signs_are_read_as_our_cards_print_them():
    assert read_roll("/r \uff15 \u2212\uff12 \uff1d7 1 \uff03 −2 is fair", PLAYED) == {
        "system": "dusk",
        "pool": "\uff15 -\uff12",
        "faces": "7 1",
        "note": "−2 is fair",
    }


def test_a_number_sign_before_the_last_word_of_a_name_begins_no_note():
    assert read_roll("/r stone #2", PLAYED)["pool"] == "stone #2"
    assert read_roll("/r stone #2 # of three", PLAYED) == {"system": "dusk", "pool": "stone #2", "note": "of three"}
    assert read_roll("/r stone #2nd try", PLAYED)["note"] == "2nd try"
    assert read_roll("/r 5 #2 tries", PLAYED)["note"] == "2 tries"


@pytest.mark.parametrize(
    ("line", "whom"),
    [
        ("/w rene hi", 1),
        ("/w rené hi", 2),
        ("/w rene\u0301 hi", 2),
        ('/w "René" hi', 2),
        ("/w ilker hi", 3),
        ("/w İLKER hi", 3),
        ("/w ışıl hi", 4),
        ("/w isil hi", 4),
        ("/w jurgen hi", 5),
        ("/w ju\u0308rgen hi", 5),
        ("/w JÜRGEN hi", 5),
        ("/w o´brien hi", 6),
    ],
)
def test_a_name_is_found_with_and_without_its_accents_however_they_are_typed(line, whom):
    names = {1: "Rene", 2: "René", 3: "İlker", 4: "Işıl", 5: "Ju\u0308rgen", 6: "O´Brien"}
    assert read_whisper(line, names) == (whom, "hi")


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
    assert spoken(line) is Spoken.WHISPER and not is_roll(line, PLAYED)
    assert read_whisper(line, HERE) == (whom, words)


@pytest.mark.parametrize(
    "line", ["/nod", "/5d6", "/rest of the night", "/", "/ hm", "/who", "/w/nora hi", "/" + "x" * 5000]
)
def test_an_unknown_command_is_refused_with_those_there_are(line):
    refused = refusal(SlashError, read_words, line, PLAYED)
    assert "Commands: /r, /roll, /d, /r, /w, /whisper, /as, /me, /ask, /search, /table. To start" in str(refused)
    assert "type two: //" in str(refused) and len(str(refused)) < 300


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
    assert read_words(line, PLAYED) == said


@pytest.mark.parametrize(
    ("line", "voice", "words"),
    [
        ("/as madam good evening", "character:1", "good evening"),
        ("/AS madam orsolya\n\ngood evening", "character:1", "good evening"),
        ("/as myself brb", "player", "brb"),
        ('/as "Narrate" It rains.', "narration", "It rains."),
    ],
)
def test_a_voice_is_one_of_those_that_somebody_has(line, voice, words):
    voices = {"narration": "narrate", "character:1": "Madam Orsolya", "character:2": "Silas", "player": "myself"}
    assert spoken(line) is Spoken.AS
    assert read_voice(line, voices) == (voice, words)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/me draws a knife", "*draws a knife*"),
        ("/ME draws a knife. \n\n waits", "*draws a knife.*\n\n*waits*"),
        ("/me draws\n\nwaits", "*draws*\n\n*waits*"),
    ],
)
def test_what_somebody_does_is_said_in_emphasis(line, said):
    assert spoken(line) is Spoken.ME
    assert read_me(line) == said


@pytest.mark.parametrize(
    ("line", "whom", "fields"),
    [
        ("/ask nora 5 # the lock", 1, {"system": "dusk", "pool": "5", "note": "the lock"}),
        ("/ask all 5 gm", None, {"system": "dusk", "pool": "5", "audience": "gm"}),
        ("/ask Norbert Weiß /d 5", 2, {"system": "dawn", "pool": "5"}),
    ],
)
def test_a_roll_is_asked_for_by_the_line_that_would_make_it(line, whom, fields):
    assert spoken(line) is Spoken.ASK
    assert read_request(line, HERE, PLAYED, {}) == (whom, fields)


def test_without_a_command_the_rules_are_those_of_who_is_asked():
    games = {1: "dawn"}
    assert read_request("/ask nora 5", HERE, PLAYED, games)[1]["system"] == "dawn"
    assert read_request("/ask Norbert Weiß 5", HERE, PLAYED, games)[1]["system"] == "dusk"
    assert read_request("/ask all 5", HERE, PLAYED, games)[1]["system"] == "dusk"


def roll(line):
    return read_roll(line, PLAYED)


def request(line):
    return read_request(line, HERE, PLAYED, {})


def whisper(line, here=HERE):
    return read_whisper(line, here)


def refused(read, line):
    return str(refusal(SlashError, read, line))


@pytest.mark.parametrize(
    ("read", "line", "why"),
    [
        (roll, "/d", "Say what to roll. Write it like /d 5."),
        (roll, "/d gm # only a note", "Say what to roll. Write it like /d 5."),
        (roll, "/r 5 me gm", "“gm” repeats something. Say it once. Write it like /r 5."),
        (roll, "/r wrong", "That is wrong. Write it like /r 5."),
        (LanternCommand().read, ["oil"], "Say what to roll."),
        (LanternCommand().read, ["nerve", "oil", "Oil"], "“Oil” repeats something. Say it once."),
    ],
)
def test_a_line_that_cannot_be_read_says_how_these_rules_write_it(read, line, why):
    assert refused(read, line) == why


@pytest.mark.parametrize(
    ("read", "line", "why"),
    [
        (whisper, "/w", "Try: /w nora"),
        (whisper, "/w   ", "Try: /w nora"),
        (whisper, '/w "" come', "Try: /w nora"),
        (whisper, "/w : come", "Try: /w nora"),
        (whisper, "/w nobody come", "No one here is called “nobody”. You can whisper to: Nora, Norbert Weiß, Mo,"),
        (whisper, "/w ora come", "No one here is called “ora”"),
        (whisper, '/w "Nora B" come', "No one here is called “Nora B”"),
        (whisper, "/w nor come", "“nor” could be Nora, Norbert Weiß."),
        (whisper, "/w mo li come", "“Mo” could be Mo, Mo Li. Put the whole name in quotes"),
        (whisper, "/w sam come", "“Sam” could be Sam, Sam."),
        (partial(whisper, here={1: "Nora", 2: "No\u200bra"}), "/w nora hi", "“Nora” could be "),
        (partial(whisper, here={}), "/w nora come", "No one here is called “nora”. You can whisper to: no one"),
        (
            partial(read_voice, voices={"character:3": "Corvina"}),
            "/as silas I confess",
            "You have no voice called “silas”",
        ),
        (read_me, "/me  ", "Try: /me draws a knife"),
        (request, "/ask", "Try: /ask nora wits"),
        (request, "/ask nobody 5", "No player here is called “nobody”"),
        (request, "/ask nor 5", "“nor” could be Nora, Norbert Weiß."),
        (request, "/ask nora", "Say what to roll."),
        (request, "/ask nora /w mo come", "“/w” isn’t a roll."),
        (request, "/ask nora /q 5", "“/q” isn’t a roll."),
        (request, "/ask nora 5 = 1 2 3 4 5", "Leave out the dice"),
    ],
)
def test_nothing_is_sent_where_it_is_unclear_what_or_to_whom(read, line, why):
    assert refused(read, line).startswith(why)
