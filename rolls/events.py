"""The kinds of events of this app (campaigns/kinds.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Final

from campaigns.kinds import EventKind, Indexed, JsonPath, Part, Payload, TextCategory, Topic, copied, outcomes, typed
from campaigns.schema import texts
from campaigns.waiting import Pending, Wait
from characters.reasons import words_of
from languages.text import colon
from languages.text import gettext as _
from rolls import payloads
from rolls.models import Audience, Procedure
from rolls.procedures import ProcedureKind
from rolls.registry import RULESETS, procedure_called, setting_value_words, setting_words
from rolls.table_rules import RollKind
from rules import acting
from rules.errors import block_words
from rules.messages import message_of, read, stored
from rules.procedures import OPEN, PLAYERS_CHANGED, UPGRADED
from rules.table import Table
from scale.events import COPIES
from scale.events import NAME as SCALE
from scale.words import aside, describe

# Procedures and requests as tasks that wait for a person (campaigns/waiting.py).


def procedure_waiting(told: Payload, label: str, waits: Iterable[Mapping[str, Any]]) -> Pending:
    """Return a procedure as a Pending. `waits` are those of the described procedure."""
    each = tuple(
        Wait(**{**one, "name": one["name"] if one["whom"] else "", "members": tuple(one["members"])}) for one in waits
    )
    title = f"{label}{colon()}{told['reason']}" if told["reason"] else label
    return Pending(id=f"procedure-{told['id']}", title=title, order=told["order"], waits=each)


def request_waiting(request: Payload) -> Pending:
    """Return a described request as a Pending. A procedure's request waits only as part of that procedure."""
    title = " · ".join(filter(None, (request["reason"] or _("A roll"), request["audience_words"])))
    words = request["words"]
    waits: tuple[Wait, ...] = ()
    if request["announced"]:
        waits = (
            Wait(
                name="",
                words=_("to set a roll announced by {name}: {words}").format(
                    name=request["whose"]["name"], words=words
                ),
            ),
        )
    elif (asked := request["waits_for"]) and not request.get("procedure"):
        names, members = ", ".join(one["name"] for one in asked), tuple(one["member"] for one in asked)
        waits = (Wait(name=names, words=_("to roll: {words}").format(words=words), members=members),)
    return Pending(id=f"request-{request['id']}", title=title, order=request["order"], waits=waits)


def described_procedure(told: Payload) -> Mapping[str, Any]:
    """Return the context of rolls/_procedure.html for a procedure's payload.

    It has `label`, `template`, the values that its rules describe, whether it is `over` or a `token`, whether it
    `runs_turns`, the words of its `chip`, and in `waits` [{name, words, members, whom, character}] who is waited for,
    for what, and which members may act beside the GMs. `waiting` is the same as a Pending. Without rules that
    read it only the label is filled in. Of a kind all of that stands in its `card`.
    """
    if told.get("card"):
        return Seen(told)
    earlier = _earlier(told)
    if earlier is None:
        rules = procedure_called(told["system"], told["kind"])
        label = str(rules.label) if rules else told["kind"].replace("_", " ").capitalize()
        nothing = {"waits": [], "waiting": procedure_waiting(told, label, []), "over": False, "token": False}
        return {**told, **nothing, "label": label, "template": ""}
    row, table = earlier
    seen = {"over": row.over, "staged": row.card(table, ()), "buttons": (), "waits": (), "chip": row.chip_words(table)}
    return Seen(told, stored(seen))


class Seen(Mapping[str, Any]):
    """What is seen of a procedure: read from what is stored with it when the first of
    that is asked for, since most readers of its events ask for the line alone.

    It is the card that was told, or none: a later one has an event of its own, and a log that comes from elsewhere may
    name what its reader must not see.
    """

    def __init__(self, told: Payload, card: Any = None, **known: Any) -> None:
        rules = procedure_called(told["system"], told["kind"])
        label = str(rules.label) if rules else told["kind"].replace("_", " ").capitalize()
        kind = {name: getattr(rules, name) for name in OF_KIND} if rules else {}
        self._known, self._card = {**told, "label": label, "template": "", **kind, **known}, card

    def __getitem__(self, name: str) -> Any:
        return self._known[name] if name in self._known else self._whole[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole)

    def __len__(self) -> int:
        return len(self._whole)

    @cached_property
    def _whole(self) -> dict[str, Any]:
        told = self._known
        card, is_gm = self._card, str(told.get("card")).startswith("gm.")
        if card is None and (stored := Procedure.objects.only("cards").filter(pk=told["id"]).first()):
            card = stored.card_for(is_gm=is_gm) if stored.card_digest(is_gm=is_gm) == told["card"] else None
        seen = NOTHING | {"chip": told["label"]} | (read(card) if card else {}) | told
        return seen | {"waiting": procedure_waiting(told, told["label"], seen["waits"])}


OF_KIND: Final = ("token", "runs_turns", "chip_template")
NOTHING: Final = {
    "waits": [],
    "over": True,
    "staged": None,
    "buttons": [],
    "token": False,
    "runs_turns": False,
}
"""What is seen of one that is gone, and of what a card does not say."""


def _describe_procedure(payload: Payload) -> dict[str, Any]:
    told, act = payload["procedure"], payload["act"]
    rules = procedure_called(told["system"], told["kind"])
    if act["name"] == UPGRADED:
        described = described_procedure(told)
        return {"procedure": described, "said": _ended_by_upgrade(described, rules)}
    if told.get("card"):
        said = str(message_of(payload["line"])) if payload.get("line") else ""
        # Of an event that ended it, what it came to is seen; of any other, what is there now.
        return {"procedure": Seen(told, over=payload.get("dropped") is False), "said": said}
    described, speaks = described_procedure(told), act["name"] != PLAYERS_CHANGED
    if not speaks or (earlier := _earlier(told)) is None:
        return {"procedure": described, "said": ""}
    row, table = earlier
    return {"procedure": described, "said": str(row.line_before(table, act["name"], act["whom"]))}


def _earlier(told: Payload) -> tuple[acting.Procedure, Table] | None:
    """Return a procedure as an event of 0.2 told of it, on a table with who is in it; None if no rules read it."""
    rules = procedure_called(told["system"], told["kind"])
    table = rules.rows.told_before(told["state"]) if rules else None
    return (table.all(rules.rows)[0], table) if rules and table else None


def _ended_by_upgrade(described: Payload, rules: ProcedureKind | None) -> str:
    title = described["chip"] if described["token"] else described["waiting"].title
    if rules and OPEN in rules.forms:
        words = _("This site was upgraded, which ended “{title}”. Start it again if you still need it.")
    else:
        words = _("This site was upgraded, which ended “{title}”.")
    return words.format(title=title)


def _index_of_procedures(payload: Payload) -> Indexed:
    told = payload["procedure"]
    return Indexed(system=told["system"], words=f"{told['label']} {payload['said']} {told['reason']}")


def _copied_of_procedures() -> tuple[JsonPath, ...]:
    """Return the paths that repeat a step's typed `words`: its reason, and the texts in every state."""
    there = [rules for ruleset in RULESETS.values() for rules in ruleset.procedures.values()]
    held = dict.fromkeys(f"procedure.state.{path}" for rules in there for path in texts(rules.rows))
    return copied("procedure.reason", "line.**", *held)


_procedure_kind = partial(
    EventKind,
    topic=Topic.ROLL,
    index=_index_of_procedures,
    describe=_describe_procedure,
    copied=_copied_of_procedures,
    part=Part.HEAD,
)

PROCEDURE_OPENED = _procedure_kind(
    "rolls.procedure_opened", schema=payloads.ProcedureChanged, typed=typed("procedure.reason", "words.*")
)
_goes_on = partial(_procedure_kind, typed=typed("words.*"), drawn_as=PROCEDURE_OPENED)
PROCEDURE_CHANGED = _goes_on("rolls.procedure_changed", schema=payloads.ProcedureChanged)
PROCEDURE_CLOSED = _goes_on("rolls.procedure_closed", schema=payloads.ProcedureClosed)
"""A procedure that was opened, one that goes on, and one that is over (or was dropped)."""


def voided_since_0_1_0(payload: Payload) -> Payload:
    """Upgrade a payload of 0.1.0, which wrote "corrected" as the reason of a roll that another one replaced."""
    if "corrected" in payload:
        return payload
    corrected = payload["reason"] == "corrected"
    return {**payload, "corrected": corrected, "reason": "" if corrected else payload["reason"]}


__all__ = ["PROCEDURE_CHANGED", "PROCEDURE_CLOSED", "PROCEDURE_OPENED"]

table = partial(EventKind, topic=Topic.TABLE)

# Rolls


def described(payload: Payload) -> dict[str, Any]:
    """Return the context of a roll's templates: its payload, its card, why it moved no Scale, and the words for all of them."""
    ruleset, card = RULESETS.get(payload["system"]), {**payload.get("card", {}), **_of_scale(payload)}
    card["dice"] = _with_former_faces([_given(die) for die in card.get("dice") or ()], payload.get("rerolls") or ())
    kind = ruleset.table.find_kind(payload["kind"]) if ruleset else None
    words = kind.describe({**payload, **card}) if kind else _in_codes(payload, card)
    said = {**card, "audience_words": audience_words(payload.get("audience", "")), **words}
    if told_move := payload.get("move"):
        made = {"name": told_move["id"].replace("_", " ").capitalize(), **told_move}
        said |= {"move": made, "words": f"{made['name']}{colon()}{said['words']}"}
    if amended := payload.get("amended"):
        said["amended"] = {**amended, "why": words_of(amended["why"])}
    said["allowed"] = [block_words(code) for code in payload.get("overridden") or ()]
    return said | {"asides": [aside(one["why"], payload) for one in payload.get("asides", ())]}


def _in_codes(payload: Payload, asked: Payload) -> dict[str, Any]:
    """Return the context of rolls/_plain_card.html where the ruleset is no longer installed: its codes, written as words."""
    kind, result, proof = payload["kind"], payload["outcome"], payload.get("proof")
    faces = proof["faces"] if proof else [die["face"] for die in asked.get("dice", ())]
    said = {
        "words": kind.replace("_", " "),
        "headline": outcomes().get(result) or result.replace("_", " ").capitalize(),
    }
    return {**said, "detail": "", "faces": faces}


def _given(die: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a die with what the Scale is called that reads something from it."""
    return {**die, "given_to": _("Scale")} if die.get("given_to") else die


def _with_former_faces(dice: list[Mapping[str, Any]], rerolls: Sequence[Payload]) -> list[Mapping[str, Any]]:
    """Return dice with the faces that each showed before it was rerolled (`was`), oldest first. They are unmarked in a
    game that draws its dice in another order.
    """
    if not rerolls or [die["face"] for die in dice] != rerolls[-1]["faces"]:
        return dice
    was: dict[int, list[int]] = {}
    for thrown in rerolls:
        for at, face in zip(thrown["at"], thrown["before"], strict=False):
            was.setdefault(at, []).append(face)
    return [{**die, "was": was[at]} if at in was else die for at, die in enumerate(dice)]


def _of_scale(payload: Payload) -> dict[str, Any]:
    """Return what an event tells of the Scale, in words."""
    told = (payload.get("add_ons") or {}).get(SCALE) or {}
    return {**told, **describe(told)}


def audience_words(audience: str) -> str:
    """Return words for who sees a roll of this Audience; "" if everyone does."""
    if audience == Audience.SELF:
        return _("visible to the roller and the GM")
    return _("visible only to the GM") if audience == Audience.GM else ""


def _roll(payload: Payload) -> Indexed:
    ruleset = RULESETS.get(payload["system"])
    outcome = ruleset.outcome_of(payload["outcome"]) if ruleset else None
    return Indexed(system=payload["system"], outcome=outcome, words=f"{payload.get('words', '')} {payload['note']}")


def _typed(payload: Payload) -> Iterable[tuple[JsonPath, Any]]:
    whose = "rolled_by" if payload.get("rolled_by") else "who"
    return typed("note", *_typed_in_card(payload), whose=whose)(payload)


def _typed_in_card(payload: Payload) -> Iterable[str]:
    ruleset = RULESETS.get(payload["system"])
    return (f"card.{name}" for name in (ruleset.table.typed if ruleset else ()))


def _copied() -> tuple[JsonPath, ...]:
    """Return the paths that repeat typed texts: in what the Scale tells, in cards of procedures' rolls, and in moves."""
    told_again = (f"add_ons.{SCALE}.{path}" for path in COPIES)
    cards = {f"card.{name}" for rules in RULESETS.values() for name in rules.table.typed}
    return copied(*told_again, *sorted(cards)) + copied("move.says", sort=TextCategory.SHEET)


rolled = partial(
    EventKind, topic=Topic.ROLL, index=_roll, describe=described, typed=_typed, copied=_copied, part=Part.ROW
)

ROLL_MADE = rolled("rolls.roll_made", schema=payloads.RollMade)
ROLL_CORRECTED = rolled("rolls.roll_corrected", schema=payloads.RollMade)
# Whose eyes it was for is past once everybody sees it.
ROLL_REVEALED = rolled(
    "rolls.roll_revealed",
    schema=payloads.RollRevealed,
    describe=lambda payload: described(payload) | {"audience_words": ""},
    part=None,
)


def _described_voided(payload: Payload) -> dict[str, Any]:
    """Return the context of a voided roll, with the reason "corrected" where another roll replaced it and nobody typed one."""
    why = payload["reason"] or (_("corrected") if payload["corrected"] else "")
    return {**payload["back"], **described(payload), "reason": why}


def _typed_voided(payload: Payload) -> Iterable[tuple[JsonPath, Any]]:
    """Yield the typed texts of a voided roll: the GM's reason, and what its roller typed into the card."""
    yield from typed("reason")(payload)
    yield from typed(*_typed_in_card(payload), whose="who")(payload)


ROLL_VOIDED = EventKind(
    "rolls.roll_voided",
    topic=Topic.ROLL,
    schema=payloads.RollVoided,
    index=lambda payload: Indexed(words=f"{payload.get('words', '')} {payload['reason']}"),
    describe=_described_voided,
    upgrades=(voided_since_0_1_0,),
    typed=_typed_voided,
    copied=_copied,
    part=Part.STEP,
)

# Tables that GMs roll on. Like oracles they stay when words are erased.

TABLE_ROLLED = EventKind(
    "rolls.table_rolled",
    topic=Topic.ROLL,
    schema=payloads.TableRolled,
    index=lambda payload: Indexed(words=f"{payload['table']['name']} {payload['text']}"),
    describe=lambda payload: {"audience_words": audience_words(payload["audience"])},
    part=Part.ROW,
)
TABLE_CHANGED = table(
    "rolls.table_changed",
    schema=payloads.TableChanged,
    index=lambda payload: Indexed(words=payload["table"]["name"]),
    beside=True,
)

# Requests


def _request(payload: Payload) -> Indexed:
    return Indexed(words=payload["request"]["reason"])


def described_request(request: Payload) -> dict[str, Any]:
    """Return a request's payload with its `words`, the `fields` of the roll form, whether these are the `whole` form,
    and `waiting`.
    """
    kind = _kind_asked_for(request)
    fields = kind.request_fields(request["terms"]) if kind else {}
    whole = bool(kind and kind.whole(request["terms"]))
    words = {**request, "words": request_words(request), "audience_words": audience_words(request["audience"])}
    return {**words, "fields": fields, "whole": whole, "waiting": request_waiting(words)}


def request_words(asked: Payload) -> str:
    """Return words for the roll that a request asks for; without its installed ruleset, or a known kind,
    only "A roll" and the name of the ruleset.
    """
    kind = _kind_asked_for(asked)
    return kind.request_words(asked["terms"]) if kind else _("A roll ({system})").format(system=asked["system"])


def _kind_asked_for(asked: Payload) -> RollKind | None:
    """Return the kind of roll that is asked for, as far as it is known here: a log from elsewhere may name any."""
    ruleset = RULESETS.get(asked["system"])
    return ruleset.table.find_kind(asked["terms"].get("kind", "")) if ruleset else None


def _described_change(payload: Payload) -> dict[str, Any]:
    before = payload.get("before")
    said = {"before": {**before, "words": request_words(before)}} if before else {}
    return {"request": described_request(payload["request"]), **said}


def _changed(payload: Payload) -> Iterable[tuple[JsonPath, Any]]:
    """Yield the reason of a changed request, but not where the change was only that somebody rolled."""
    return typed("request.reason")(payload) if payload.get("before") else ()


asked = partial(
    EventKind,
    part=Part.STEP,
    topic=Topic.ROLL,
    index=_request,
    copied=copied("request.reason"),
    describe=lambda payload: {"request": described_request(payload["request"])},
)

ROLL_ASKED = asked("rolls.roll_asked", schema=payloads.OfRequest, typed=typed("request.reason"))
ROLL_ANNOUNCED = asked(
    "rolls.roll_announced", schema=payloads.OfRequest, typed=typed("request.reason"), drawn_as=ROLL_ASKED
)
REQUEST_CHANGED = asked(
    "rolls.request_changed",
    schema=payloads.RequestChanged,
    typed=_changed,
    describe=_described_change,
    drawn_as=ROLL_ASKED,
)
REQUEST_CLOSED = asked("rolls.request_closed", schema=payloads.RequestClosed)

# Settings


def _described_settings(payload: Payload) -> dict[str, Any]:
    changes = [
        {
            "name": change["name"],
            "words": setting_words(change["name"]),
            "before": setting_value_words(change["name"], change["before"]),
            "after": setting_value_words(change["name"], change["after"]),
        }
        for change in payload["changes"]
    ]
    return {"changes": changes, **_of_scale(payload)}


SETTINGS_CHANGED = table("rolls.settings_changed", schema=payloads.SettingsChanged, describe=_described_settings)

# Fairness


fairness = partial(table, always_exported=True, beside=True)

EPOCH_COMMITTED = fairness("rolls.epoch_committed", schema=payloads.EpochCommitted)
EPOCH_REVEALED = fairness("rolls.epoch_revealed", schema=payloads.EpochRevealed)
BLIND_REVEALED = fairness("rolls.blind_revealed", schema=payloads.BlindRevealed)
WITNESS_ASKED = fairness("rolls.witness_asked", schema=payloads.WitnessAsked)
WITNESS_GIVEN = fairness("rolls.witness_given", schema=payloads.WitnessGiven)
