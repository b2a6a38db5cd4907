"""The schemas of the payloads of this app's events (campaigns/schema.py)."""

from __future__ import annotations

from typing import Annotated, Any

from campaigns.schema import ChosenBy, Code, Moment, Name, PayloadSchema, Person, Ref, Schema, Text, Uid


class About(Schema):
    name: Name
    pitch: Name
    systems: list[Code]


class CampaignMade(About, PayloadSchema):
    pass


class CampaignChanged(PayloadSchema):
    before: About
    after: About


class Switched(PayloadSchema):
    on: bool


class InvitationMade(PayloadSchema):
    role: Code
    uses: int | None = None
    days: int | None = None


class InvitationRevoked(PayloadSchema):
    role: Code
    made_by: Person


class OfMember(PayloadSchema):
    who: Person


class MemberJoined(OfMember):
    role: Code


class RoleChanged(MemberJoined):
    before: Code


class LogRestored(PayloadSchema):
    upto: Moment | None = None


class CampaignMoved(PayloadSchema):
    """The campaign came from another server, where these epochs were committed to and not told."""

    epochs: list[Code]


class CoverChanged(PayloadSchema):
    """The campaign has another cover, or a scene; the cover is "" where it was removed."""

    cover: Code
    session: int | None = None
    scene: int | None = None


class Picture(Schema):
    """A picture beside a line; its address has the id, which is removed when the picture is erased."""

    id: Uid | None = None
    width: int
    height: int
    alt: Text


class Said(PayloadSchema):
    words: Text
    manner: Code
    voice: Ref | None = None
    to: list[Person]
    picture: Picture | None = None


class SaidAmended(PayloadSchema):
    of: Uid
    who: Person | None = None
    manner: Code
    original: Text
    words: Text
    reason: Text


class PictureShown(PayloadSchema):
    of: Uid
    picture: Picture


class PictureSeen(PayloadSchema):
    of: Uid
    seen_by: list[Person]


class HandoutChanged(PayloadSchema):
    of: Uid
    title: Name
    kept: bool


class Titled(Schema):
    """A session or scene."""

    number: int
    title: Name


class Place(Schema):
    """A place in the log, or what is open now."""

    session: Titled | None = None
    scene: Titled | None = None


class SessionDate(Schema):
    id: Uid
    at: Moment


class DatesProposed(PayloadSchema):
    dates: list[SessionDate]
    withdrawn: bool


class DateAnswered(PayloadSchema):
    date: SessionDate
    answer: Code


class SessionPlanned(PayloadSchema):
    """A date was set (`at`) or cancelled (`before`); with both, in logs of 0.2, the one that was planned was moved."""

    at: Moment | None = None
    before: Moment | None = None


class Opened(Titled, PayloadSchema):
    now: Place


class Retitled(Opened):
    before: Name


class SceneOpened(Opened):
    cover: Code | None = None
    here: list[Ref] = []


class ClosingTold(PayloadSchema):
    """A GM is about to close the scene or the session, or ("") is not any more."""

    what: Code


class Recap(Titled, PayloadSchema):
    words: Text


class Remembered(PayloadSchema):
    """What a person remembers of the session with this number; "" where they removed it."""

    number: int
    words: Text


class OfMoment(PayloadSchema):
    of: Uid


class EventRefiled(PayloadSchema):
    of: Uid
    before: Place
    now: Place
    reason: Text


class StorylineName(Schema):
    id: Uid
    title: Name


class Storyline(StorylineName):
    whose: Person | None = None
    open: bool
    order: int


class StorylineBefore(Schema):
    title: Name
    whose: Person | None = None


class StorylineChanged(PayloadSchema):
    what: Code
    rows: list[Storyline]
    before: StorylineBefore | None = None


class StorylineNoted(PayloadSchema):
    storyline: StorylineName
    notes: Text


class Owner(Schema):
    what: Code
    person: Person | None = None
    thing: Ref | None = None


class Rival(Ref):
    segments: int
    filled: int | None = None
    full: bool


class Clock(Rival):
    kind: Code
    visibility: Code
    owner: Owner
    rival: Ref | None = None
    after: Ref | None = None
    archived: bool
    order: int


class ClockChanged(PayloadSchema):
    """A clock was made or changed. Players only get the name of one that is hidden from now on."""

    gone: bool
    clock: Annotated[Any, ChosenBy(lambda fields, payload: Ref if fields.get("gone") else Clock)]
    before: Clock | None = None
    opened_by: Ref | None = None
    less: bool


class ClockTicked(PayloadSchema):
    clock: Clock
    ticks: int | None = None
    before: int | None = None
    after: int | None = None
    rounds: int | None = None
    overflow: int | None = None
    full: bool
    emptied: bool
    reason: Text
    rival: Rival | None = None
    source: Uid | None = None
    less: bool


class ClockArchived(PayloadSchema):
    clock: Clock
    less: bool


class ClocksOrdered(PayloadSchema):
    clocks: list[Clock]
    less: bool


class RivalTemplate(Schema):
    name: Name
    segments: int


class ClockTemplate(Ref):
    kind: Code
    visibility: Code
    segments: int
    rival: RivalTemplate | None = None


class ClockTemplateChanged(PayloadSchema):
    template: ClockTemplate
    gone: bool
