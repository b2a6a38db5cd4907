"""Moves, which rolls up to 0.2.1 could be, are told as they were kept."""

from __future__ import annotations

from campaigns.kinds import TextCategory
from campaigns.services.erasing import Texts
from campaigns.text import ERASED
from rolls.erasing import EARLIER_MOVE, erase_rows
from rolls.events import described
from rolls.models import Roll


def test_a_move_that_was_written_on_a_sheet_says_what_it_said_then(checks):
    told = checks.roll(1, skill="tamper").event.payload | {"move": {"id": "moves/4f", "name": "Nod", "says": "A wink."}}
    words = described(told)
    assert words["move"]["says"] == "A wink." and words["words"].startswith("Nod: ")


def test_a_move_of_the_game_is_called_by_its_code(checks):
    told = checks.roll(1, skill="tamper").event.payload | {"move": {"id": "pick_a_lock"}}
    assert described(told)["words"].startswith("Pick a lock: ")


def test_what_a_row_said_is_erased_from_the_rolls_that_keep_it(checks):
    roll = checks.roll(1, skill="tamper")
    move = {"id": "moves/4f2a", "name": "Whistle", "results": {"success": "A xylophone plays."}}
    roll.ask[EARLIER_MOVE] = move
    roll.save()
    texts = Texts()
    texts.add(TextCategory.SHEET, "A xylophone plays.")
    erase_rows(sender=None, member=checks.gm, texts=texts)
    assert Roll.objects.get(pk=roll.pk).ask[EARLIER_MOVE] == move | {"results": {"success": ERASED}}
