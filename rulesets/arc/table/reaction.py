"""A Reaction check: a die against the state of mind decides whether a character acts as usual (arc.txt, V.8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaigns.errors import Invalid
from campaigns.kinds import Payload
from rolls.models import Roll
from rolls.settings import RollSettings
from rolls.table_rules import Again, Odds, OddsContext, Outcome, PreparedRoll, Requested, RollContext, Terms
from rules.dice import D10, Faces, draw
from rules.errors import RuleError
from rulesets.arc.odds import reaction
from rulesets.arc.rules.turn import Reaction
from rulesets.arc.table.ask import ArcInput, Kind, keep_out, som_of
from rulesets.arc.table.roll import SUCCESS, ArcRoll, headline, result, success_bar


def _called() -> str:
    return pgettext("a check of VI-VIII-X", "Reaction")


class ReactionRoll(ArcRoll):
    kind = Kind.REACTION

    def prepare(self, context: RollContext, ask: ArcInput) -> PreparedRoll:
        ask = self.bound(context, ask)
        self.check_able(context)
        terms = {"kind": self.kind.value, "som": som_of(context.character, ask), "secret": _is_secret(context)}
        return PreparedRoll(kind=self.kind.value, terms=terms, count=1, die=D10)

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        read = Reaction(terms["som"], *draw(1, D10, faces))
        die = {"face": read.face, "sides": D10.sides, "role": result(read.success)}
        return Outcome(faces=(read.face,), outcome={"result": result(read.success), "dice": [die]})

    def card(self, roll: Roll) -> dict[str, Any]:
        payload = {"dice": roll.outcome["dice"], "paired": False}
        return payload if _was_secret(roll) else payload | {"som": roll.ask["som"]}

    def card_for_gm(self, roll: Roll) -> dict[str, Any]:
        return {"som": roll.ask["som"]} if _was_secret(roll) else {}

    def describe(self, payload: Payload) -> Payload:
        success = payload["outcome"] == SUCCESS
        compared = _compared(payload.get("som"), success=success)
        return {
            "words": _called(),
            "kind_words": _("reaction"),
            "headline": headline(payload["outcome"]),
            "detail": _("acts as usual") if success else _("loses the turn"),
            "dice": [{**die, "why": compared} for die in payload["dice"]],
        }

    def trait_names(self, terms: Mapping[str, Any]) -> list[str]:
        return [_called()]

    def again(self, roll: Roll) -> Again | None:
        return Again(words=_called(), fields={"kind": self.kind.value})

    def request(self, context: OddsContext, ask: ArcInput) -> Requested:
        if not context.is_gm:
            keep_out(context.character)
        return Requested(terms={"kind": self.kind.value})

    def request_words(self, terms: Terms) -> str:
        return _called()

    def whole(self, terms: Terms) -> bool:
        return True

    def preview(self, context: OddsContext, ask: ArcInput) -> Odds | None:
        """Return the chance of acting as usual; None while there is no SOM."""
        try:
            return success_bar(reaction(som_of(context.character, ask)))
        except (Invalid, RuleError):
            return None


def _compared(som: int | None, *, success: bool) -> str:
    """Return words comparing the die with the state of mind. For NPCs only GMs get it; for others it is None."""
    if not som:
        return _("not above the state of mind") if success else _("above the state of mind")
    words = _("not above the state of mind of {score}") if success else _("above the state of mind of {score}")
    return words.format(score=som)


def _is_secret(context: RollContext) -> bool:
    """Return whether players may not know the SOM: that of an NPC whose sheet they cannot read, or of a nameless one."""
    character = context.character
    if character is not None:
        return character.is_npc and not character.opened
    by_a_procedure = context.request is not None and context.request.procedure_id is not None
    return by_a_procedure or context.work.by.is_gm


def _was_secret(roll: Roll) -> bool:
    """Return whether the SOM of a roll is a secret. For older rolls, which do not say, an NPC's is."""
    character = roll.character
    return bool(roll.ask.get("secret", character is None or (character.is_npc and not character.opened)))
