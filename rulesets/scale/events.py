"""The kinds of events of this add-on (campaigns/kinds.py), and what it tells with those of rolls."""

from __future__ import annotations

from functools import partial

from campaigns.kinds import EventKind, Indexed, Payload, Topic, copied, typed
from campaigns.schema import CODE, NAME, PERSON, TEXT, UID, Fields, ListOf, Maybe
from rolls.events import PROOF, REF
from rulesets.scale.earlier import oracle_since_0_1_0
from rulesets.scale.words import describe, describe_change

BURN, MAJOR = "burn", "major"
TOPICS = {BURN: "Burns", MAJOR: "Major Burns"}
OUTCOMES = {
    "grace": "Grace Burn",
    "trouble": "Trouble Burn",
    "major_grace": "Major Grace",
    "major_trouble": "Major Trouble",
}
ADD_ON_NAME = "scale"
"""Of this add-on, by which what it tells is found."""

# What is told

MOVE: Fields = {
    "before": Maybe(int),
    "delta": Maybe(int),
    "after": Maybe(int),
    "step": Maybe(int),
}
SCALE: Fields = MOVE | {
    "id": UID,
    "name": Maybe(NAME),
    "value": int,
    "pending": Maybe(CODE),
    "banked": Maybe(CODE),
    "order": int,
}
MOMENTUM: Fields = {
    "character": REF,
    "whose": Maybe(PERSON),
    "die_modifier": int,
    "free_activations": int,
}
ORACLE: Fields = {"oracle": CODE, "die": int, "title": Maybe(NAME), "text": Maybe(NAME)}
"""A die of a Major Burn, with what the GM had written in the campaign's table by then; nothing of what it started with."""
BURNED: Fields = {
    "id": UID,
    "scale": UID,
    "kind": CODE,
    "major": bool,
    "state": CODE,
    "order": int,
    "whose": Maybe(PERSON),
    "character": REF,
    "chosen_by": CODE,
    "effect": CODE,
    "words": TEXT,
    "npc": Maybe(REF),
    "at": int,
    "reached": Maybe(int),
    "oracles": Maybe(ListOf(ORACLE)),
    "storyline": Maybe(NAME),
    "narration": Maybe(TEXT),
    "seen_by": Maybe(ListOf(PERSON)),
    "seen_of": Maybe(int),
}
RULES: Fields = {
    "cancelled_ones_count": bool,
    "staying_is_reaching": bool,
    "major_clears_bank": bool,
    "shared": Maybe(bool),
}

WITH_ROLLS: Fields = {
    "scale": Maybe(SCALE),
    "momentum": Maybe(ListOf(MOMENTUM)),
    "rules": Maybe(RULES),
    "burns": Maybe(ListOf(BURNED)),
    "undone": Maybe(ListOf(int)),
}
"""What the Scale tells with a roll, and with one that is taken back."""

WITH_SETTINGS: Fields = {"scales": ListOf(SCALE), "gone": ListOf(UID)}
"""What it tells with a change of settings."""

COPIES = ("burns.*.words", "burns.*.narration")
"""Where that repeats what somebody typed."""

# Kinds


def _burn(payload: Payload) -> Indexed:
    """Of two Burns in one event the first counts; a Major Burn before all others."""
    burns = sorted(payload.get("burns") or [], key=lambda burn: not burn["major"])
    if not burns:
        return Indexed(BURN, ADD_ON_NAME, words=payload.get("note", ""))
    burn = burns[0]
    outcome = f"major_{burn['kind']}" if burn["major"] else burn["kind"]
    words = burn["narration"] if burn["major"] else burn["words"]
    return Indexed(MAJOR if burn["major"] else BURN, ADD_ON_NAME, outcome, words)


def _found(payload: Payload) -> Indexed:
    """By these rules alone."""
    return Indexed(system=ADD_ON_NAME)


SETTLED: Fields = {"burns": ListOf(BURNED), "scale": SCALE, "momentum": ListOf(MOMENTUM)}

burn = partial(EventKind, topic=BURN, index=_burn, copied=copied(*COPIES), describe=describe)
major = partial(burn, schema={"burns": ListOf(BURNED)})

BURN_OFFERED = burn("scale.burn_offered", schema={"how": CODE, "burns": ListOf(BURNED), "scale": SCALE})
BURN_FIRED = burn(
    "scale.burn_fired",
    schema={
        "how": CODE,
        "burns": ListOf(BURNED),
        "scale": SCALE,
        "momentum": Maybe(ListOf(MOMENTUM)),
        "by_side": Maybe(CODE),
    },
)
BURN_BANKED = burn(
    "scale.burn_banked",
    schema={"automatic": bool, "burns": ListOf(BURNED), "scale": SCALE, "momentum": Maybe(ListOf(MOMENTUM))},
)
EFFECT_CHOSEN = burn("scale.effect_chosen", schema=SETTLED, typed=typed("burns.*.words"))
ACTIVATION_ASKED = burn("scale.activation_asked", schema=SETTLED, typed=typed("burns.*.words"))
ACTIVATION_REFUSED = burn("scale.activation_refused", schema=SETTLED)
ACTIVATION_USED = burn("scale.activation_used", schema=SETTLED | {"character": REF, "note": TEXT}, typed=typed("note"))
MAJOR_BURN = burn(
    "scale.major_burn",
    schema={"how": CODE, "burns": ListOf(BURNED), "scale": SCALE, "proof": Maybe(PROOF)},
)
BURN_NARRATED = major("scale.burn_narrated", typed=typed("burns.*.narration"))
BURN_DEFERRED = major("scale.burn_deferred")
BURN_SEEN = major("scale.burn_seen")
BURN_TAKEN_BACK = burn("scale.burn_taken_back", schema={"of": UID, "burns": ListOf(BURNED), "scale": SCALE})
"""A Burn that is undone with the roll that led to it; `of` is the uid of the event that told it."""
ORACLE_MARKED = burn(
    "scale.oracle_marked",
    schema=SETTLED | {"oracle": CODE, "choice": CODE, "face": Maybe(int), "proof": Maybe(PROOF)},
)
"""What a die of a Major Burn gives was marked on the sheet of its character; it amends the event that told the Burn."""
BURN_UNDONE = EventKind(
    "scale.burn_undone",
    topic=BURN,
    schema={
        "of": UID,
        "reason": TEXT,
        "undone": ListOf(int),
        "oracle": Maybe(CODE),
        "burns": ListOf(BURNED),
        "scale": Maybe(SCALE),
        "momentum": ListOf(MOMENTUM),
    },
    index=_found,
    typed=typed("reason"),
    copied=copied(*COPIES),
    describe=describe,
)
MOVED = EventKind(
    "scale.moved",
    topic=BURN,
    schema={"character": Maybe(REF), **WITH_ROLLS},
    index=_found,
    copied=copied(*COPIES),
    describe=describe,
)

ENTRY: Fields = {"title": NAME, "text": NAME, "shift": bool}

ORACLE_CHANGED = EventKind(
    "scale.oracle_changed",
    topic=Topic.TABLE,
    schema={
        "oracle": CODE,
        "changes": ListOf({"face": int, "before": Maybe(ENTRY), "after": Maybe(ENTRY)}),
        "reset": bool,
    },
    index=_found,
    describe=describe_change,
    upgrades=(oracle_since_0_1_0,),
)
