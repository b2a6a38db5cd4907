"""The kinds of events of this app (campaigns/kinds.py)."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext as _

from campaigns import payloads
from campaigns.kinds import Changed, EventKind, Indexed, Part, Payload, TextCategory, Topic, copied, typed
from campaigns.models.play import scene_words, session_words

table = partial(EventKind, topic=Topic.TABLE)
play = partial(EventKind, topic=Topic.PLAY)
clock = partial(EventKind, topic=Topic.CLOCK)

# The campaign and its people

CAMPAIGN_MADE = table("campaigns.campaign_made", schema=payloads.CampaignMade)
CAMPAIGN_CHANGED = table("campaigns.campaign_changed", schema=payloads.CampaignChanged)
CAMPAIGN_ARCHIVED = table("campaigns.campaign_archived")
CAMPAIGN_REOPENED = table("campaigns.campaign_reopened")
WATCHING_CHANGED = table("campaigns.watching_changed", schema=payloads.Switched, beside=True)
SAMPLE_CHANGED = table("campaigns.sample_changed", schema=payloads.Switched, beside=True)
INVITATION_MADE = table("campaigns.invitation_made", schema=payloads.InvitationMade, beside=True)
INVITATION_REVOKED = table("campaigns.invitation_revoked", schema=payloads.InvitationRevoked, beside=True)
MEMBER_JOINED = table("campaigns.member_joined", schema=payloads.MemberJoined)
MEMBER_LEFT = table("campaigns.member_left", schema=payloads.OfMember)
MEMBER_REMOVED = table("campaigns.member_removed", schema=payloads.OfMember)
ROLE_CHANGED = table("campaigns.role_changed", schema=payloads.RoleChanged)
LOG_RESTORED = table("campaigns.log_restored", schema=payloads.LogRestored)
CAMPAIGN_MOVED = table("campaigns.campaign_moved", schema=payloads.CampaignMoved, nameless=True)
BOUNDARIES_CHANGED = table("campaigns.boundaries_changed", nameless=True)
COVER_CHANGED = table("campaigns.cover_changed", schema=payloads.CoverChanged)
WORDS_ERASED = table("campaigns.words_erased", schema=payloads.OfMember)

# Talk


def _said(payload: Payload) -> Indexed:
    topics = {"narration": Topic.NARRATION, "whisper": Topic.WHISPER}
    alt = (payload.get("picture") or {}).get("alt", "")
    return Indexed(topics.get(payload.get("manner", ""), Topic.TALK), words=f"{payload['words']} {alt}".strip())


SAID = EventKind(
    "campaigns.said",
    topic=Topic.TALK,
    schema=payloads.Said,
    index=_said,
    typed=lambda payload: [*typed("words", sort=TextCategory.TALK)(payload), *typed("picture.alt")(payload)],
)
SAID_AMENDED = EventKind(
    "campaigns.said_amended",
    topic=Topic.TALK,
    schema=payloads.SaidAmended,
    index=_said,
    typed=lambda payload: [
        *typed("words", "original", whose="who", sort=TextCategory.TALK)(payload),
        *typed("reason", whose="who")(payload),
        *typed("words", sort=TextCategory.TALK)(payload),
        *typed("reason")(payload),
    ],
)

# Changes of pictures; `of` is the uid of the line, or of a showing if the event says who has seen it

talk = partial(EventKind, topic=Topic.TALK)


PICTURE_SHOWN = talk(
    "campaigns.picture_shown",
    schema=payloads.PictureShown,
    index=lambda payload: Indexed(words=payload["picture"]["alt"]),
    copied=copied("picture.alt"),
)
PICTURE_SEEN = talk("campaigns.picture_seen", schema=payloads.PictureSeen)
HANDOUT_CHANGED = talk(
    "campaigns.handout_changed",
    schema=payloads.HandoutChanged,
    index=lambda payload: Indexed(words=payload["title"]),
)

# Sessions, scenes and storylines


def _titled(payload: Payload) -> Indexed:
    return Indexed(words=payload["title"])


def now_words(now: Payload) -> dict[str, str]:
    """Return the open session and scene as people read them, from what a payload says of them; "" for none."""
    session, scene = now["session"], now["scene"]
    return {
        "session": session_words(session["number"], session["title"]) if session else "",
        "scene": scene_words(scene["number"], scene["title"]) if scene else "",
    }


def _opened(payload: Payload) -> Payload:
    return {"now": now_words(payload["now"])}


opened = partial(play, index=_titled, describe=_opened)


def _scene_opened(payload: Payload) -> Payload:
    shown = {name: payload.get(name) for name in ("number", "title", "cover", "here")}
    return {**_opened(payload), "band": {**shown, "session": payload["now"]["session"]["number"]}}


DATES_PROPOSED = play("campaigns.dates_proposed", schema=payloads.DatesProposed)
DATE_ANSWERED = play("campaigns.date_answered", schema=payloads.DateAnswered, beside=True)
SESSION_PLANNED = play("campaigns.session_planned", schema=payloads.SessionPlanned)
SESSION_STARTED = opened("campaigns.session_started", schema=payloads.Opened)
SESSION_TITLED = opened("campaigns.session_titled", schema=payloads.Retitled)
SESSION_ENDED = opened("campaigns.session_ended", schema=payloads.Opened)
SCENE_OPENED = opened("campaigns.scene_opened", schema=payloads.SceneOpened, describe=_scene_opened)
SCENE_TITLED = opened("campaigns.scene_titled", schema=payloads.Retitled, drawn_as=SESSION_TITLED)
SCENE_CLOSED = opened("campaigns.scene_closed", schema=payloads.Opened)
CLOSING_TOLD = play("campaigns.closing_told", schema=payloads.ClosingTold, beside=True)


def _recap(payload: Payload) -> Indexed:
    return Indexed(words=f"{payload['title']} {payload['words']}")


recap = partial(play, schema=payloads.Recap, index=_recap, typed=typed("words"), copied=copied("words"))

RECAP_DRAFTED = recap("campaigns.recap_drafted")
RECAP_PUBLISHED = recap("campaigns.recap_published")
REMEMBERED = play(
    "campaigns.remembered",
    schema=payloads.Remembered,
    index=lambda payload: Indexed(words=payload["words"]),
    typed=typed("words"),
)
MOMENT_PINNED = play("campaigns.moment_pinned", schema=payloads.OfMoment)
MOMENT_UNPINNED = play("campaigns.moment_unpinned", schema=payloads.OfMoment, drawn_as=MOMENT_PINNED)


def place_words(place: Payload) -> str:
    """Return words for a place in the log, from a payload."""
    return " · ".join(filter(None, now_words(place).values())) or _("no session")


def _refiled(payload: Payload) -> Payload:
    return {when: {**payload[when], "words": place_words(payload[when])} for when in ("before", "now")}


EVENT_REFILED = play(
    "campaigns.event_refiled",
    schema=payloads.EventRefiled,
    index=lambda payload: Indexed(words=payload["reason"]),
    typed=typed("reason"),
    describe=_refiled,
)


STORYLINE_CHANGED = play(
    "campaigns.storyline_changed",
    schema=payloads.StorylineChanged,
    index=lambda payload: Indexed(words=payload["rows"][0]["title"]),
)
STORYLINE_NOTED = play(
    "campaigns.storyline_noted",
    schema=payloads.StorylineNoted,
    index=lambda payload: Indexed(words=f"{payload['storyline']['title']} {payload['notes']}"),
    typed=typed("notes"),
    copied=copied("notes"),
)

# Clocks


def _clock(payload: Payload) -> Indexed:
    return Indexed(words=f"{payload['clock']['name']} {payload.get('reason', '')}")


def _clock_on_card(payload: Payload) -> Changed | None:
    """Return how far a clock went; None for readers who are not told."""
    if payload.get("ticks") is None:
        return None
    return Changed(f"clock {payload['clock']['id']}", payload["before"], payload["after"])


CLOCK_CHANGED = clock("campaigns.clock_changed", schema=payloads.ClockChanged, index=_clock, part=Part.STEP)
CLOCK_TICKED = clock(
    "campaigns.clock_ticked",
    schema=payloads.ClockTicked,
    index=_clock,
    typed=typed("reason"),
    part=Part.STEP,
    changed=_clock_on_card,
)
CLOCK_ARCHIVED = clock("campaigns.clock_archived", schema=payloads.ClockArchived, index=_clock)
CLOCKS_ORDERED = clock("campaigns.clocks_ordered", schema=payloads.ClocksOrdered, beside=True)
CLOCK_TEMPLATE_CHANGED = clock("campaigns.clock_template_changed", schema=payloads.ClockTemplateChanged, beside=True)
