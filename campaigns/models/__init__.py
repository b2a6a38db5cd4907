from campaigns.clocks import ClockKind
from campaigns.models.clocks import Clock, ClockOwner, ClockSight, ClockTemplate
from campaigns.models.entries import Entry
from campaigns.models.filing import Filing
from campaigns.models.log import Deed, Event, Payload, Stream, Subject
from campaigns.models.members import Campaign, Invitation, Membership, Role
from campaigns.models.moments import Pin, Recap
from campaigns.models.play import GameSession, Presence, Scene, Storyline
from campaigns.models.viewer import Seat

__all__ = [
    "Campaign",
    "Clock",
    "ClockKind",
    "ClockOwner",
    "ClockSight",
    "ClockTemplate",
    "Deed",
    "Entry",
    "Event",
    "Filing",
    "GameSession",
    "Invitation",
    "Membership",
    "Payload",
    "Pin",
    "Presence",
    "Recap",
    "Role",
    "Scene",
    "Seat",
    "Storyline",
    "Stream",
    "Subject",
]
