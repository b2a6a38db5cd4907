"""Burns whose player has gone, or is another by now."""

from __future__ import annotations

from campaigns.services.log import UnitOfWork
from rulesets.scale.events import BURN_SEEN
from rulesets.scale.queries.payloads import burn_payload
from rulesets.scale.queries.state import unsettled_in


def tell_anew(work: UnitOfWork) -> None:
    """Whose the Burns are that wait: open pages go by who was there when each was told last."""
    burns = unsettled_in(work.campaign)
    if burns:
        about = [burn.character.about for burn in burns]
        work.record(BURN_SEEN, {"burns": [burn_payload(burn) for burn in burns]}, about=about, discriminator="players")
