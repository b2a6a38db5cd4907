"""Burns: who may act on one, taking, banking and spending it, and its effects (scale.txt, Burns, Grace Burn, Trouble Burn)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Blocked, Forbidden, Invalid, NotFound
from campaigns.kinds import EventKind
from campaigns.live.presence import alive
from campaigns.models import Event, Membership, Role
from campaigns.services.log import UnitOfWork, service
from characters.models import Character
from characters.reasons import Reason
from characters.services.sheet_writes import get_character, take_steps
from characters.sheets.steps import Step
from languages.text import gettext_lazy
from rules.errors import RuleError, word
from scale.counting import RULESETS, Gift
from scale.events import (
    ACTIVATION_ASKED,
    ACTIVATION_REFUSED,
    ACTIVATION_USED,
    BURN_BANKED,
    BURN_FIRED,
    EFFECT_CHOSEN,
)
from scale.models import Burn, Momentum, Scale
from scale.queries.scale import (
    burn_payload,
    chooser_side,
    momentum_payload,
    player_of,
    scale_payload,
    settings_of,
    state_of,
)
from scale.rules.scale import Answer, BurnKind, Effect, Side, State, answer, spend, spent_by, use_activation
from scale.rules.scale import effect as with_effect
from scale.services.scale import momentum_of, scale_of
from scale.services.undo_journal import Changes, dice_changed, keep, next_number

GONE = {
    Burn.State.OFFERED: gettext_lazy("This Burn is no longer on offer."),
    Burn.State.BANKED: gettext_lazy("This Burn is no longer banked."),
    Burn.State.FIRED: gettext_lazy("This Burn’s effect has already been chosen."),
}


LONGEST_NOTE = 200


@contextmanager
def by_the_rules() -> Iterator[None]:
    """Raise a RuleError inside as Invalid, with its own message."""
    try:
        yield
    except RuleError as error:
        raise Invalid(error.message, field=error.field) from error


def burn_in(work: UnitOfWork, burn_id: UUID, state: Burn.State) -> Burn:
    """Return a Burn of this table that is in this state. Raises NotFound, or Blocked if somebody else was faster."""
    whole = Burn.objects.select_related("scale__character", "character__owner__user", "cause", "npc", "event__stream")
    burn = whole.filter(pk=burn_id, major=False, scale__campaign=work.campaign).first()
    if burn is None:
        raise NotFound
    if burn.state != state:
        raise Blocked(GONE[state])
    return burn


def sides_of(work: UnitOfWork, character: Character, *, waits: bool = False) -> frozenset[Side]:
    """Return the sides the actor may take: that of the character's player, and the GM's.

    The GM sits in the player's place for NPCs, and for characters whose player has left the table or only watches; where the
    table `waits` for an answer, also for one whose page is not open now.
    """
    player = player_of(character)
    sides = {Side.GM} if work.by.is_gm else set()
    if player == work.by or (work.by.is_gm and (player is None or (waits and _is_absent(player)))):
        sides.add(Side.PLAYER)
    return frozenset(sides)


def _is_absent(player: Membership) -> bool:
    return not alive(player.campaign_id).filter(membership=player).exists()


def must_be(work: UnitOfWork, character: Character, allowed: Iterable[Side], *, waits: bool = False) -> Side:
    """Return the side from which the actor does this. Raises Forbidden, saying whose choice it is."""
    allowed = frozenset(allowed)
    mine = sides_of(work, character, waits=waits) & allowed
    if not mine:
        player = player_of(character)
        whose = player.name if player and Side.PLAYER in allowed else _("the GM")
        if player and waits and work.by.is_gm:
            raise Forbidden(_("{name} is at the table and decides this.").format(name=player.name))
        raise Forbidden(_("Only {name} can decide this.").format(name=whose))
    return Side.PLAYER if Side.PLAYER in mine else Side.GM


def tell(
    work: UnitOfWork,
    kind: EventKind,
    changes: Changes,
    scale: Scale,
    *,
    burn: Burn | None = None,
    who: Character,
    state: State | None = None,
    **payload: Any,
) -> Event:
    """Record an operation and keep it as a step of the Scale, which is in `state` now. `who` is the character it is about."""
    number = next_number(scale)
    whole = payload | {
        "burns": [burn_payload(burn)] if burn else [],
        "scale": scale_payload(scale, state) | {"step": number},
        "momentum": momentum_payload([who]),
    }
    event = work.record(kind, whole, subjects=[who.subject], parent=burn.event if burn else None)
    keep(scale, changes, event=event, number=number, cause=burn.cause_id if burn else None)
    return event


@service(Role.PLAYER, plays=True)
def take_burn(work: UnitOfWork, burn_id: UUID, *, key: UUID) -> Burn:
    """Take a Burn on offer now: it fires, and the Scale is back at 0. Its player does, or a GM for one who is absent."""
    burn = _offered(work, burn_id)
    with by_the_rules():
        after = answer(state_of(burn.scale), Answer.ACCEPT).after
    return _fire(work, burn, after, how="taken", by=Side.PLAYER)


@service(Role.PLAYER, plays=True)
def bank_burn(work: UnitOfWork, burn_id: UUID, *, key: UUID) -> Burn:
    """Keep a Burn on offer for later. The Scale stays where it is."""
    burn = _offered(work, burn_id)
    with by_the_rules():
        after = answer(state_of(burn.scale), Answer.BANK).after
    changes = Changes()
    changes.put(burn, state=Burn.State.BANKED)
    tell(work, BURN_BANKED, changes, burn.scale, burn=burn, who=burn.character, state=after, automatic=False)
    return burn


@service(Role.PLAYER, plays=True)
def spend_banked(work: UnitOfWork, burn_id: UUID, *, key: UUID) -> Burn:
    """Fire a banked Burn, and put the Scale back at 0: Grace when its player says so, Trouble when its player or the GM does."""
    burn = burn_in(work, burn_id, Burn.State.BANKED)
    settings = settings_of(work.campaign)
    side = must_be(work, burn.character, spent_by(BurnKind(burn.kind), settings))
    with by_the_rules():
        after = spend(state_of(burn.scale), side, settings).after
    return _fire(work, burn, after, how="spent", by=side)


def _offered(work: UnitOfWork, burn_id: UUID) -> Burn:
    burn = burn_in(work, burn_id, Burn.State.OFFERED)
    must_be(work, burn.character, [Side.PLAYER], waits=True)
    return burn


def _fire(work: UnitOfWork, burn: Burn, after: State, *, how: str, by: Side) -> Burn:
    changes = Changes()
    changes.put(burn, state=Burn.State.FIRED)
    changes.put(burn.scale, value=after.scale)
    tell(work, BURN_FIRED, changes, burn.scale, burn=burn, who=burn.character, state=after, how=how, by_side=by.value)
    return burn


BURNS = {
    BurnKind.GRACE: Reason("grace_burn", gettext_lazy("a Grace Burn")),
    BurnKind.TROUBLE: Reason("trouble_burn", gettext_lazy("a Trouble Burn")),
}
LONGEST_WORDS = 10_000


@service(Role.PLAYER, plays=True)
def choose_effect(
    work: UnitOfWork, burn_id: UUID, effect: str, *, words: str = "", npc: UUID | None = None, key: UUID
) -> Burn:
    """Choose the effect of a fired Burn: Grace its player (a GM for an absent one), Trouble the GM, and nobody else.

    `effect` is one of Effect. A disposition needs the `npc` it is about; a complication of Trouble that is none of
    COMPLICATIONS needs `words` (up to 10,000 characters) that describe it. A player's free activation waits until the GM
    finds it plausible.
    """
    burn = burn_in(work, burn_id, Burn.State.FIRED)
    must_be(work, burn.character, [chooser_side(burn)], waits=True)
    if burn.effect:
        raise Blocked(_("The GM is deciding whether this free activation is plausible."))
    with by_the_rules():
        picked = word("effect", effect, Effect)
    changes = Changes()
    if len(words) > LONGEST_WORDS:
        raise Invalid(_("Write at most 10,000 characters."), field="words")
    if picked is Effect.DISCIPLINE and burn.kind == Burn.Kind.GRACE and not work.by.is_gm:
        changes.put(burn, effect=picked.value, words=words.strip())
        tell(work, ACTIVATION_ASKED, changes, burn.scale, burn=burn, who=burn.character)
        return burn
    if picked is Effect.DISCIPLINE and burn.kind == Burn.Kind.TROUBLE and not words.strip():
        raise Invalid(_("Say what goes wrong: a misfire, extra blood or unwanted attention."), field="words")
    _settle(work, burn, picked, changes, words.strip(), _npc(work, npc) if picked is Effect.DISPOSITION else None)
    return burn


@service(Role.GM)
def decide_activation(work: UnitOfWork, burn_id: UUID, *, plausible: bool, key: UUID) -> Burn:
    """Find a free activation plausible, or not: then the player chooses another effect."""
    burn = burn_in(work, burn_id, Burn.State.FIRED)
    if not burn.effect:
        raise Blocked(_("No one is asking for a free activation any more."))
    changes = Changes()
    if plausible:
        _settle(work, burn, Effect(burn.effect), changes, burn.words, None)
    else:
        changes.put(burn, effect="", words="")
        tell(work, ACTIVATION_REFUSED, changes, burn.scale, burn=burn, who=burn.character)
    return burn


@service(Role.PLAYER, plays=True)
def use_free_activation(work: UnitOfWork, character_id: UUID, *, reason: str = "", key: UUID) -> Momentum:
    """Use one of a character's free activations. Raises Invalid when there is none."""
    characters = Character.objects.filter(campaign=work.campaign, pk=character_id).select_related("owner__user")
    character = characters.first()
    # An NPC that players do not know of answers like one that is not there.
    if character is None or (character.is_hidden and not work.by.is_gm):
        raise NotFound
    must_be(work, character, [Side.PLAYER])
    if len(reason) > LONGEST_NOTE:
        raise Invalid(_("A note can have up to {count} characters.").format(count=LONGEST_NOTE), field="note")
    scale = scale_of(work.campaign, character, settings_of(work.campaign))
    momentum, changes = momentum_of(character), Changes()
    with by_the_rules():
        left = use_activation(state_of(scale, character)).free_activations
    changes.put(momentum, free_activations=left)
    tell(work, ACTIVATION_USED, changes, scale, who=character, character=character.ref, note=reason.strip())
    return momentum


def steps_of(work: UnitOfWork, character: Character, gift: Gift) -> Sequence[Step] | None:
    """Return the steps by which a character's sheet takes a gift; None if it has no place for it."""
    rules = RULESETS.get(character.system)
    return rules.gives(gift, character.sheet, work.campaign.settings) if rules else None


def _npc(work: UnitOfWork, npc: UUID | None) -> Character:
    if npc is None:
        raise Invalid(_("Choose whose opinion changes."), field="npc")
    # The choice is public, so it must be an NPC that everyone knows.
    character = Character.objects.known_to_all(work.campaign).filter(owner=None, pk=npc).first()
    if character is None:
        raise NotFound
    return character


def _settle(work: UnitOfWork, burn: Burn, picked: Effect, changes: Changes, words: str, npc: Character | None) -> None:
    """Put the effect where it belongs and end the Burn. How far an NPC's disposition goes is the GMs' to know."""
    kind = BurnKind(burn.kind)
    with by_the_rules():
        left = with_effect(state_of(burn.scale, burn.character), kind, picked, chooser_side(burn))
    momentum = momentum_of(burn.character)
    changes.put(momentum, die_modifier=left.die_modifier, free_activations=left.free_activations)
    if picked is Effect.DIE:
        dice_changed(work, burn.character)
    if npc:
        changes.shift(work, npc, kind.sign, BURNS[kind])
    if picked is Effect.EXTRA_BLOOD and burn.character.retired_at is None:
        character = get_character(work, burn.character)
        if steps := steps_of(work, character, Gift(code="blood", name="Blood")):
            changes.wrote(burn, take_steps(work, character, steps, why=BURNS[kind]))
    changes.put(burn, state=Burn.State.SETTLED, effect=picked.value, words=words, npc_id=npc.pk if npc else None)
    tell(work, EFFECT_CHOSEN, changes, burn.scale, burn=burn, who=burn.character)
