"""What is written for a cause is undone with it: as it was before, and nothing that was written otherwise since."""

from __future__ import annotations

import random
from uuid import uuid4

import pytest

from campaigns.errors import Conflict
from campaigns.models import Event, Written
from campaigns.services.undo import caused, undo
from characters.models import Character, SheetRow
from characters.reasons import TAKEN_BACK
from characters.services.fields import set_field
from characters.services.sheet_writes import get_character, take_steps
from characters.sheets.steps import Add, Put, Shift, Take
from tests.characters.operations import inside, put
from tests.stored import reread


def do(cast, character, *choices):
    """Take steps for a cause, which is returned. What is chosen by a function is chosen once the step before is taken."""
    cause = uuid4()

    def written(work):
        current = get_character(work, character)
        with caused(work, cause):
            for step in choices:
                take_steps(work, current, [step(current) if callable(step) else step], why="")

    inside(cast.gm.member, written)
    character.refresh_from_db()
    return cause


def undone(cast, cause):
    inside(cast.gm.member, lambda work: undo(work, cause, TAKEN_BACK))


def stands(character):
    """Return what the sheet says: a field that nobody has written in says the same as its default."""
    sheet = Character.objects.with_rows().get(pk=character.pk)
    rows = SheetRow.objects.filter(character=character).order_by("group", "position")
    return {name: sheet.value(name) for name in sheet.rules.fields}, list(
        rows.values("group", "uid", "position", "values")
    )


def test_it_is_undone_once_and_the_journal_keeps_nothing_of_it(cast, silas):
    cause = do(cast, silas, Shift("bashing", 2))
    for _ in range(2):
        undone(cast, cause)
    assert reread(silas).value("bashing") == 0 and not Written.objects.exists()


def test_what_adds_up_is_undone_by_what_was_added_as_far_as_there_is_room(cast, silas):
    cause = do(cast, silas, Shift("willpower_now", -2))
    put(cast.player.member, silas, "willpower_now", 2, 1)
    undone(cast, cause)
    assert reread(silas).value("willpower_now") == 3


def test_who_wrote_there_since_is_named_and_nothing_is_undone(cast, silas):
    cause = do(cast, silas, Put("nature", "A hero"), Shift("bashing", 2))
    put(cast.player.member, silas, "nature", "A coward", "A hero")
    told = Event.objects.count()
    with pytest.raises(Conflict, match="Mo has changed Nature since"):
        undone(cast, cause)
    assert (reread(silas).value("bashing"), Event.objects.count()) == (2, told)


def test_who_wrote_in_a_row_that_was_added_is_named(cast, silas):
    cause = do(cast, silas, Add("powers", {"name": "Second sight", "rating": 1}))
    address = f"powers/{silas.sheet['powers'][0]['id']}/rating"
    set_field(cast.player.member, silas, address, 3, expected=1, key=uuid4())
    with pytest.raises(Conflict, match="Mo has changed “Second sight” since"):
        undone(cast, cause)


def by_chance(character):
    """Return any step that the sheet can take now."""
    rows = [row["id"] for row in character.sheet.get("powers", [])]
    kind = random.choice((Put, Shift, Add, Take, None))
    if kind is Add or not rows:
        return Add("powers", {"name": random.choice(("Sight", "Sleep")), "rating": random.randint(0, 5)})
    if kind is Take:
        return Take("powers", random.choice(rows))
    if kind is Put:
        values = {
            "willpower": random.randint(1, 10),
            "nature": random.choice(("", "A hero")),
            "wits": random.randint(1, 5),
        }
        return Put(*random.choice([*values.items(), (f"powers/{random.choice(rows)}/rating", random.randint(0, 5))]))
    return Shift(random.choice(("willpower_now", "bashing", "willpower", "xp")), random.randint(-9, 9))


def test_whatever_was_written_undoing_it_puts_every_table_back(cast, silas):
    for _ in range(15):
        before = stands(silas)
        causes = [do(cast, silas, *[by_chance] * random.randint(1, 6)) for _ in range(random.randint(1, 3))]
        for cause in reversed(causes):
            undone(cast, cause)
        assert stands(silas) == before and not Written.objects.exists()
        do(cast, silas, *[by_chance] * 5)
        Written.objects.all().delete()
