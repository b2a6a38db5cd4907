"""Every change of a character: its card, its sheet, its state in play, and what it says."""

from characters.services.cards import (
    Card,
    card_of,
    card_version,
    change_character,
    copy_character,
    hand_over,
    make_character,
)
from characters.services.fields import add_row, mark_resources, remove_row, row_version, set_field
from characters.services.lifecycle import (
    delete_character,
    kill_character,
    lock_sheet,
    mark_complete,
    retire_character,
    return_character,
    say_as,
    unlock_sheet,
)
from characters.services.portraits import remove_portrait, set_portrait
from characters.services.steps import shift_disposition
from characters.services.undo import undo_change

__all__ = [
    "Card",
    "add_row",
    "card_of",
    "card_version",
    "change_character",
    "copy_character",
    "delete_character",
    "hand_over",
    "kill_character",
    "lock_sheet",
    "make_character",
    "mark_complete",
    "mark_resources",
    "remove_portrait",
    "remove_row",
    "retire_character",
    "return_character",
    "row_version",
    "say_as",
    "set_field",
    "set_portrait",
    "shift_disposition",
    "undo_change",
    "unlock_sheet",
]
