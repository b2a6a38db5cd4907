"""Of what shape the state of a staged action is where it is told."""

from __future__ import annotations

from typing import Final

from campaigns.schema import CODE, NAME, TEXT, UID, Fields, ListOf, Maybe
from rulesets.forged.settings import Settings

SETTINGS: Final = Settings
TOKEN: Final[Fields] = {"id": UID, "gives": CODE, "to": CODE, "by": NAME}
PERSON: Final[Fields] = {
    "character": UID,
    "name": NAME,
    "out": bool,
    "full": bool,
    "stress": int,
    "harm": ListOf(int),
    "hurts": Maybe(ListOf(NAME)),
    "armor": ListOf(CODE),
}
ROLLER: Final[Fields] = {
    "character": UID,
    "cohort": Maybe(bool),
    "rating": int,
    "push_die": bool,
    "push_effect": bool,
    "push_act": bool,
    "helper": CODE,
    "ready": bool,
    "result": CODE,
    "at": CODE,
    "effect": CODE,
    "ticks": int,
}
INFLICTED: Final[Fields] = {
    "key": CODE,
    "code": CODE,
    "severity": int,
    "whom": UID,
    "words": NAME,
    "price": bool,
    "heat": bool,
    "clock": Maybe(UID),
    "clock_name": NAME,
    "clock_gone": bool,
    "segments": Maybe(int),
    "filled": Maybe(int),
    "attribute": CODE,
    "resisting": CODE,
    "by": int,
    "resisted": bool,
    "marked": ListOf(CODE),
    "first": CODE,
    "became": CODE,
    "row": int,
}
"""Like the consequence of a resistance roll, its words are what the story calls it."""
CREW: Final[Fields] = {
    "character": UID,
    "name": NAME,
    "heat": int,
    "wanted": int,
    "gambits": Maybe(int),
    "cohorts": Maybe(ListOf({"key": UID, "name": NAME, "quality": int, "state": CODE})),
}
SCHEMA: Final[Fields] = {
    "action": CODE,
    "attribute": CODE,
    "people": ListOf(PERSON),
    "participants": ListOf(ROLLER),
    "settings": SETTINGS,
    "crew": Maybe(CREW),
    "group": bool,
    "setup": bool,
    "stage": CODE,
    "position": CODE,
    "base": CODE,
    "potency": int,
    "quality": int,
    "scale": int,
    "why": TEXT,
    "ability": int,
    "spared": ListOf(int),
    "clock": Maybe(UID),
    "clock_name": NAME,
    "clock_gone": bool,
    "tokens": ListOf(TOKEN),
    "waiting": ListOf(TOKEN),
    "trade": CODE,
    "trade_by": CODE,
    "traded": bool,
    "bargain": TEXT,
    "bargain_by": NAME,
    "bargained": bool,
    "refused": Maybe(TEXT),
    "gambit": bool,
    "paid": int,
    "withdrew": bool,
    "inflicted": ListOf(INFLICTED),
    "resisting": CODE,
    "met": CODE,
    "granted": CODE,
    "finished": bool,
    "ticked": int,
}
