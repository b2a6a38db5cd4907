"""The recap of a session: a draft that GMs write, and what all may read once it is published."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from campaigns.errors import Invalid, NotFound
from campaigns.events import RECAP_DRAFTED, RECAP_PUBLISHED
from campaigns.models import GameSession, Recap, Role
from campaigns.models.streams import GM, TABLE
from campaigns.references import Subject
from campaigns.services.compare_and_set import compare_and_set, version
from campaigns.services.log import UnitOfWork, service


def recap_of(session: GameSession) -> Recap:
    """The recap as it is; an empty one, not stored, where nobody has written any."""
    return Recap.objects.filter(session=session).first() or Recap(session=session)


def recap_version(recap: Recap) -> str:
    """For the `seen` of `write_recap`."""
    return version(_written(recap))


@service(Role.GM)
def write_recap(
    work: UnitOfWork, session: GameSession, words: str, *, publish: bool, expected: str, key: UUID
) -> Recap:
    """Keep a draft (up to 10,000 characters of Markdown), or publish it to all. Raises Conflict where it was changed
    meanwhile, and Invalid for publishing nothing."""
    current = GameSession.objects.filter(campaign=work.campaign, pk=session.pk).first()
    if current is None:
        raise NotFound
    recap = recap_of(current)
    compare_and_set(work.campaign, _subject_of(current), expected=expected, current=_written(recap))
    if publish and not words:
        raise Invalid("Write something first.", field="draft")
    drafted, published = words != recap.draft, publish and words != recap.words
    recap.draft = words
    if published:
        recap.words, recap.published_at = words, work.now
    recap.save()
    payload = {**current.payload(), "words": words}
    if published:
        work.record(RECAP_PUBLISHED, payload, stream=TABLE, subjects=[_subject_of(current)])
    elif drafted:
        work.record(RECAP_DRAFTED, payload, stream=GM, subjects=[_subject_of(current)])
    return recap


def _written(recap: Recap) -> dict[str, Any]:
    return {"draft": recap.draft, "words": recap.words}


def _subject_of(session: GameSession) -> Subject:
    return Subject(f"recap:{session.pk}", str(session))
