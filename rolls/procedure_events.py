"""The kinds of events of procedures (campaigns/kinds.py), and what people read of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from campaigns.kinds import EventKind, Indexed, Payload, Place, Topic, copied, typed
from campaigns.schema import texts
from rolls import payloads
from rolls.procedures import ProcedureRules
from rolls.registry import RULESETS, procedure_called
from rolls.rules.procedures import PLAYERS_CHANGED, Actor, Button
from rolls.rules.states import restored
from rolls.waiting import procedure_waiting


def described_procedure(told: Payload) -> dict[str, Any]:
    """What rolls/_procedure.html draws: `label`, `template`, what its rules describe, whether it is `over` and a `token`, with
    the words of its `chip`; and of those who are waited for `waits` [{name, words, members, whom, character}]: for whom, for
    what, and who may do it beside the GMs. `waiting` is the same as it stands among all that waits.

    Of rules that are not installed any more it has the label alone.
    """
    rules = procedure_called(told["system"], told["kind"])
    if rules is None:
        label = told["kind"].replace("_", " ").capitalize()
        nothing = {"waits": [], "waiting": procedure_waiting(told, label, []), "over": False, "token": False}
        return {**told, **nothing, "label": label, "template": ""}
    state = restored(rules.state, told["state"])
    buttons = list(_buttons(rules, state, told["players"]))
    over = rules.is_over(state)
    waits = [] if over else list(_waits(rules, state, told["players"]))
    drawn = {
        "chip": rules.label,
        **rules.describe(state, buttons),
        "label": rules.label,
        "waits": waits,
        "waiting": procedure_waiting(told, rules.label, waits),
        "over": over,
        "token": rules.token,
    }
    return {**told, **drawn, "template": f"{told['system']}/{told['kind']}.html"}


def _waits(rules: ProcedureRules[Any], state: Any, players: list[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    members = {one["character"]: [member["member"] for member in one["members"]] for one in players}
    for whom, words in rules.waiting(state):
        name, found = rules.party(state, whom) if whom else ("the GM", None)
        character = found or ""
        theirs = members.get(character, [])
        yield {"name": name, "words": words, "members": theirs, "whom": whom, "character": character}


def _buttons(rules: ProcedureRules[Any], state: Any, players: list[Mapping[str, Any]]) -> Iterator[Button]:
    """Those of the GMs, who may do all; and who else may do each."""
    plays: dict[int, set[str]] = {}
    for one in players:
        for member in one["members"]:
            plays.setdefault(member["member"], set()).add(one["character"])
    theirs = {member: set(rules.may(state, Actor(characters=frozenset(own)))) for member, own in plays.items()}
    for offer in rules.may(state, Actor(is_gm=True)):
        yield Button(
            name=offer.name,
            whom=offer.whom,
            sent=offer.sent,
            words=rules.buttons(state, offer),
            form=offer.name in rules.forms,
            members=tuple(member for member, offers in theirs.items() if offer in offers),
            open_to_all=offer.name in rules.open_to_all,
            primary=rules.primary(state, offer),
            on_card=offer.name in rules.forms and bool(rules.forms[offer.name].on_card),
        )


def _described(payload: Payload) -> dict[str, Any]:
    told, act = payload["procedure"], payload["act"]
    rules = procedure_called(told["system"], told["kind"])
    speaks = act["name"] != PLAYERS_CHANGED
    said = rules.said(restored(rules.state, told["state"]), act["name"], act["whom"]) if rules and speaks else ""
    return {"procedure": described_procedure(told), "said": said}


def _index(payload: Payload) -> Indexed:
    told = payload["procedure"]
    return Indexed(system=told["system"], words=f"{told['label']} {payload['said']} {told['reason']}")


def _copied() -> tuple[Place, ...]:
    """What was typed with a step stands in its `words`, and again in every state that holds it."""
    there = [rules for ruleset in RULESETS.values() for rules in ruleset.procedures.values()]
    held = dict.fromkeys(f"procedure.state.{path}" for rules in there for path in texts(rules.schema))
    return copied("procedure.reason", *held)


kind = partial(EventKind, topic=Topic.ROLL, index=_index, describe=_described, copied=_copied)

PROCEDURE_OPENED = kind(
    "rolls.procedure_opened", schema=payloads.ProcedureChanged, typed=typed("procedure.reason", "words.*")
)
PROCEDURE_CHANGED = kind("rolls.procedure_changed", schema=payloads.ProcedureChanged, typed=typed("words.*"))
PROCEDURE_CLOSED = kind("rolls.procedure_closed", schema=payloads.ProcedureClosed, typed=typed("words.*"))
"""A procedure that was opened, one that goes on, and one that is over (or was dropped)."""
