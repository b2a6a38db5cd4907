"""What a GM may ask for in Descriptors: what stands against the player's pool, and whose it is."""

from __future__ import annotations

from campaigns.errors import Invalid
from campaigns.schema import Name, Schema
from rolls.services.roll_context import named
from rolls.table_rules import OddsContext, Requested
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.table.ask import DescriptorsInput, sides_of
from rulesets.descriptors.table.pools import PoolTerms, read_pool


class RequestTerms(Schema):
    against: PoolTerms
    versus: Name | None = None


def request(context: OddsContext, ask: DescriptorsInput) -> Requested:
    """A pool against somebody's, such as the door guard's Shield wall of 4. A Descriptor without dice is read from the sheet of
    who is named.

    Raises Invalid for a pool that cannot be, and for somebody of whom players do not know.
    """
    nobody = DescriptorsInput(pool="1", against=ask.against, versus=ask.versus)
    sides = sides_of(context.campaign, None, nobody, context.settings.of(Settings), is_gm=context.is_gm)
    opponent = sides.opponent
    if opponent is not None and opponent.is_hidden:
        message = f"Players do not know of {opponent.name} yet. Say it in other words, or show {opponent.name} first."
        raise Invalid(message, field="versus")
    against = read_pool("against", sides.b.typed, None, None, context.settings.of(Settings))
    whose = named(versus=opponent.name if opponent else sides.versus)
    return Requested(terms={"against": against.stored} | whose)
