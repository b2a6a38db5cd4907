"""What a Burn does once it has fired: a die, a Discipline, a disposition (scale.txt, Grace Burn, Trouble Burn)."""

from __future__ import annotations

from uuid import UUID

from campaigns.errors import Blocked, Invalid, NotFound
from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from characters.models import Character
from characters.reasons import Reason
from rolls.rules.errors import word
from rolls.services.procedure_reading import character_brings_other
from rolls.services.roll_context import short_note
from rolls.services.rule_errors import by_the_rules
from rolls.settings import roll_settings
from rulesets.scale.events import ACTIVATION_ASKED, ACTIVATION_REFUSED, ACTIVATION_USED, EFFECT_CHOSEN
from rulesets.scale.models import Burn, Momentum
from rulesets.scale.queries.payloads import chooser_side
from rulesets.scale.queries.scale import state_of
from rulesets.scale.rules.scale import BurnKind, Effect, Side, effect, use_activation
from rulesets.scale.services.operations import burn_in, must_be, tell
from rulesets.scale.services.scale import momentum_of, scale_of
from rulesets.scale.services.undo_journal import Changes

BURNS = {kind: Reason(f"{kind}_burn", f"a {kind.capitalize()} Burn") for kind in BurnKind}
LONGEST_WORDS = 10_000


@service(Role.PLAYER, plays=True)
def choose_effect(
    work: UnitOfWork, burn_id: UUID, chosen: str, *, words: str = "", npc: UUID | None = None, key: UUID
) -> Burn:
    """Say what a fired Burn does: Grace its player (a GM for one who is absent), Trouble the GM, and nobody else.

    `chosen` is one of Effect. A disposition needs the `npc` it is about; a complication of Trouble needs `words` (up to 10,000
    characters) that describe it. A free activation asked for by a player waits until the GM finds it plausible.
    """
    burn = burn_in(work, burn_id, Burn.State.FIRED)
    must_be(work, burn.character, [chooser_side(burn)], waits=True)
    if burn.effect:
        raise Blocked("The GM is asked whether this free activation is plausible.")
    with by_the_rules():
        picked = word("effect", chosen, Effect)
    changes = Changes()
    if len(words) > LONGEST_WORDS:
        raise Invalid("Write at most 10,000 characters.", field="words")
    if picked is Effect.DISCIPLINE and burn.kind == Burn.Kind.GRACE and not work.by.is_gm:
        changes.put(burn, effect=picked.value, words=words.strip())
        tell(work, ACTIVATION_ASKED, changes, burn.scale, burn=burn, who=burn.character)
        return burn
    if picked is Effect.DISCIPLINE and burn.kind == Burn.Kind.TROUBLE and not words.strip():
        raise Invalid("Say what goes wrong: a misfire, extra blood, unwanted attention.", field="words")
    _settle(work, burn, picked, changes, words.strip(), _npc(work, npc) if picked is Effect.DISPOSITION else None)
    return burn


@service(Role.GM)
def decide_activation(work: UnitOfWork, burn_id: UUID, *, plausible: bool, key: UUID) -> Burn:
    """The GM finds a free activation plausible, or not: then the player chooses another effect."""
    burn = burn_in(work, burn_id, Burn.State.FIRED)
    if not burn.effect:
        raise Blocked("Nobody asks for a free activation any more.")
    changes = Changes()
    if plausible:
        _settle(work, burn, Effect(burn.effect), changes, burn.words, None)
    else:
        changes.put(burn, effect="", words="")
        tell(work, ACTIVATION_REFUSED, changes, burn.scale, burn=burn, who=burn.character)
    return burn


@service(Role.PLAYER, plays=True)
def use_free_activation(work: UnitOfWork, character_id: UUID, *, note: str = "", key: UUID) -> Momentum:
    """The character's player uses one of its free activations. Raises Invalid when there is none."""
    characters = Character.objects.filter(campaign=work.campaign, pk=character_id).select_related("owner__user")
    character = characters.first()
    # An NPC that players do not know of answers like one that is not there.
    if character is None or (character.is_hidden and not work.by.is_gm):
        raise NotFound
    must_be(work, character, [Side.PLAYER])
    scale = scale_of(work.campaign, character, roll_settings(work.campaign))
    momentum, changes = momentum_of(character), Changes()
    with by_the_rules():
        left = use_activation(state_of(scale, character)).free_activations
    changes.put(momentum, free_activations=left)
    tell(work, ACTIVATION_USED, changes, scale, who=character, character=character.ref, note=short_note(note))
    return momentum


def _npc(work: UnitOfWork, npc: UUID | None) -> Character:
    if npc is None:
        raise Invalid("Choose whose disposition it is.", field="npc")
    # The choice is told to everybody, so it must be an NPC that everybody knows.
    character = Character.objects.known_to_all(work.campaign).filter(owner=None, pk=npc).first()
    if character is None:
        raise NotFound
    return character


def _settle(work: UnitOfWork, burn: Burn, picked: Effect, changes: Changes, words: str, npc: Character | None) -> None:
    """Put the effect where it belongs and end the Burn. How far an NPC's disposition goes is the GMs' to know."""
    kind = BurnKind(burn.kind)
    with by_the_rules():
        left = effect(state_of(burn.scale, burn.character), kind, picked, chooser_side(burn)).state
    momentum = momentum_of(burn.character)
    changes.put(momentum, die_modifier=left.die_modifier, free_activations=left.free_activations)
    if picked is Effect.DIE:
        character_brings_other(work, str(burn.character_id))
    if npc:
        changes.shift(work, npc, kind.sign, BURNS[kind])
    changes.put(burn, state=Burn.State.SETTLED, effect=picked.value, words=words, npc_id=npc.pk if npc else None)
    tell(work, EFFECT_CHOSEN, changes, burn.scale, burn=burn, who=burn.character)
