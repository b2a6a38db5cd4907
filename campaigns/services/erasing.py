"""Taking a person's words out of a campaign's log for good. The chain holds: it binds what was said by a salted hash alone.

Erased is what a member said, narrated and whispered, and the notes and reasons that they typed beside rolls and clocks. What
belongs to the story goes on: names, titles, sheets, oracles, the narration of a Major Burn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from campaigns.errors import Forbidden, Missing
from campaigns.markdown import to_html
from campaigns.models import Membership, Payload, Role
from campaigns.services.log import Table, at_table, erase, person

KIND = "campaigns.words_erased"
MARK = "[erased]"


@dataclass(frozen=True)
class Words:
    """Where the facts of a kind hold what somebody typed: under `keys`, by the person under `whose`."""

    keys: tuple[str, ...]
    whose: str = "by"


Rows = Callable[[Membership], None]

_words: dict[str, Words] = {
    "campaigns.said": Words(("words",)),
    "campaigns.said_amended": Words(("words", "original", "reason"), whose="who"),
    "campaigns.event_refiled": Words(("reason",)),
    "campaigns.clock_ticked": Words(("reason",)),
}
_rows: list[Rows] = []


def register(words: Mapping[str, Words], rows: Iterable[Rows] = ()) -> None:
    """Say where an app's own kinds hold words, and what else of its rows has to be erased. Called once, when it is ready."""
    _words.update(words)
    _rows.extend(rows)


@at_table(Role.SPECTATOR, archived=True)
def erase_words(table: Table, member: Membership, *, key: UUID) -> Membership:
    """Erase what a member has said at this table, and tell everybody that it was done. One's own, or as a GM anybody's.

    Raises Forbidden for anybody else's, Missing for somebody who never was here.
    """
    found = Membership.objects.select_related("user").filter(campaign=table.campaign, pk=member.pk).first()
    if found is None:
        raise Missing
    if found.pk != table.by.pk and not table.by.is_gm:
        raise Forbidden("Only a GM can erase what others said.")
    told = Payload.objects.filter(event__campaign=table.campaign, event__kind__in=_words)
    for payload in told.filter(event__subjects__key=f"member:{found.number}").select_related("event"):
        _blank(payload, found)
    for rows in _rows:
        rows(found)
    # It keeps the last texts that were drawn.
    to_html.cache_clear()
    table.record(KIND, {"who": person(found)})
    return found


def _blank(payload: Payload, member: Membership) -> None:
    words, facts = _words[payload.event.kind], payload.facts
    whose = facts.get(words.whose)
    if not isinstance(whose, dict) or whose.get("member") != member.number:
        return
    blank = {name: MARK for name in words.keys if facts.get(name)}
    if blank:
        erase(payload, facts | blank)
