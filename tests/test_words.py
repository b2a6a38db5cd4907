"""A thing has one name: the words that were given up for those of the glossary in CONTRIBUTING stand nowhere any more."""

import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CODE = (
    "bench",
    "campaigns",
    "characters",
    "config",
    "database",
    "examples",
    "people",
    "rolls",
    "rulesets",
    "tests",
    "tools",
)
NAMES = {
    **dict.fromkeys(("Seat", "seat", "seats", "seat_of", "only_looks"), "Viewer, viewer, is_read_only"),
    **dict.fromkeys(("at_table", "open_table"), "service, begin"),
    **dict.fromkeys(("Deed", "deed", "deeds"), "IdempotencyKey, operation"),
    **dict.fromkeys(("facts", "roll_facts", "burn_facts"), "payload"),
    **dict.fromkeys(("Hub", "Pump", "Switchboard"), "CampaignFeed, SocketWriter, ConnectionManager"),
    **dict.fromkeys(("Stale", "Waiting", "Missing", "Flood", "Refused"), "Conflict, Blocked, NotFound, RateLimited"),
    **dict.fromkeys(
        ("Filing", "Throw", "Epoch", "Looker", "Reading"), "SceneOverride, DiceRequest, SeedEpoch, OddsContext"
    ),
    **dict.fromkeys(("sequels", "register_sequels", "Sight", "ClockSight"), "signals, Visibility"),
    **dict.fromkeys(("looker", "roller", "roller_of"), "OddsContext, RollContext, context"),
    **dict.fromkeys(("Purse", "purse", "purses", "purses_of"), "Currency, Balance"),
    **dict.fromkeys(("row_marks", "marks_of"), "cell, style"),
    **dict.fromkeys(
        ("DEEDS", "DEED", "hub", "_switchboards", "_hinted", "hints"), "operations, feed, _managers, _notified"
    ),
}
ANY_NAME = re.compile(rf"\b({'|'.join(NAMES)})\b")
TEMPLATES = re.compile(r"\b(facts|seat|only_looks|purses?|mark\.(field|label|marks))\b")
ON_SCREEN = ("in haste", "hangs over us")


def python_files():
    return [path for folder in CODE for path in (ROOT / folder).rglob("*.py") if "migrations" not in path.parts]


def names_in(path):
    """Of those that were given up. To read a file token by token takes a hundred times as long as to see that it has none."""
    if not ANY_NAME.search(path.read_text()):
        return set()
    with path.open("rb") as file:
        return {
            token.string for token in tokenize.tokenize(file.readline) if token.type == tokenize.NAME
        } & NAMES.keys()


@pytest.mark.parametrize("folder", CODE)
def test_no_name_of_python_is_one_that_was_given_up(folder):
    found = {
        f"{path.relative_to(ROOT)}: {name} ({NAMES[name]})"
        for path in python_files()
        if path.is_relative_to(ROOT / folder)
        for name in names_in(path)
    }
    assert not found


def test_no_template_is_given_what_was_given_up():
    tags = re.compile(r"\{[{%].*?[}%]\}", re.S)
    found = {
        f"{path.relative_to(ROOT)}: {tag}"
        for folder in ("templates", "rulesets", "examples")
        for path in (ROOT / folder).rglob("*.html")
        for tag in tags.findall(path.read_text())
        if TEMPLATES.search(re.sub(r"\"[^\"]*\"|'[^']*'", "", tag))
    }
    assert not found


def test_texts_on_screen_are_plain():
    found = {
        f"{path.relative_to(ROOT)}: {words}"
        for path in (ROOT / "templates").rglob("*.html")
        for words in ON_SCREEN
        if words in path.read_text()
    }
    assert not found


def test_the_glossary_explains_the_words_that_stand_instead():
    glossary = (ROOT / "CONTRIBUTING.md").read_text().partition("## Glossary")[2]
    instead = {word for words in NAMES.values() for word in words.split(", ") if word[0].isupper()}
    assert not {word for word in instead if word.casefold() not in glossary.casefold()}
    for idea in (
        "idempotency key",
        "compare-and-set",
        "keyset pagination",
        "commit-reveal",
        "hash chain",
        "append-only log",
    ):
        assert idea in glossary
