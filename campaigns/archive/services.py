"""A whole campaign from another server, as an archive: its log as it was written there, with the people and rows that
the log's pages need.

The chain binds the campaign's id, the names of its streams and the numbers of its people. So all of these stay as they were, and
people, who have no account here, keep the number that the log knows them by (`Membership.abroad`).

A long log is written in steps, so that others may write in between. Events can never be deleted again: until all of them are
there the archive has no members, and an interrupted import continues where it stopped as soon as the same file is sent again.
"""

from __future__ import annotations

from datetime import datetime
from itertools import islice
from typing import IO
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from campaigns import chain, rulesets
from campaigns.archive.reader import Incoming, lines_in, read
from campaigns.archive.reindex import Rebuilt
from campaigns.archive.writer import Steps
from campaigns.chain import fingerprint
from campaigns.errors import Invalid
from campaigns.models import Campaign, GameSession, IdempotencyKey, Membership, Role, Scene, Stream
from campaigns.services.campaigns import laid_out
from campaigns.services.idempotency import USED_KEY, run_once, unless_used_elsewhere
from campaigns.services.log import UnitOfWork, begin, locked
from languages.text import gettext_lazy
from people.models import User

NAMELESS = gettext_lazy("Imported campaign")
HERE = gettext_lazy("This campaign is already on this server. Nothing was changed.")
BEGUN = gettext_lazy(
    "The import of a different file of this campaign was never finished. Import that file again to finish it. "
    "Nothing was changed."
)


class Faulty(Exception):
    """A file that cannot be used. `faults` are in words, by line."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(*faults)
        self.faults = faults


def import_campaign(user: User, file: IO[bytes], *, key: UUID) -> Campaign:
    """Import the whole log of a campaign, as a GM exported it, as an archive with `user` as its GM.

    The same key from the same person with the same file returns the first result again. Raises Faulty, and Invalid if
    the campaign is already here, somebody else is importing it, or the key was used for anything else; then nothing of
    it becomes visible.
    """
    incoming = read(file)
    if incoming.faults:
        raise Faulty(incoming.faults)
    content = fingerprint("import_campaign", incoming.digest)
    if earlier := _brought(user, key, content):
        return earlier
    campaign = _begun(incoming)
    steps, rebuilt = Steps(campaign, incoming.amended), Rebuilt()
    lines = (rebuilt.noted(line) for line in lines_in(file))
    steps.write(islice(lines, steps.done, None))

    def attempt() -> Campaign:
        with locked(campaign) as campaign_now:
            steps.check()
            importer = Membership.objects.newcomer(campaign_now, user)
            importer.role = Role.GM
            work = begin(campaign_now, importer, key)
            return run_once(work, content, lambda: _finished(work, rebuilt, steps))

    return unless_used_elsewhere(key, attempt)


def _brought(user: User, key: UUID, content: str) -> Campaign | None:
    """Return the campaign that this key has already imported; None if there is none. Raises Invalid if it was used for
    anything else.

    This runs before writing, because what is written cannot be removed again; `once` checks under the lock.
    """
    operation = IdempotencyKey.objects.filter(key=key).select_related("campaign", "by").first()
    if operation is None:
        return None
    if operation.by is None or operation.by.user_id != user.pk or operation.fingerprint != content:
        raise Invalid(USED_KEY, field="key")
    return operation.campaign


def _begun(incoming: Incoming) -> Campaign:
    """Return the archive as it is before its first event, made now or by an import of the same file that broke off."""
    if Campaign.objects.filter(pk=incoming.campaign).exclude(bringing=incoming.digest).exists():
        raise Invalid(_why_not(incoming), field="file")
    with transaction.atomic(), locked(_campaign(incoming)) as campaign:
        if campaign.bringing == incoming.digest:
            return campaign
        # Another import of it may have begun while this was read.
        if campaign.imported_at or Membership.objects.filter(campaign=campaign).exists():
            raise Invalid(_why_not(incoming), field="file")
        campaign.archived_at = campaign.imported_at = now = timezone.now()
        campaign.bringing = incoming.digest
        campaign.save(update_fields=["archived_at", "imported_at", "bringing"])
        _lay_out(campaign, incoming, now)
        return campaign


def _why_not(incoming: Incoming) -> str:
    return BEGUN if Campaign.objects.filter(pk=incoming.campaign).exclude(bringing="").exists() else HERE


def _campaign(incoming: Incoming) -> Campaign:
    name, pitch, systems = (incoming.about.get(what) for what in ("name", "pitch", "systems"))
    # Including rulesets that are not installed here, since the log names them.
    chosen = (
        [name for name in systems if isinstance(name, str) and rulesets.NAME.fullmatch(name)]
        if isinstance(systems, list)
        else []
    )
    return laid_out(
        _line(name, 80) or str(NAMELESS),
        pitch[:2000] if isinstance(pitch, str) else "",
        list(dict.fromkeys(chosen)),
        UUID(incoming.campaign),
    )


def _lay_out(campaign: Campaign, incoming: Incoming, now: datetime) -> None:
    """Make what its events hang on: people, streams, sessions, scenes."""
    Membership.objects.bulk_create(
        Membership(
            campaign=campaign,
            role=someone.role,
            called=_line(someone.name, 120),
            abroad=number,
            joined_at=incoming.began or now,
            left_at=now,
        )
        for number, someone in incoming.people.items()
    )
    Stream.objects.bulk_create(
        Stream(campaign=campaign, name=name, head=chain.first_link(incoming.campaign, name)) for name in incoming.heads
    )
    sessions = {
        number: GameSession(
            campaign=campaign,
            number=number,
            title=_line(span.title, 120),
            started_at=span.first,
            ended_at=span.last,
        )
        for number, span in sorted(incoming.sessions.items())
    }
    GameSession.objects.bulk_create(sessions.values())
    Scene.objects.bulk_create(
        Scene(
            session=sessions[number],
            number=scene,
            title=_line(span.title, 120),
            opened_at=span.first,
            closed_at=span.last,
        )
        for (number, scene), span in sorted(incoming.scenes.items())
    )


def _finished(work: UnitOfWork, rebuilt: Rebuilt, steps: Steps) -> Campaign:
    """Finish an imported archive: store what follows from its events, and add its GM."""
    rebuilt.write(work.campaign, steps.ids)
    work.by.joined_at = work.campaign.imported_at = work.now
    work.by.save()
    work.campaign.bringing = ""
    work.campaign.save(update_fields=["imported_at", "bringing"])
    return work.campaign


def _line(text: object, most: int) -> str:
    """Return a text from a file as a name of at most so many characters; "" if it is no text."""
    return "".join(letter for letter in text if letter.isprintable())[:most].strip() if isinstance(text, str) else ""
