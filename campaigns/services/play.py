"""Game sessions, the scenes in them, and what is said at the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Max
from django.utils.translation import gettext as _

from campaigns import events
from campaigns.errors import Blocked, Conflict, Invalid, existing
from campaigns.kinds import EventKind
from campaigns.models import Event, GameSession, Membership, Picture, Recap, Role, Scene, Storyline, Viewer
from campaigns.models.log import Subject, person
from campaigns.models.members import GM, TABLE
from campaigns.models.play import UNWRITTEN, Manner, now_of
from campaigns.pictures import Upload
from campaigns.queries.play import (
    ClosingAction,
    about_to_close,
    endings,
    listed,
    memory_of,
    remembers_still,
    row,
)
from campaigns.services.log import UnitOfWork, compare_and_set, last_actor, service, version
from campaigns.services.pictures import (
    add_line,
    add_picture,
    keep_cover,
    keep_picture,
    list_handout,
    members_to_show,
    picture_subject,
    shown_later,
)
from languages.text import in_every_language


@service(Role.GM)
def start_session(work: UnitOfWork, title: str = "", *, key: UUID) -> GameSession:
    """Open the next session. Raises Blocked while one is open."""
    if work.session:
        raise Blocked(_("{session} is still in progress. End it first.").format(session=work.session))
    earlier = GameSession.objects.filter(campaign=work.campaign)
    work.session = earlier.create(campaign=work.campaign, number=_next(earlier), title=title, started_at=work.now)
    _tell(work, events.SESSION_STARTED, _session_subject(work.session), work.session.payload())
    return work.session


@service(Role.GM)
def end_session(
    work: UnitOfWork, title: str = "", *, expected: str = "", ask: bool = False, seen: str = "", key: UUID
) -> GameSession | None:
    """End the open session, and with it its scene. Raises Blocked if none is open. With `ask`, what would end with it is listed
    first and nothing is closed: None. So it is where something else would than was `seen` in that list (listed). With
    `expected`, it gets this `title` first, as by `title_session`."""
    session = _open_session(work)
    if _has_to_be_asked(work, ClosingAction.SESSION, ask=ask, seen=seen):
        return None
    if expected:
        _title_session(work, session, title, expected)
    _close_scene(work)
    session.ended_at = work.now
    session.save(update_fields=["ended_at"])
    # Its last event still belongs to it, but it says that nothing is open any more.
    payload = {**session.payload(), "now": now_of(None, None)}
    work.record(events.SESSION_ENDED, payload, subjects=[_session_subject(session)])
    return session


@service(Role.GM)
def title_session(work: UnitOfWork, session: GameSession, title: str, *, expected: str, key: UUID) -> GameSession:
    """Give a session another title. `expected` is the version of its title when the form was made; raises Conflict."""
    current = existing(GameSession.objects.filter(campaign=work.campaign, pk=session.pk).first())
    _title_session(work, current, title, expected)
    return current


def _title_session(work: UnitOfWork, session: GameSession, title: str, expected: str) -> None:
    subject, before = _session_subject(session), session.title
    compare_and_set(work.campaign, subject, expected=expected, current={"title": before})
    if title != before:
        session.title = title
        session.save(update_fields=["title"])
        if work.session == session:
            work.session = session
        _tell(work, events.SESSION_TITLED, _session_subject(session), {**session.payload(), "before": before})


@service(Role.GM)
def open_scene(
    work: UnitOfWork,
    title: str = "",
    *,
    picture: Upload | None = None,
    here: Sequence[Subject] = (),
    words: str = "",
    expected: str = "",
    ask: bool = False,
    seen: str = "",
    key: UUID,
) -> Scene | None:
    """Open the next scene of the open session; the one before it closes. `here` are the characters who are in it, and
    `words` are told as narration right after. Raises Blocked if no session is open, and Conflict if another scene is than
    when the form was made (`expected`, scene_version). `ask` and `seen` as in `end_session`, but where nothing ends with it
    nothing is asked."""
    session = _open_session(work)
    if expected and expected != scene_version(session, work.scene):
        by = last_actor(work.campaign, _scene_subject(work.scene).key) if work.scene else ""
        message = _("{name} changed the scene first. Copy what you need, close this form and open it again.")
        raise Conflict(message.format(name=by or _("Someone")), current={}, by=by)
    if work.scene and _has_to_be_asked(work, ClosingAction.NEXT, ask=ask, seen=seen):
        return None
    _close_scene(work)
    earlier = Scene.objects.filter(session=session)
    cover = keep_cover(work, picture)
    work.scene = earlier.create(session=session, number=_next(earlier), title=title, cover=cover, opened_at=work.now)
    present = [{"id": who.key.partition(":")[2], "name": who.name} for who in here]
    payload = {**work.scene.payload(), "cover": cover, "here": present}
    _tell(work, events.SCENE_OPENED, _scene_subject(work.scene), payload)
    if words:
        speak(work, Manner.NARRATION, words)
    return work.scene


def scene_version(session: GameSession | None, scene: Scene | None) -> str:
    """Return the `expected` of `open_scene`."""
    return version({"session": session.number if session else None, "scene": scene.number if scene else None})


@service(Role.GM)
def close_scene(work: UnitOfWork, *, ask: bool = False, seen: str = "", key: UUID) -> Scene | None:
    """Close the open scene. Raises Blocked if none is open. `ask` and `seen` as in `open_scene`."""
    scene = work.scene
    if scene is None:
        raise Blocked(_("No scene is in progress."))
    if _has_to_be_asked(work, ClosingAction.SCENE, ask=ask, seen=seen):
        return None
    _close_scene(work)
    return scene


@service(Role.GM)
def keep_open(work: UnitOfWork, *, key: UUID) -> None:
    """Call off what a GM was about to close; nothing happens if there is nothing."""
    if about_to_close(work.session):
        work.record(events.CLOSING_TOLD, {"what": ""})


@service(Role.GM)
def title_scene(work: UnitOfWork, scene: Scene, title: str, *, expected: str, key: UUID) -> Scene:
    """Give a scene another title; as `title_session`."""
    current = existing(
        Scene.objects.select_related("session").filter(session__campaign=work.campaign, pk=scene.pk).first()
    )
    subject, before = _scene_subject(current), current.title
    compare_and_set(work.campaign, subject, expected=expected, current={"title": before})
    if title != before:
        current.title = title
        current.save(update_fields=["title"])
        if work.scene == current:
            work.scene = current
        _tell(work, events.SCENE_TITLED, _scene_subject(current), {**current.payload(), "before": before})
    return current


@service(Role.PLAYER, plays=True)
def say(work: UnitOfWork, words: str, *, picture: Upload | None = None, key: UUID) -> Event:
    """Say something out of character. Beside any words, or instead of them, there may be a picture."""
    return speak(work, Manner.PLAYER, words, picture=picture)


@service(Role.GM, plays=True)
def narrate(work: UnitOfWork, words: str, *, picture: Upload | None = None, key: UUID) -> Event:
    """Tell what happens in the story."""
    return speak(work, Manner.NARRATION, words, picture=picture)


@service(Role.GM, plays=True)
def hand_out(
    work: UnitOfWork,
    title: str,
    picture: Upload,
    *,
    words: str = "",
    hidden: bool = False,
    to: Sequence[Membership] = (),
    key: UUID,
) -> Event:
    """Show a picture to everyone, or only to some, and put it on the list of handouts at once; a `hidden` one only GMs see until
    it is shown (`show_handout`). `words` are told with it, by default its title."""
    members = members_to_show(work, to)
    if to and not members:
        raise Invalid(_("GMs see every handout. Choose someone else."), field="to")
    line = _show(work, words or title, picture, members, hidden=hidden)
    list_handout(work, line.uid, title)
    return line


@service(Role.GM, plays=True)
def show_handout(work: UnitOfWork, uid: UUID, *, to: Sequence[Membership] = (), key: UUID) -> Event:
    """Show a handout, by the uid of a line of it, to more people, or without any named to everyone. Raises what `shown_later`
    raises."""
    picture, words, members = shown_later(work, uid, to)
    line = _show(work, words, picture, members)
    add_line(work, picture, line)
    return line


def _show(
    work: UnitOfWork, words: str, picture: Upload | Picture, members: Sequence[Membership], *, hidden: bool = False
) -> Event:
    manner = Manner.WHISPER if members else Manner.NARRATION
    streams = [member.stream for member in members] or [GM if hidden else TABLE]
    return speak(work, manner, words, picture=picture, to=members, streams=streams)


@service(Role.PLAYER, plays=True)
def whisper(
    work: UnitOfWork, words: str, *, to: Sequence[Membership], picture: Upload | None = None, key: UUID
) -> Event:
    """Say something to chosen members. It is recorded in the stream of each of them and of the speaker, under one uid.

    Raises Invalid for nobody, for the speaker alone, and for a person who has left the table.
    """
    chosen = {member.pk for member in to} - {work.by.pk}
    if not chosen:
        raise Invalid(_("Choose someone to whisper to."), field="to")
    listeners = list(
        Membership.objects.active().select_related("user").filter(campaign=work.campaign, pk__in=chosen).order_by("pk")
    )
    if len(listeners) < len(chosen):
        raise Invalid(_("Someone you chose has left the campaign. Nothing was sent."), field="to")
    streams = [*(member.stream for member in listeners), work.by.stream]
    return speak(work, Manner.WHISPER, words, streams=streams, to=listeners, picture=picture)


def speak(
    work: UnitOfWork,
    manner: Manner,
    words: str,
    *,
    voice: Subject | None = None,
    to: Sequence[Membership] = (),
    streams: Sequence[str] = (TABLE,),
    picture: Upload | Picture | None = None,
) -> Event:
    """Record what was said, inside an operation, beside a new picture or one that is there. `voice` is who speaks in the story
    ("character:<uuid>"), for Manner.CHARACTER. Return the event in the last of the streams.
    """
    if not words and not picture:
        raise Invalid(_("Write something first."), field="text")
    new = add_picture(work, picture) if isinstance(picture, Upload) else None
    added = picture if isinstance(picture, Picture) else new
    payload = {
        "manner": manner.value,
        "words": words,
        "voice": {"id": voice.key.partition(":")[2], "name": voice.name} if voice else None,
        "to": [person(member) for member in to],
        **({"picture": added.payload()} if added else {}),
    }
    subjects = [*([voice] if voice else []), *([picture_subject(added)] if added else [])]
    line = [work.record(events.SAID, payload, stream=stream, subjects=subjects) for stream in streams][-1]
    keep_picture(new, line)
    return line


def _open_session(work: UnitOfWork) -> GameSession:
    if work.session is None:
        raise Blocked(_("No session is in progress. Start one first."))
    return work.session


def _has_to_be_asked(work: UnitOfWork, closes: ClosingAction, *, ask: bool, seen: str) -> bool:
    """Return whether something ends that the GM has not `seen` listed; a session always has to be confirmed. Everyone
    is told, once, unless all of it is private.
    """
    if not ask and not seen:
        return False
    items = endings(Viewer(work.campaign, work.by, Role.GM), closes)
    if listed(items) == seen or (not items and closes is not ClosingAction.SESSION):
        return False
    if about_to_close(work.session) != closes and not all(item.private for item in items):
        work.record(events.CLOSING_TOLD, {"what": closes.value})
    return True


def _close_scene(work: UnitOfWork) -> None:
    if scene := work.scene:
        scene.closed_at = work.now
        scene.save(update_fields=["closed_at"])
        payload = {**scene.payload(), "now": now_of(work.session, None)}
        work.record(events.SCENE_CLOSED, payload, subjects=[_scene_subject(scene)])
        work.scene = None


def _next(earlier: Any) -> int:
    return (earlier.aggregate(last=Max("number"))["last"] or 0) + 1


def _tell(work: UnitOfWork, kind: EventKind, subject: Subject, payload: dict[str, Any]) -> None:
    work.record(kind, {**payload, "now": now_of(work.session, work.scene)}, subjects=[subject])


def _session_subject(session: GameSession) -> Subject:
    return Subject(f"session:{session.pk}", session.title)


def _scene_subject(scene: Scene) -> Subject:
    return Subject(f"scene:{scene.pk}", scene.title)


def recap_of(session: GameSession) -> Recap:
    """Return the session's recap; an empty, unsaved one if nobody has written any."""
    return Recap.objects.filter(session=session).first() or Recap(session=session)


def recap_version(recap: Recap) -> str:
    """Return the `expected` of `write_recap`."""
    return version(_written(recap))


@service(Role.GM)
def write_recap(
    work: UnitOfWork, session: GameSession, words: str, *, publish: bool, expected: str, key: UUID
) -> Recap:
    """Keep a draft (up to 10,000 characters of Markdown), or publish it to all. Raises Conflict if it has changed since
    `expected`, and Invalid for publishing nothing, or a scene without a word.
    """
    current = existing(GameSession.objects.filter(campaign=work.campaign, pk=session.pk).first())
    recap = recap_of(current)
    compare_and_set(work.campaign, _subject_of(current), expected=expected, current=_written(recap))
    if publish and not words:
        raise Invalid(_("Write something first."), field="draft")
    if publish and (left := in_every_language(UNWRITTEN).intersection(map(str.strip, words.splitlines()))):
        words_left = _("“{question}” is still in it. Write what happened there, or take the scene out.")
        raise Invalid(words_left.format(question=min(left)), field="draft")
    drafted, published = words != recap.draft, publish and words != recap.words
    recap.draft = words
    if published:
        recap.words, recap.published_at = words, work.now
    recap.save()
    payload = {**current.payload(), "words": words}
    if published:
        work.record(events.RECAP_PUBLISHED, payload, stream=TABLE, subjects=[_subject_of(current)])
    elif drafted:
        work.record(events.RECAP_DRAFTED, payload, stream=GM, subjects=[_subject_of(current)])
    return recap


def _written(recap: Recap) -> dict[str, Any]:
    return {"draft": recap.draft, "words": recap.words}


def _subject_of(session: GameSession) -> Subject:
    return Subject(f"recap:{session.pk}", session.title)


@service(Role.PLAYER)
def remember(work: UnitOfWork, session: GameSession, words: str, *, expected: str, key: UUID) -> GameSession:
    """Write the one sentence by which a member remembers a session that has ended; "" removes it. Raises Blocked once the next
    session has started, Conflict if they changed it elsewhere since `expected`, and Invalid for nothing where nothing was.
    """
    current = existing(GameSession.objects.filter(campaign=work.campaign, pk=session.pk).first())
    if not remembers_still(current):
        raise Blocked(_("You can write this from the end of a session until the next one starts."))
    before = memory_of(current, work.by)
    subject = Subject(f"remembered:{current.pk}:{work.by.number}", current.title)
    compare_and_set(work.campaign, subject, expected=expected, current={"words": before})
    if not words and not before:
        raise Invalid(_("Write something first."), field="words")
    if words != before:
        work.record(events.REMEMBERED, {"number": current.number, "words": words}, subjects=[subject])
    return current


def memory_version(words: str) -> str:
    """Return the `expected` of `remember`."""
    return version({"words": words})


# The storylines of a campaign.
#
# Everyone sees their titles, their owners and whether they are open; the notes are the GM's.


def storyline_version(storyline: Storyline) -> str:
    """Return the `expected` of `change_storyline`."""
    return version(_storyline_written(storyline))


@service(Role.GM)
def add_storyline(
    work: UnitOfWork, title: str, *, whose: Membership | None = None, gm_notes: str = "", key: UUID
) -> Storyline:
    """Add an open storyline after all others. `whose` is None for the whole table's."""
    last = Storyline.objects.of(work.campaign).aggregate(last=Max("order"))["last"] or 0
    storyline = Storyline.objects.create(
        id=work.key,
        campaign=work.campaign,
        title=title,
        whose=_seated(work, whose),
        gm_notes=gm_notes,
        order=last + 1,
    )
    _tell_storyline(work, storyline, "made")
    if gm_notes:
        _note(work, storyline)
    return storyline


@service(Role.GM)
def change_storyline(
    work: UnitOfWork,
    storyline: Storyline,
    title: str,
    *,
    whose: Membership | None,
    gm_notes: str,
    expected: str,
    key: UUID,
) -> Storyline:
    """Change a storyline. `expected` is its version when the form was made; raises Conflict with its current values."""
    current = _found(work, storyline)
    compare_and_set(work.campaign, _storyline_subject(current), expected=expected, current=_storyline_written(current))
    before = row(current)
    noted = gm_notes != current.gm_notes
    # Former members may keep what was theirs, but get nothing new.
    current.whose = whose if whose and whose.pk == current.whose_id else _seated(work, whose)
    current.title, current.gm_notes = title, gm_notes
    current.save(update_fields=["title", "whose", "gm_notes"])
    if row(current) != before:
        _tell_storyline(work, current, "changed", before={"title": before["title"], "whose": before["whose"]})
    if noted:
        _note(work, current)
    return current


@service(Role.GM)
def resolve_storyline(work: UnitOfWork, storyline: Storyline, *, key: UUID) -> Storyline:
    """End a storyline. Ending it again changes nothing."""
    current = _found(work, storyline)
    if current.resolved_at is None:
        current.resolved_at = work.now
        current.save(update_fields=["resolved_at"])
        _tell_storyline(work, current, "resolved")
    return current


@service(Role.GM)
def reopen_storyline(work: UnitOfWork, storyline: Storyline, *, key: UUID) -> Storyline:
    """Undo `resolve_storyline`; nothing happens where it is open."""
    current = _found(work, storyline)
    if current.resolved_at is not None:
        current.resolved_at = None
        current.save(update_fields=["resolved_at"])
        _tell_storyline(work, current, "reopened")
    return current


@service(Role.GM)
def move_storyline(work: UnitOfWork, storyline: Storyline, *, up: bool, key: UUID) -> Storyline:
    """Change places with the open storyline before it (or after it); at the end of the list nothing happens."""
    current = _found(work, storyline)
    others = Storyline.objects.of(work.campaign).open().exclude(pk=current.pk)
    neighbour = others.filter(order__lt=current.order).last() if up else others.filter(order__gt=current.order).first()
    if neighbour:
        current.order, neighbour.order = neighbour.order, current.order
        for moved in (current, neighbour):
            moved.save(update_fields=["order"])
        _tell_storyline(work, current, "moved", also=neighbour)
    return current


def _found(work: UnitOfWork, storyline: Storyline) -> Storyline:
    return existing(Storyline.objects.of(work.campaign).filter(pk=storyline.pk).first())


def _seated(work: UnitOfWork, whose: Membership | None) -> Membership | None:
    if whose and not Membership.objects.active().filter(campaign=work.campaign, pk=whose.pk).exists():
        raise Invalid(_("That person has left the campaign."), field="whose")
    return whose


def _storyline_written(storyline: Storyline) -> dict[str, Any]:
    return {"title": storyline.title, "whose": storyline.whose_id, "gm_notes": storyline.gm_notes}


def _storyline_subject(storyline: Storyline) -> Subject:
    return Subject(f"storyline:{storyline.pk}", storyline.title)


def _tell_storyline(
    work: UnitOfWork, storyline: Storyline, what: str, *, also: Storyline | None = None, **payload: Any
) -> None:
    """Record a change of a storyline. `rows` are those to draw again; the first is the one meant."""
    rows = [row(storyline), *([row(also)] if also else [])]
    work.record(
        events.STORYLINE_CHANGED, {"what": what, "rows": rows, **payload}, subjects=[_storyline_subject(storyline)]
    )


def _note(work: UnitOfWork, storyline: Storyline) -> None:
    """Record notes apart from the rest, in the GMs' stream: for players nothing has happened."""
    thing = {"id": str(storyline.pk), "title": storyline.title}
    payload = {"storyline": thing, "notes": storyline.gm_notes}
    work.record(events.STORYLINE_NOTED, payload, stream=GM, subjects=[_storyline_subject(storyline)])
