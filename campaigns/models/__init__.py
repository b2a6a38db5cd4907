from campaigns.clocks import ClockKind
from campaigns.models.clocks import Clock, ClockOwner, ClockTemplate, ClockVisibility
from campaigns.models.dates import Answer, DateAnswer, SessionDate
from campaigns.models.log import Event, EventIndex, EventPayload, EventSubject, IdempotencyKey, SceneOverride, Stream
from campaigns.models.members import ApiToken, Boundaries, Campaign, Invitation, Membership, Role, Viewer
from campaigns.models.pictures import Cover, Picture, PictureLine
from campaigns.models.play import GameSession, Pin, Presence, Recap, Scene, Storyline
from campaigns.models.undo import Written

__all__ = [
    "Answer",
    "ApiToken",
    "Boundaries",
    "Campaign",
    "Clock",
    "ClockKind",
    "ClockOwner",
    "ClockTemplate",
    "ClockVisibility",
    "Cover",
    "DateAnswer",
    "Event",
    "EventIndex",
    "EventPayload",
    "EventSubject",
    "GameSession",
    "IdempotencyKey",
    "Invitation",
    "Membership",
    "Picture",
    "PictureLine",
    "Pin",
    "Presence",
    "Recap",
    "Role",
    "Scene",
    "SceneOverride",
    "SessionDate",
    "Storyline",
    "Stream",
    "Viewer",
    "Written",
]
