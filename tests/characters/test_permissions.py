"""Who does nothing to a character: other players, those who do not know it, a GM who looks through the eyes of others; a locked
sheet and its player."""

from uuid import uuid4

import pytest

from campaigns.models import Event
from characters.services.cards import lock_sheet
from tests.characters.operations import picture, send
from tests.doors import look

WRITES = {
    "character_field": {"field": "wits", "value": "2", "expected": "1"},
    "row_add": {"rows": "backgrounds", "column-name": "Allies"},
    "row_remove": {"rows": "backgrounds", "row": uuid4().hex, "column-name": "Allies"},
    "character_marks": {"more": "lethal"},
    "character_mark": {"mark": "complete"},
}
"""What writes on a sheet, with what it asks for."""
OPERATIONS = WRITES | {
    "character_undo": {},
    "character_card": {"name": "X", "known": "card", "expected": "1"},
    "character_retire": {},
    "character_return": {},
    "character_die": {},
    "character_copy": {"name": "Twin"},
    "character_delete": {"name": "Silas Grey"},
    "character_portrait": {},
    "advance_buy": {"offer": "other", "what": "x", "cost": "1"},
    "claim_make": {"kind": "key"},
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_nobody_does_anything_to_the_characters_of_others(cast, silas, npc, hidden, operation):
    before = Event.objects.count()
    refused = [
        (cast.other_player, silas, 403),
        (cast.player, npc, 403),
        (cast.player, hidden, 404),
        (cast.gm, silas, 403),  # who looks as a player
    ]
    look(cast, cast.player.member.pk)
    for person, character, status in refused:
        given = OPERATIONS[operation] | ({"picture": picture()} if operation == "character_portrait" else {})
        assert send(person, operation, cast, character.pk, **given).status_code == status, (person.user, character)
    assert Event.objects.count() == before


@pytest.mark.parametrize("operation", WRITES)
def test_a_player_does_not_write_on_a_locked_sheet(cast, silas, operation):
    lock_sheet(cast.gm.member, silas, key=uuid4())
    assert send(cast.player, operation, cast, silas.pk, **WRITES[operation]).status_code == 403
