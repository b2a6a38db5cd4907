"""The first draft of a session's recap: what the whole table saw, scene by scene, in the order in which it happened."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.events import CLOCK_TICKED, SAID, SAID_AMENDED
from campaigns.kinds import Part
from campaigns.live.render import chips_of, to_text
from campaigns.models import Event, GameSession, Role, Scene, Viewer
from campaigns.models.log import filed_in, place_of
from campaigns.models.play import UNWRITTEN, Manner
from campaigns.text import ERASED, MAX_TEXT, QUOTE
from characters.events import FIELD_CHANGED, ROW_ADDED
from languages.text import colon
from rolls.events import PROCEDURE_CHANGED, PROCEDURE_CLOSED, PROCEDURE_OPENED, ROLL_CORRECTED, ROLL_MADE, ROLL_VOIDED
from rolls.queries.sessions import Told, told
from scale.events import BURN_NARRATED
from scale.queries.history import on_the_scale

ROLLS: Final = (ROLL_MADE, ROLL_CORRECTED)
STEPS: Final = (PROCEDURE_OPENED, PROCEDURE_CHANGED, PROCEDURE_CLOSED)
TOLD: Final = (SAID, *ROLLS, ROLL_VOIDED, *STEPS, CLOCK_TICKED, FIELD_CHANGED, ROW_ADDED, BURN_NARRATED)


@dataclass(frozen=True)
class Drafted:
    """A draft in Markdown, and how much it was put together from."""

    words: str
    narrations: int
    rolls: int
    quotes: int


@dataclass
class _Story:
    """The paragraphs and items of each scene; None for what happened outside of scenes. Each has the order in which a draft that
    is too long gives it up: plain rolls first."""

    scenes: dict[Scene | None, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))
    narrations: int = 0
    rolls: int = 0
    quotes: int = 0
    pinned: set[UUID] = field(default_factory=set)
    filled: set[str] = field(default_factory=set)
    majors: dict[str, Event] = field(default_factory=dict)

    def text(self, scene: Scene | None, most: int) -> str:
        return _paragraphs([words for order, words in self.scenes.get(scene, []) if order <= most])


LAST, LATER, FIRST = range(3)
"""What a draft that is too long gives up."""


def recap_draft(viewer: Viewer, session: GameSession) -> Drafted:
    """Return a recap in Markdown, from what everyone may see, whoever asks: it is meant to be published."""
    everyone = Viewer(viewer.campaign, None, Role.SPECTATOR)
    known = told(everyone, session)
    story = _story(everyone, known)
    drafts = (_draft(everyone, known, story, most) for most in (FIRST, LATER, LAST))
    words = next((draft for draft in drafts if len(draft) <= MAX_TEXT), None)
    if words is None:
        words = _draft(everyone, known, story, LAST)[:MAX_TEXT].rpartition("\n\n")[0]
    return Drafted(words, story.narrations, story.rolls, story.quotes)


def _draft(viewer: Viewer, known: Told, story: _Story, most: int) -> str:
    players = [member.name for member in known.who if member.role == Role.PLAYER]
    before = story.text(None, most)
    scenes = [f"**{scene}**\n\n{story.text(scene, most) or _(UNWRITTEN)}" for scene in known.scenes]
    ends = [f"**{heading}**\n\n{_paragraphs(lines)}" for heading, lines in _after(viewer, known) if lines]
    return "\n\n".join(filter(None, [_who_played(players), before, *scenes, *ends]))


def _after(viewer: Viewer, known: Told) -> Iterator[tuple[str, list[str]]]:
    yield _("On the Scale"), on_the_scale(viewer, known.session)
    earned = "- {}: {amount} {unit}, {label}"
    yield _("Experience"), [earned.format(one["character"]["name"], **one["entry"]) for one in known.awards]


def _paragraphs(texts: Sequence[str]) -> str:
    """Return paragraphs, and items of one list without a blank line between them."""
    parts = [
        ("\n" if text.startswith("- ") and before.startswith("- ") else "\n\n") + text
        for before, text in zip(("", *texts), texts, strict=False)
    ]
    return "".join(parts).strip()


def _story(viewer: Viewer, known: Told) -> _Story:
    story = _Story()
    seen = filed_in(Event.objects.seen_by(viewer), known.session).filter(kind__in=TOLD)
    related = ("campaign", "scene__session", "session", "filing__scene__session")
    events = [event for event in seen.with_related().select_related(*related).order_by("pk") if event.is_readable]
    voided = {event.payload["of"] for event in events if event.kind == ROLL_VOIDED}
    events = [event for event in events if str(event.uid) not in voided and event.kind != ROLL_VOIDED]
    story.pinned = {event.uid for event in known.quotes}
    story.filled = {payload["clock"]["id"] for payload in known.filled}
    story.majors = {
        burn["id"]: event for event in events if event.kind == BURN_NARRATED for burn in event.described["burns"]
    }
    cards: dict[UUID, list[Event]] = defaultdict(list)
    for event in events:
        if event.part and event.card:
            cards[event.card].append(event)
    for event in events:
        scene, on_card = place_of(event)[1], cards.get(event.card) if event.part and event.card else None
        story.rolls += event.kind in ROLLS
        if on_card is None:
            lines = _of_event(event, story)
        elif on_card[0] is event:
            lines = _of_card(on_card, story, viewer.role)
        else:
            continue
        story.scenes[scene] += lines
    return story


def _of_event(event: Event, story: _Story) -> list[tuple[int, str]]:
    payload = event.described
    if event.kind == SAID:
        words = _one_line(_amended(event))
        narrated = payload["manner"] == Manner.NARRATION
        story.narrations += bool(words and narrated)
        story.quotes += bool(words and event.uid in story.pinned and not narrated)
        if words and narrated:
            return [(LATER, f"{QUOTE}{words}")]
        if words and event.uid in story.pinned:
            return [(LAST, f"{QUOTE}{words}\n{QUOTE}— {_speaker(payload)}")]
        return []
    if event.kind == BURN_NARRATED:
        return [
            (LAST, text)
            for burn in payload["burns"]
            if burn["major"] and story.majors[burn["id"]] is event
            for text in _of_major(burn)
        ]
    return [(FIRST if event.kind in ROLLS else LATER, f"- {words}") for words in _came(event, story)]


def _of_major(burn: Mapping[str, Any]) -> Iterator[str]:
    struck = ", ".join(oracle["title"] for oracle in burn["oracles"] if oracle["oracle"] != "story")
    yield f"*{burn['title']}{colon()}{struck}*" if struck else f"*{burn['title']}*"
    yield f"{QUOTE}{_one_line(burn['narration'])}"


def _came(event: Event, story: _Story) -> Iterator[str]:
    """Yield what came of one event: a roll, a clock that filled, what a change of a sheet means in play."""
    payload = event.described
    if event.kind in ROLLS:
        name = (payload["character"] or payload["who"])["name"]
        yield f"{name}{colon()}{payload['words']}{colon()}{payload['headline']}"
    elif event.kind == CLOCK_TICKED and payload["full"] and payload["clock"]["id"] in story.filled:
        yield _("“{clock}” filled up.").format(clock=payload["clock"]["name"])
    elif payload.get("became"):
        yield f"{payload['character']['name']} {payload['became']}"


def _of_card(events: Sequence[Event], story: _Story, role: Role) -> list[tuple[int, str]]:
    """Return one line for what is settled in steps, with what it came to and what it changed; or one for each of its rolls."""
    steps = [event.described for event in events if event.part is Part.HEAD]
    last = next((step["procedure"] for step in reversed(steps) if step["procedure"]["staged"]), None)
    if last is None or last["token"]:
        return [(FIRST, f"- {words}") for event in events for words in _came(event, story)]
    card, typed = last["staged"], {text for step in steps for text in step.get("words") or ()} - {"", ERASED}
    tried = str(last["reason"] or card.get("title") or last["label"])
    came = ", ".join(map(str, filter(None, (card.get("outcome"), card.get("outcome_words")))))
    # Of what runs in turns it would be whose turn came next.
    if not came and not last["runs_turns"]:
        came = next((step["said"] for step in reversed(steps) if step["said"]), "").rstrip(".")
    # What somebody wrote into it, such as the price of a bargain, is a part of the story.
    notes = [str(note) for note in card.get("notes") or () if any(text in str(note) for text in typed)]
    changed = ", ".join(" ".join(to_text(chip).split()) for chip in chips_of(events, role))
    names = (
        event.described["character"]["name"] for event in events if event.kind in ROLLS and event.payload["character"]
    )
    who = next(names, "")
    told = (came,) if came.startswith(tried) else (tried, came)
    line = colon().join(filter(None, ("" if who in tried else who, *told)))
    line = " · ".join(filter(None, (line, *notes, changed)))
    beside = [words for event in events if event.kind not in ROLLS for words in _came(event, story)]
    return [(LATER, f"- {words}") for words in (line, *beside)]


def _amended(event: Event) -> str:
    """Return words as they read after the last change of them."""
    later = [one for one in event.amendments.all() if one.kind == SAID_AMENDED]
    last = max(later, key=lambda one: one.pk, default=event)
    words: str = last.payload["words"]
    return "" if words == ERASED else words


def _speaker(payload: Mapping[str, Any]) -> str:
    name: str = payload["voice"]["name"] if payload["voice"] else payload["by"]["name"]
    return name


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _who_played(names: list[str]) -> str:
    if not names:
        return _("*No one played.*")
    if len(names) == 1:
        return _("*{name} played.*").format(name=names[0])
    return _("*{names} and {last} played.*").format(names=", ".join(names[:-1]), last=names[-1])
