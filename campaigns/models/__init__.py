from campaigns.clocks import ClockKind
from campaigns.models.boundaries import Boundaries
from campaigns.models.clocks import Clock, ClockOwner, ClockTemplate, ClockVisibility
from campaigns.models.covers import Cover
from campaigns.models.event_index import EventIndex
from campaigns.models.log import Event, EventPayload, EventSubject, IdempotencyKey, Stream
from campaigns.models.members import Campaign, Invitation, Membership, Role
from campaigns.models.pictures import Picture
from campaigns.models.pins import Pin, Recap
from campaigns.models.play import GameSession, Presence, Scene, Storyline
from campaigns.models.scene_overrides import SceneOverride
from campaigns.models.viewer import Viewer

__all__ = [
    "Boundaries",
    "Campaign",
    "Clock",
    "ClockKind",
    "ClockOwner",
    "ClockTemplate",
    "ClockVisibility",
    "Cover",
    "Event",
    "EventIndex",
    "EventPayload",
    "EventSubject",
    "GameSession",
    "IdempotencyKey",
    "Invitation",
    "Membership",
    "Picture",
    "Pin",
    "Presence",
    "Recap",
    "Role",
    "Scene",
    "SceneOverride",
    "Storyline",
    "Stream",
    "Viewer",
]
