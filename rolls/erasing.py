"""Where rolls hold what somebody typed (campaigns/services/erasing.py)."""

from __future__ import annotations

from campaigns.models import Membership
from campaigns.services.erasing import MARK, Rows, Words
from rolls.models import Roll

WORDS = {
    **dict.fromkeys(["rolls.roll_made", "rolls.roll_corrected", "rolls.roll_revealed"], Words(("note",), whose="who")),
    **dict.fromkeys(["rolls.roll_voided", "rolls.burn_undone"], Words(("reason",))),
}


def _forget_notes(member: Membership) -> None:
    for roll in Roll.objects.filter(by=member).exclude(ask__note=""):
        roll.ask |= {"note": MARK}
        roll.save(update_fields=["ask"])


ROWS: list[Rows] = [_forget_notes]
