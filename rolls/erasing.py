"""Where rows of rolls hold what somebody typed (campaigns/services/erasing.py)."""

from __future__ import annotations

from campaigns.models import Membership
from campaigns.services.erasing import MARK, Texts, put
from rolls.models import Procedure, Roll, RollRequest, SavedRoll
from rolls.registry import RULESETS


def erase_rows(member: Membership, texts: Texts) -> None:
    SavedRoll.objects.filter(by=member).delete()
    typed = {"note", *(name for one in RULESETS.values() for name in one.table.typed)}
    for roll in Roll.objects.filter(by=member).iterator():
        put(roll, ask=roll.ask | {name: MARK for name in typed if roll.ask.get(name)})
    for asking in (RollRequest, Procedure):
        for one in asking.objects.filter(campaign=member.campaign_id).exclude(reason=""):
            put(one, reason=texts.without(one.reason))
