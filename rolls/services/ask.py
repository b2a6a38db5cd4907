"""From what a form asks for to a roll that can fall: who rolls, with how many dice, for whose eyes, and which Scale it feeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from campaigns.errors import Forbidden, Invalid, Missing
from campaigns.services.log import Table
from characters.models import Character
from characters.sheets import storyteller as sheet
from rolls.models import Audience, RollRequest, Scale
from rolls.rules import storyteller
from rolls.rules.errors import word
from rolls.rules.storyteller_pool import Pool, typed_pool
from rolls.services.asked import asked_roll
from rolls.services.refusal import by_the_rules
from rolls.services.scale import fed_scale, momentum_of, wait_for_narration
from rolls.settings import RollSettings

LONGEST_NOTE = 200
SYSTEM = "storyteller"


@dataclass(frozen=True, kw_only=True)
class Ask:
    """A roll as somebody asks for it: of `traits` of the character's sheet, or of a typed number of `dice` (1 to 100).

    `modifier` in dice, `difficulty` 2 to 10, `kind` one of storyteller.Kind; `willpower` spends a point of the sheet,
    `automatic` asks to be let through without dice; `request` is the GM's request that this roll answers.
    """

    system: str = SYSTEM
    character: UUID | None = None
    traits: tuple[str, ...] = ()
    dice: int | None = None
    modifier: int = 0
    difficulty: int = 6
    kind: str = storyteller.Kind.ACTION.value
    willpower: bool = False
    automatic: bool = False
    note: str = ""
    request: UUID | None = None


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A roll that may fall: everything checked, nothing changed yet. `words` name the pool, `scale` is what it will feed."""

    character: Character | None
    request: RollRequest | None
    audience: Audience
    ask: storyteller.Ask
    words: str
    automatic: bool
    note: str
    scale: Scale | None

    @property
    def stored(self) -> dict[str, Any]:
        """The ask as the Roll keeps it for ever."""
        pool = self.ask.pool
        return {
            "words": self.words,
            "dots": pool.dots,
            "modifier": pool.modifier,
            "burn_dice": pool.burn_dice,
            "ability": pool.ability,
            "dice": pool.dice,
            "difficulty": self.ask.difficulty,
            "kind": self.ask.kind.value,
            "willpower": self.ask.willpower,
            "automatic": self.automatic,
            "note": self.note,
        }


def plan(table: Table, ask: Ask, audience: Audience, settings: RollSettings) -> Plan:
    """Check an ask under the lock. Raises Missing for a character or request that is not theirs, Invalid for what the rules do
    not allow, Stale when the GM has changed the request meanwhile, Waiting while a Major Burn is to be narrated."""
    if ask.system != SYSTEM:
        raise Invalid("This system has no rolls here.", field="system")
    character = _character(table, ask)
    request = asked_roll(table, ask.request, ask.difficulty) if ask.request else None
    seen_by = Audience(request.audience) if request else audience
    _keep_hidden(character, seen_by)
    kind = kind_of(request.kind if request else ask.kind)
    automatic = ask.automatic
    scale = None if automatic else fed_scale(table.campaign, character, kind, seen_by, settings)
    if scale is not None:
        wait_for_narration(scale)
    burn_dice = momentum_of(character).die_modifier if scale is not None and character is not None else 0
    with by_the_rules():
        pool, words = _pool(character, _traits(ask, request), ask, burn_dice)
        asked = storyteller.Ask(pool=pool, difficulty=ask.difficulty, kind=kind, willpower=ask.willpower)
    if automatic:
        _check_let_through(table, request, settings)
    if ask.willpower and character is None:
        raise Invalid("Only a character has Willpower to spend.", field="willpower")
    return Plan(
        character=character,
        request=request,
        audience=seen_by,
        ask=asked,
        words=words,
        automatic=automatic,
        note=short_note(ask.note),
        scale=scale,
    )


def kind_of(named: str) -> storyteller.Kind:
    """The kind of roll that is named. Raises Invalid."""
    with by_the_rules():
        return word("kind", named, storyteller.Kind)


def short_note(note: str) -> str:
    if len(note) > LONGEST_NOTE:
        raise Invalid(f"A note has at most {LONGEST_NOTE} characters.", field="note")
    return note.strip()


def _character(table: Table, ask: Ask) -> Character | None:
    if ask.character is None:
        return None
    mine = Character.objects.played_by(table.by).select_related("owner__user")
    character = mine.filter(pk=ask.character).first()
    if character is None:
        raise Missing
    return character


def _keep_hidden(character: Character | None, audience: Audience) -> None:
    """Players would learn from the roll that there is such an NPC."""
    if character is not None and character.is_hidden and audience != Audience.GM:
        message = f"Players do not know of {character.name} yet. Roll for the GM alone, or show {character.name} first."
        raise Invalid(message, field="audience")


def _traits(ask: Ask, request: RollRequest | None) -> tuple[str, ...]:
    """The GM says which traits are rolled; where the request leaves it open, the player does."""
    return tuple(request.traits.split("+")) if request and request.traits else ask.traits


def _pool(character: Character | None, traits: tuple[str, ...], ask: Ask, burn_dice: int) -> tuple[Pool, str]:
    if not traits:
        if ask.dice is None:
            raise Invalid("Say what to roll: traits, or a number of dice.", field="pool")
        pool = typed_pool(ask.dice, modifier=ask.modifier, burn_dice=burn_dice)
        return pool, "1 die" if ask.dice == 1 else f"{ask.dice} dice"
    if character is None:
        raise Invalid("Choose a character to roll traits, or type a number of dice.", field="pool")
    rated = sheet.pool(character.sheet, traits)
    return Pool(dots=rated.dice, modifier=ask.modifier, burn_dice=burn_dice, ability=rated.ability), rated.label


def _check_let_through(table: Table, request: RollRequest | None, settings: RollSettings) -> None:
    """storyteller.txt, Automatic Successes: the GM may wave a roll through."""
    if not (table.by.is_gm or settings.automatic_success or (request and request.automatic)):
        raise Forbidden("Only the GM lets a roll through without dice.")
