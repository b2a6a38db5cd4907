"""Major Burns: the oracles in the roll's own transaction, the narration, and who has had it on screen (scale.txt, Major Burn)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from campaigns.errors import Blocked, Invalid, NotFound
from campaigns.kinds import EventKind
from campaigns.models import Campaign, Membership, Role, Storyline
from campaigns.services.log import UnitOfWork, service
from rolls.models import Audience
from rolls.services.dice import DiceRequest
from rolls.services.fairness import throw_dice
from rulesets.scale.events import BURN_DEFERRED, BURN_NARRATED, BURN_SEEN
from rulesets.scale.models import Burn, BurnSeen
from rulesets.scale.queries.payloads import burn_payload
from rulesets.scale.rules.major_burn import STORY_SLOTS, Consulted, MajorBurn, major_burn
from rulesets.scale.rules.oracles import STARTED_WITH, Entry, Tables
from rulesets.scale.rules.scale import BurnKind
from rulesets.scale.services.oracles import tables_of
from rulesets.scale.words import table_of

LONGEST_NARRATION = 10_000
UNNARRATED = (Burn.State.OPEN, Burn.State.DEFERRED)


def consult_oracles(work: UnitOfWork, burn: Burn, reached: int) -> None:
    """Roll the oracles of a new Major Burn and keep every die on it. `reached` is where the roll took the Scale, ±8 or beyond."""
    stories = list(_storylines(work, burn)[:STORY_SLOTS])
    throw = DiceRequest(campaign=work.campaign.pk, actor=work.by.pk, id=burn.pk, spec="2d10")
    dice = throw_dice(work, throw, Audience.TABLE)
    titles = [story.title for story in stories]
    fallen = major_burn(BurnKind(burn.kind), titles, dice, oracle_tables(work.campaign))
    burn.storyline = stories[fallen.slot - 1] if fallen.slot else None
    # The Burn's id follows from that of its roll, which for a roll of few eyes is nobody else's business.
    cause = str(burn.cause_id) if burn.cause.audience == Audience.TABLE else ""
    proof = dice.proof and dice.proof | {"cause": cause}
    burn.oracle = {"reached": reached, "dice": _dice(fallen), "asked": _asked(work), "proof": proof}
    burn.save(update_fields=["storyline", "oracle"])


def oracle_tables(campaign: Campaign) -> Tables:
    """The campaign's oracle tables; those it has not rewritten are the ones it started with."""
    written = tables_of(campaign)
    return Tables(**{name: tuple(_entry(entry, name) for entry in entries) for name, entries in written.items()})


def _entry(entry: Entry, table: str) -> Entry:
    # Only these two can shift, whatever was ticked elsewhere: a Major Burn must never fail on a table.
    return Entry(entry.title, entry.text, entry.shift and table in tuple(BurnKind))


def _storylines(work: UnitOfWork, burn: Burn) -> QuerySet[Storyline]:
    """The open ones in order; for a character's own Scale those of its player and of everybody."""
    storylines = Storyline.objects.filter(campaign=work.campaign, resolved_at=None)
    if burn.scale.character is None:
        return storylines
    return storylines.filter(Q(whose=None) | Q(whose=burn.scale.character.owner))


def _dice(fallen: MajorBurn) -> list[dict[str, Any]]:
    """Every die in the order in which it fell, as events.ORACLE has it; without a title also for a story that is new."""
    story = {"oracle": "story", "die": fallen.story_face, "title": fallen.story, "text": None}
    dice = (("reason", fallen.reason), (fallen.kind.value, fallen.result), ("second", fallen.second))
    return [story, *(_die(fallen.kind, oracle, die) for oracle, die in dice if die)]


def _die(kind: BurnKind, oracle: str, die: Consulted) -> dict[str, Any]:
    ours = STARTED_WITH[table_of(kind, oracle)][die.face - 1]
    theirs = die.entry if (die.entry.title, die.entry.text) != (ours.title, ours.text) else None
    said = {"title": theirs.title, "text": theirs.text} if theirs else {"title": None, "text": None}
    return {"oracle": oracle, "die": die.face, **said}


def _asked(work: UnitOfWork) -> int:
    return Membership.objects.active().filter(campaign=work.campaign).exclude(role=Role.SPECTATOR).count()


@service(Role.GM, plays=True)
def narrate_burn(work: UnitOfWork, burn_id: UUID, text: str, *, key: UUID) -> Burn:
    """Tell what a Major Burn does to the scene: Markdown of 1 to 10,000 characters. Everybody reads it, and the rolls go on."""
    burn = _unnarrated(work, burn_id)
    if not 1 <= len(text.strip()) <= LONGEST_NARRATION:
        raise Invalid("Write what happens, in up to 10,000 characters.", field="text")
    burn.words, burn.state = text.strip(), Burn.State.NARRATED
    burn.save(update_fields=["words", "state"])
    _tell(work, BURN_NARRATED, burn)
    return burn


@service(Role.GM)
def defer_burn(work: UnitOfWork, burn_id: UUID, *, key: UUID) -> Burn:
    """Let the rolls go on; the Major Burn stays in sight until it is narrated."""
    burn = _unnarrated(work, burn_id)
    if burn.state != Burn.State.OPEN:
        raise Blocked("This Major Burn is already put off until later.")
    burn.state = Burn.State.DEFERRED
    burn.save(update_fields=["state"])
    _tell(work, BURN_DEFERRED, burn)
    return burn


@service(Role.PLAYER)
def see_burn(work: UnitOfWork, burn_id: UUID, *, key: UUID) -> BurnSeen:
    """Say that one has a Major Burn on screen. Said once, it is said; saying it again changes nothing."""
    burn = _unnarrated(work, burn_id)
    seen, new = BurnSeen.objects.get_or_create(burn=burn, member=work.by, defaults={"at": work.now})
    if new:
        _tell(work, BURN_SEEN, burn)
    return seen


def _unnarrated(work: UnitOfWork, burn_id: UUID) -> Burn:
    burn = Burn.objects.filter(pk=burn_id, major=True, scale__campaign=work.campaign).first()
    if burn is None:
        raise NotFound
    if burn.state not in UNNARRATED:
        raise Blocked("This Major Burn is already narrated, or was taken back with its roll.")
    return burn


def _tell(work: UnitOfWork, kind: EventKind, burn: Burn) -> None:
    work.record(kind, {"burns": [burn_payload(burn)]}, subjects=[burn.character.subject], parent=burn.event)
