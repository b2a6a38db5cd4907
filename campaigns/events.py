"""The kinds of events of this app (campaigns/kinds.py)."""

from __future__ import annotations

from functools import partial

from campaigns.kinds import EventKind, Indexed, Payload, TextCategory, Topic, copied, typed
from campaigns.models.play import scene_words, session_words
from campaigns.schema import CODE, DATE, NAME, PERSON, TEXT, UID, Fields, ListOf, Maybe

REF: Fields = {"id": UID, "name": NAME}
TITLED: Fields = {"number": int, "title": NAME}

table = partial(EventKind, topic=Topic.TABLE)
play = partial(EventKind, topic=Topic.PLAY)
clock = partial(EventKind, topic=Topic.CLOCK)

# The campaign and its people

CAMPAIGN: Fields = {"name": NAME, "pitch": NAME, "systems": ListOf(CODE)}

CAMPAIGN_MADE = table("campaigns.campaign_made", schema=CAMPAIGN)
CAMPAIGN_CHANGED = table("campaigns.campaign_changed", schema={"before": CAMPAIGN, "after": CAMPAIGN})
CAMPAIGN_ARCHIVED = table("campaigns.campaign_archived", schema={})
CAMPAIGN_REOPENED = table("campaigns.campaign_reopened", schema={})
WATCHING_CHANGED = table("campaigns.watching_changed", schema={"on": bool})
SAMPLE_CHANGED = table("campaigns.sample_changed", schema={"on": bool})
INVITATION_MADE = table("campaigns.invitation_made", schema={"role": CODE, "uses": Maybe(int), "days": Maybe(int)})
INVITATION_REVOKED = table("campaigns.invitation_revoked", schema={"role": CODE, "made_by": PERSON})
MEMBER_JOINED = table("campaigns.member_joined", schema={"who": PERSON, "role": CODE})
MEMBER_LEFT = table("campaigns.member_left", schema={"who": PERSON})
MEMBER_REMOVED = table("campaigns.member_removed", schema={"who": PERSON})
ROLE_CHANGED = table("campaigns.role_changed", schema={"who": PERSON, "role": CODE, "before": CODE})
LOG_RESTORED = table("campaigns.log_restored", schema={"upto": Maybe(DATE)})
BOUNDARIES_CHANGED = table("campaigns.boundaries_changed", schema={}, nameless=True)
COVER_CHANGED = table("campaigns.cover_changed", schema={"cover": CODE, "session": Maybe(int), "scene": Maybe(int)})
"""Of the campaign, or of a scene; the cover is "" where it was removed."""
WORDS_ERASED = table("campaigns.words_erased", schema={"who": PERSON})

# Talk


PICTURE: Fields = {"id": Maybe(UID), "width": int, "height": int, "alt": TEXT}
"""A picture beside a line; the id leads to it, and is taken out where it is erased."""


def _said(payload: Payload) -> Indexed:
    topics = {"narration": Topic.NARRATION, "whisper": Topic.WHISPER}
    alt = (payload.get("picture") or {}).get("alt", "")
    return Indexed(topics.get(payload.get("manner", ""), Topic.TALK), words=f"{payload['words']} {alt}".strip())


SAID = EventKind(
    "campaigns.said",
    topic=Topic.TALK,
    schema={"words": TEXT, "manner": CODE, "voice": Maybe(REF), "to": ListOf(PERSON), "picture": Maybe(PICTURE)},
    index=_said,
    typed=lambda payload: [*typed("words", sort=TextCategory.TALK)(payload), *typed("picture.alt")(payload)],
)
SAID_AMENDED = EventKind(
    "campaigns.said_amended",
    topic=Topic.TALK,
    schema={"of": UID, "who": Maybe(PERSON), "manner": CODE, "original": TEXT, "words": TEXT, "reason": TEXT},
    index=_said,
    typed=lambda payload: [
        *typed("words", "original", whose="who", sort=TextCategory.TALK)(payload),
        *typed("reason", whose="who")(payload),
        *typed("words", sort=TextCategory.TALK)(payload),
        *typed("reason")(payload),
    ],
)

# What is done with pictures; `of` is the uid of the line, and of a showing when it is said who has seen it

talk = partial(EventKind, topic=Topic.TALK)

PICTURE_SHOWN = talk(
    "campaigns.picture_shown",
    schema={"of": UID, "picture": PICTURE},
    index=lambda payload: Indexed(words=payload["picture"]["alt"]),
    copied=copied("picture.alt"),
)
PICTURE_SEEN = talk("campaigns.picture_seen", schema={"of": UID, "seen_by": ListOf(PERSON)})
HANDOUT_CHANGED = talk(
    "campaigns.handout_changed",
    schema={"of": UID, "title": NAME, "kept": bool},
    index=lambda payload: Indexed(words=payload["title"]),
)

# Sessions, scenes and storylines

NOW: Fields = {"session": Maybe(TITLED), "scene": Maybe(TITLED)}


def _titled(payload: Payload) -> Indexed:
    return Indexed(words=payload["title"])


def now_words(now: Payload) -> dict[str, str]:
    """The open session and scene as people read them, from what a payload says of them; "" for none."""
    session, scene = now["session"], now["scene"]
    return {
        "session": session_words(session["number"], session["title"]) if session else "",
        "scene": scene_words(scene["number"], scene["title"]) if scene else "",
    }


def _opened(payload: Payload) -> Payload:
    return {"now": now_words(payload["now"])}


opened = partial(play, index=_titled, describe=_opened)

SESSION_PLANNED = play("campaigns.session_planned", schema={"at": Maybe(DATE), "before": Maybe(DATE)})
SESSION_STARTED = opened("campaigns.session_started", schema=TITLED | {"now": NOW})
SESSION_TITLED = opened("campaigns.session_titled", schema=TITLED | {"now": NOW, "before": NAME})
SESSION_ENDED = opened("campaigns.session_ended", schema=TITLED | {"now": NOW})
SCENE_OPENED = opened("campaigns.scene_opened", schema=TITLED | {"now": NOW, "cover": Maybe(CODE)})
SCENE_TITLED = opened("campaigns.scene_titled", schema=TITLED | {"now": NOW, "before": NAME})
SCENE_CLOSED = opened("campaigns.scene_closed", schema=TITLED | {"now": NOW})
CLOSING_TOLD = play("campaigns.closing_told", schema={"what": CODE})
"""A GM is about to close the scene or the session, or ("") is not any more."""


def _recap(payload: Payload) -> Indexed:
    return Indexed(words=f"{payload['title']} {payload['words']}")


recap = partial(play, schema=TITLED | {"words": TEXT}, index=_recap, typed=typed("words"), copied=copied("words"))

RECAP_DRAFTED = recap("campaigns.recap_drafted")
RECAP_PUBLISHED = recap("campaigns.recap_published")
MOMENT_PINNED = play("campaigns.moment_pinned", schema={"of": UID})
MOMENT_UNPINNED = play("campaigns.moment_unpinned", schema={"of": UID})


def place_words(place: Payload) -> str:
    """A place in the log as people read it, from what a payload says of it."""
    return " · ".join(filter(None, now_words(place).values())) or "no session"


def _refiled(payload: Payload) -> Payload:
    return {when: {**payload[when], "words": place_words(payload[when])} for when in ("before", "now")}


EVENT_REFILED = play(
    "campaigns.event_refiled",
    schema={"of": UID, "before": NOW, "now": NOW, "reason": TEXT},
    index=lambda payload: Indexed(words=payload["reason"]),
    typed=typed("reason"),
    describe=_refiled,
)

STORYLINE: Fields = {"id": UID, "title": NAME, "whose": Maybe(PERSON), "open": bool, "order": int}

STORYLINE_CHANGED = play(
    "campaigns.storyline_changed",
    schema={"what": CODE, "rows": ListOf(STORYLINE), "before": Maybe({"title": NAME, "whose": Maybe(PERSON)})},
    index=lambda payload: Indexed(words=payload["rows"][0]["title"]),
)
STORYLINE_NOTED = play(
    "campaigns.storyline_noted",
    schema={"storyline": {"id": UID, "title": NAME}, "notes": TEXT},
    index=lambda payload: Indexed(words=f"{payload['storyline']['title']} {payload['notes']}"),
    typed=typed("notes"),
    copied=copied("notes"),
)

# Clocks

OWNER: Fields = {"what": CODE, "person": Maybe(PERSON), "thing": Maybe(REF)}
CLOCK: Fields = REF | {
    "kind": CODE,
    "visibility": CODE,
    "owner": OWNER,
    "segments": int,
    "filled": Maybe(int),
    "full": bool,
    "rival": Maybe(REF),
    "after": Maybe(REF),
    "archived": bool,
    "order": int,
}
RIVAL: Fields = REF | {"segments": int, "filled": Maybe(int), "full": bool}


def _clock(payload: Payload) -> Indexed:
    return Indexed(words=f"{payload['clock']['name']} {payload.get('reason', '')}")


def _changed(payload: Payload) -> Fields:
    """Of one that is hidden from now on players are told the name alone."""
    told = REF if payload.get("gone") else CLOCK
    return {"clock": told, "before": Maybe(CLOCK), "gone": bool, "opened_by": Maybe(REF), "less": bool}


CLOCK_CHANGED = clock("campaigns.clock_changed", schema=_changed, index=_clock)
CLOCK_TICKED = clock(
    "campaigns.clock_ticked",
    schema={
        "clock": CLOCK,
        **dict.fromkeys(("ticks", "before", "after", "rounds", "overflow"), Maybe(int)),
        "full": bool,
        "emptied": bool,
        "reason": TEXT,
        "rival": Maybe(RIVAL),
        "source": Maybe(UID),
        "less": bool,
    },
    index=_clock,
    typed=typed("reason"),
)
CLOCK_ARCHIVED = clock("campaigns.clock_archived", schema={"clock": CLOCK, "less": bool}, index=_clock)
CLOCKS_ORDERED = clock("campaigns.clocks_ordered", schema={"clocks": ListOf(CLOCK), "less": bool})
CLOCK_TEMPLATE_CHANGED = clock(
    "campaigns.clock_template_changed",
    schema={
        "template": REF
        | {"kind": CODE, "visibility": CODE, "segments": int, "rival": Maybe({"name": NAME, "segments": int})},
        "gone": bool,
    },
)
