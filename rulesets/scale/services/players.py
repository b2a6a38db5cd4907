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
        subjects = [burn.character.subject for burn in burns]
        work.record(
            BURN_SEEN, {"burns": [burn_payload(burn) for burn in burns]}, subjects=subjects, discriminator="players"
        )
