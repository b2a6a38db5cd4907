"""The recap of a session: a draft that GMs write, and what all may read once it is published."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from campaigns.errors import Invalid, Missing
from campaigns.events import RECAP_DRAFTED, RECAP_PUBLISHED
from campaigns.facts import About
from campaigns.models import GameSession, Recap, Role
from campaigns.models.streams import GM, TABLE
from campaigns.services.edits import based_on, version
from campaigns.services.log import Table, at_table


def recap_of(session: GameSession) -> Recap:
    """The recap as it is; an empty one, not stored, where nobody has written any."""
    return Recap.objects.filter(session=session).first() or Recap(session=session)


def recap_version(recap: Recap) -> str:
    """For the `seen` of `write_recap`."""
    return version(_written(recap))


@at_table(Role.GM)
def write_recap(table: Table, session: GameSession, words: str, *, publish: bool, seen: str, key: UUID) -> Recap:
    """Keep a draft (up to 10,000 characters of Markdown), or publish it to all. Raises Stale where it was changed meanwhile, and
    Invalid for publishing nothing."""
    found = GameSession.objects.filter(campaign=table.campaign, pk=session.pk).first()
    if found is None:
        raise Missing
    recap = recap_of(found)
    based_on(table.campaign, _about(found), seen=seen, current=_written(recap))
    if publish and not words:
        raise Invalid("Write something first.", field="draft")
    drafted, told = words != recap.draft, publish and words != recap.words
    recap.draft = words
    if told:
        recap.words, recap.published_at = words, table.now
    recap.save()
    facts = {**found.facts(), "words": words}
    if told:
        table.record(RECAP_PUBLISHED, facts, stream=TABLE, about=[_about(found)])
    elif drafted:
        table.record(RECAP_DRAFTED, facts, stream=GM, about=[_about(found)])
    return recap


def _written(recap: Recap) -> dict[str, Any]:
    return {"draft": recap.draft, "words": recap.words}


def _about(session: GameSession) -> About:
    return About(f"recap:{session.pk}", str(session))
