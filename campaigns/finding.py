"""By what an event is found in the log: its topic, the rule system, what came of it, and the words that are searched.

All of it is read from the facts of the one telling, so the index of a stream never knows more than its readers do. This app
knows only its own kinds: the apps above it register theirs once, when they are ready.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import TextChoices

Facts = Mapping[str, Any]

# A text without a blank may be one word of 10,000 letters, which no index takes.
LONGEST = 64


class Topic(TextChoices):
    """What an event is about, in words that a reader would use."""

    TALK = "talk", "Talk"
    WHISPER = "whisper", "Whispers"
    NARRATION = "narration", "Narration"
    ROLL = "roll", "Rolls"
    CLOCK = "clock", "Clocks"
    SHEET = "sheet", "Characters and sheets"
    PLAY = "play", "Sessions, scenes and storylines"
    TABLE = "table", "The table and its people"


class Outcome(TextChoices):
    """What came of it, whatever the rule system calls it."""

    CRITICAL = "critical", "Critical success"
    SUCCESS = "success", "Success"
    PARTIAL = "partial", "Success at a price"
    FAILURE = "failure", "Failure"
    BOTCH = "botch", "Botch"
    STALEMATE = "stalemate", "Stalemate"


@dataclass(frozen=True)
class Found:
    """`topic` is one of topics(), `outcome` of outcomes(); `system` is the name of a ruleset, "" where none had a part in it."""

    topic: str
    system: str = ""
    outcome: str | None = None
    words: str = ""


Reader = Callable[[Facts], Found]

_readers: dict[str, Reader | str] = {}
_topics = dict(Topic.choices)
_outcomes = dict(Outcome.choices)


def add_choices(*, topics: Mapping[str, str], outcomes: Mapping[str, str]) -> None:
    """Further topics and outcomes with their words, for the filters of the log. Their names are kept for good.

    Further topics stand behind the rolls, as they come of them.
    """
    before = list(_topics.items())
    place = list(_topics).index(Topic.ROLL) + 1
    _topics.clear()
    _topics.update([*before[:place], *topics.items(), *before[place:]])
    _outcomes.update(outcomes)


def topics() -> Mapping[str, str]:
    """All topics by name, in the order in which they are offered."""
    return _topics


def outcomes() -> Mapping[str, str]:
    return _outcomes


def register(readers: Mapping[str, Reader | str]) -> None:
    """Say by what events of these kinds are found; a topic alone for those in which there is nothing else to find."""
    _readers.update(readers)


def is_known(kind: str) -> bool:
    return kind in _readers


def found(kind: str, facts: Facts) -> Found:
    """By what an event of this kind, with these facts, is found. One that nobody registered stands with the table.

    Raises KeyError where the facts say that something came of it that nothing comes to.
    """
    reader = _readers.get(kind, Topic.TABLE)
    by = Found(reader) if isinstance(reader, str) else reader(facts)
    if by.outcome is not None and by.outcome not in _outcomes:
        raise KeyError(by.outcome)
    return by


def folded(text: str) -> list[str]:
    """The words of a text as they are compared: lower case, without accents, letters and digits only, LONGEST at the most."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return [word[:LONGEST] for word in re.findall(r"[^\W_]+", plain.casefold())]


def _said(facts: Facts) -> Found:
    topics = {"narration": Topic.NARRATION, "whisper": Topic.WHISPER}
    return Found(topics.get(facts.get("manner", ""), Topic.TALK), words=facts.get("words", ""))


def _titled(facts: Facts) -> Found:
    return Found(Topic.PLAY, words=facts["title"])


def _storyline(facts: Facts) -> Found:
    return Found(Topic.PLAY, words=facts["rows"][0]["title"])


def _noted(facts: Facts) -> Found:
    return Found(Topic.PLAY, words=f"{facts['storyline']['title']} {facts['notes']}")


def _recap(facts: Facts) -> Found:
    return Found(Topic.PLAY, words=f"{facts['title']} {facts['words']}")


def _refiled(facts: Facts) -> Found:
    return Found(Topic.PLAY, words=facts["reason"])


def _clock(facts: Facts) -> Found:
    return Found(Topic.CLOCK, words=f"{facts['clock']['name']} {facts.get('reason', '')}")


register(
    {
        **dict.fromkeys(["campaigns.said", "campaigns.said_amended"], _said),
        **dict.fromkeys(["campaigns.session_started", "campaigns.session_titled", "campaigns.session_ended"], _titled),
        **dict.fromkeys(["campaigns.scene_opened", "campaigns.scene_titled", "campaigns.scene_closed"], _titled),
        **dict.fromkeys(["campaigns.recap_drafted", "campaigns.recap_published"], _recap),
        **dict.fromkeys(["campaigns.moment_pinned", "campaigns.moment_unpinned"], Topic.PLAY),
        "campaigns.event_refiled": _refiled,
        "campaigns.storyline_changed": _storyline,
        "campaigns.storyline_noted": _noted,
        "campaigns.clock_ticked": _clock,
        "campaigns.clock_changed": _clock,
        "campaigns.clock_archived": _clock,
        "campaigns.clocks_ordered": Topic.CLOCK,
        "campaigns.clock_template_changed": Topic.CLOCK,
        **dict.fromkeys(
            [
                "campaigns.campaign_made",
                "campaigns.campaign_changed",
                "campaigns.campaign_archived",
                "campaigns.campaign_reopened",
                "campaigns.watching_changed",
                "campaigns.invitation_made",
                "campaigns.invitation_revoked",
                "campaigns.member_joined",
                "campaigns.member_left",
                "campaigns.member_removed",
                "campaigns.role_changed",
                "campaigns.log_restored",
                "campaigns.words_erased",
            ],
            Topic.TABLE,
        ),
    }
)
