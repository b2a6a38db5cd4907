"""The kinds of events of this app (campaigns/kinds.py)."""

from __future__ import annotations

from functools import partial

from campaigns.kinds import EventKind, Indexed, Payload, Topic, copied, typed
from languages.text import gettext_lazy
from scale import payloads
from scale.words import describe, describe_change

# Upgrades of older versions' payloads about oracles (EventKind.today).


def oracle_since_0_1_0(payload: Payload) -> Payload:
    """Upgrade a payload of 0.1.0, which also stored an oracle's name."""
    return {name: value for name, value in payload.items() if name != "called"}


BURN, MAJOR = "burn", "major"
TOPICS = {BURN: gettext_lazy("Burns"), MAJOR: gettext_lazy("Major Burns")}
OUTCOMES = {
    "grace": gettext_lazy("Grace Burn"),
    "trouble": gettext_lazy("Trouble Burn"),
    "major_grace": gettext_lazy("Major Grace"),
    "major_trouble": gettext_lazy("Major Trouble"),
}
NAME = "scale"
"""The name under which the log and the settings of a campaign have what is the Scale's."""

COPIES = ("burns.*.words", "burns.*.narration")
"""The paths in the Scale's data that repeat what a person typed."""


def _burn(payload: Payload) -> Indexed:
    """Index the first of two Burns in one event; a Major Burn before all others."""
    burns = sorted(payload.get("burns") or [], key=lambda burn: not burn["major"])
    if not burns:
        return Indexed(BURN, NAME, words=payload.get("note", ""))
    burn = burns[0]
    outcome = f"major_{burn['kind']}" if burn["major"] else burn["kind"]
    words = burn["narration"] if burn["major"] else burn["words"]
    return Indexed(MAJOR if burn["major"] else BURN, NAME, outcome, words)


def _index(payload: Payload) -> Indexed:
    """Index it by these rules alone."""
    return Indexed(system=NAME)


burn = partial(EventKind, topic=BURN, index=_burn, copied=copied(*COPIES), describe=describe)
major = partial(burn, schema=payloads.OfBurns)

BURN_OFFERED = burn("scale.burn_offered", schema=payloads.BurnOffered)
BURN_FIRED = burn("scale.burn_fired", schema=payloads.BurnFired)
BURN_BANKED = burn("scale.burn_banked", schema=payloads.BurnBanked)
EFFECT_CHOSEN = burn("scale.effect_chosen", schema=payloads.Settled, typed=typed("burns.*.words"))
ACTIVATION_ASKED = burn("scale.activation_asked", schema=payloads.Settled, typed=typed("burns.*.words"))
ACTIVATION_REFUSED = burn("scale.activation_refused", schema=payloads.Settled)
ACTIVATION_USED = burn("scale.activation_used", schema=payloads.ActivationUsed, typed=typed("note"))
MAJOR_BURN = burn("scale.major_burn", schema=payloads.MajorBurn)
BURN_NARRATED = major("scale.burn_narrated", typed=typed("burns.*.narration"))
BURN_DEFERRED = major("scale.burn_deferred")
BURN_SEEN = major("scale.burn_seen")
BURN_TAKEN_BACK = burn("scale.burn_taken_back", schema=payloads.BurnTakenBack)
ORACLE_MARKED = burn("scale.oracle_marked", schema=payloads.OracleMarked)

ACTS = (
    BURN_FIRED,
    BURN_BANKED,
    EFFECT_CHOSEN,
    ACTIVATION_ASKED,
    ACTIVATION_REFUSED,
    ACTIVATION_USED,
    ORACLE_MARKED,
)
"""Kinds of steps of a Scale that are no rolls (ScaleStep)."""

indexed = partial(EventKind, index=_index)

BURN_UNDONE = indexed(
    "scale.burn_undone",
    topic=BURN,
    schema=payloads.BurnUndone,
    typed=typed("reason"),
    copied=copied(*COPIES),
    describe=describe,
)
MOVED = indexed("scale.moved", topic=BURN, schema=payloads.Moved, copied=copied(*COPIES), describe=describe)
ORACLE_CHANGED = indexed(
    "scale.oracle_changed",
    topic=Topic.TABLE,
    schema=payloads.OracleChanged,
    describe=describe_change,
    upgrades=(oracle_since_0_1_0,),
)
