"""Everything that is written on sheets, and what is earned, bought, given back and claimed, once."""

from __future__ import annotations

from uuid import uuid4

from campaigns.models import Membership
from characters.models import Character, Claim, LedgerEntry
from characters.services import cards, fields
from characters.services.ledger import award_xp, buy_advance, confirm_claim, make_claim, refund_advance
from tests.canaries import canary


def write_on_sheets(gm: Membership, mo: Membership, silas: Character, hidden: Character) -> Character:
    """Silas as he is afterwards."""
    key = uuid4()
    silas = fields.add_row(mo, silas, "backgrounds", {"name": "Allies", "rating": 2}, key=key)
    silas = fields.add_row(mo, silas, "powers", {"name": "Shadows"}, key=uuid4())
    seen = fields.row_version(silas, "backgrounds", key.hex)
    fields.remove_row(mo, silas, "backgrounds", key.hex, expected=seen, key=uuid4())
    fields.undo_change(mo, silas, key=uuid4())
    notes = {"notes": (mo, canary("mo", "notes")), "gm_notes": (gm, canary("gm", "sheet"))}
    for field, (by, words) in notes.items():
        silas = fields.set_field(by, silas, field, words, expected="", key=uuid4())
    silas = fields.set_field(mo, silas, "journal", "I saw the *smoke*.", expected="", key=uuid4())
    fields.set_field(gm, hidden, "description", canary("gm", "npc"), expected="", key=uuid4())
    cards.lock_sheet(gm, silas, key=uuid4())
    return cards.unlock_sheet(gm, silas, key=uuid4())


def come_on(gm: Membership, mo: Membership, silas: Character, hidden: Character) -> tuple[LedgerEntry, Claim]:
    """Give XP. Return a refundable purchase of Silas's, and another character's open claim."""
    award_xp(gm, [silas], 9, reason=canary("mo", "award"), key=uuid4())
    award_xp(gm, [hidden], 1, reason=canary("gm", "award"), key=uuid4())
    wanted = {"what": canary("mo", "bought"), "cost": "2"}
    regretted = buy_advance(mo, silas, "other", wanted, key=uuid4())
    refund_advance(gm, silas, regretted.pk, key=uuid4())
    kept = buy_advance(mo, silas, "other", wanted, key=uuid4())
    card = cards.Card("Abigail", "", mo)
    abigail = cards.make_character(mo, card, system="descriptors", key=uuid4())
    abigail = fields.add_row(mo, abigail, "keys", {"name": canary("mo", "key")}, key=uuid4())
    level = f"{abigail.sheet['keys'][0]['id']}/challenged"
    came_up = make_claim(mo, abigail, "key", {"level": level}, key=uuid4())
    confirm_claim(gm, came_up.pk, key=uuid4())
    level = level.replace("challenged", "progresses")
    return kept, make_claim(mo, abigail, "key", {"level": level}, key=uuid4())
