"""The kinds of events of procedures (campaigns/kinds.py), and what people read of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from campaigns.kinds import EventKind, Indexed, JsonPath, Payload, Topic, copied, typed
from campaigns.schema import texts
from rolls import payloads
from rolls.procedures import ProcedureKind
from rolls.registry import RULESETS, procedure_called
from rolls.rules.acts import Actor
from rolls.rules.procedures import PLAYERS_CHANGED, Button
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


def _waits(rules: ProcedureKind[Any], state: Any, players: list[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    members = {one["character"]: [member["member"] for member in one["members"]] for one in players}
    for whom, words in rules.waiting(state):
        name, found = rules.party(state, (whom,)) if whom else ("the GM", None)
        character = found or ""
        theirs = members.get(character, [])
        yield {"name": name, "words": words, "members": theirs, "whom": whom, "character": character}


def _buttons(rules: ProcedureKind[Any], state: Any, players: list[Mapping[str, Any]]) -> Iterator[Button]:
    """Those of the GMs, who may do all; and who else may do each."""
    plays: dict[int, set[str]] = {}
    for one in players:
        for member in one["members"]:
            plays.setdefault(member["member"], set()).add(one["character"])
    theirs = {member: set(rules.available(state, Actor(characters=frozenset(own)))) for member, own in plays.items()}
    for available in rules.available(state, Actor(is_gm=True)):
        form = rules.forms.get(available.name)
        yield Button(
            name=available.name,
            target=available.target,
            sent=str(available.key),
            words=rules.button_words(state, available),
            form=form is not None,
            members=tuple(member for member, own in theirs.items() if available in own),
            open_to_all=rules.is_open_to_all(available.name),
            primary=rules.primary(state, available),
            on_card=form is not None and bool(form.on_card),
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


def _copied() -> tuple[JsonPath, ...]:
    """What was typed with a step stands in its `words`, and again in every state that holds it."""
    there = [rules for ruleset in RULESETS.values() for rules in ruleset.procedures.values()]
    held = dict.fromkeys(f"procedure.state.{path}" for rules in there for path in texts(rules.state))
    return copied("procedure.reason", *held)


kind = partial(EventKind, topic=Topic.ROLL, index=_index, describe=_described, copied=_copied)

PROCEDURE_OPENED = kind(
    "rolls.procedure_opened", schema=payloads.ProcedureChanged, typed=typed("procedure.reason", "words.*")
)
PROCEDURE_CHANGED = kind("rolls.procedure_changed", schema=payloads.ProcedureChanged, typed=typed("words.*"))
PROCEDURE_CLOSED = kind("rolls.procedure_closed", schema=payloads.ProcedureClosed, typed=typed("words.*"))
"""A procedure that was opened, one that goes on, and one that is over (or was dropped)."""
