"""A contest at the table: two owners fill their pools, see costs, gains and odds, are ready, and all dice fall."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Conflict, Invalid
from characters.services.fields import set_field
from rolls.models import Roll
from rolls.services.procedures import act
from rules.acts import ActKey
from tests.answers import refusal
from tests.canaries import canary
from tests.rolls.steps import mark, pressed
from tests.rolls.usual import statements
from tests.rulesets.descriptors.procedures.contests import (
    WORDS,
    begin,
    card,
    chip,
    put,
    ready,
    row,
    use,
    words,
)

pytestmark = pytest.mark.usefixtures("scene")


def test_two_owners_fill_their_pools_and_all_dice_fall_as_one_roll(fighters, dice):
    table = fighters
    contest = begin(table)
    assert table.said() == "Abigail started a contest against Bob."
    use(table, table.player, contest, "a", chip(table.abigail), chip(table.abigail, 2))
    use(table, table.other, contest, "b", chip(table.bob))
    assert words(table) == [["Swordplay 3D", "Old grudge 2D"], ["Shield wall 2D"]]
    table.do(table.player, contest, "ready", whom="a")
    assert not Roll.objects.exists()
    dice(9, 7, 5, 3, 2, 6, 4)
    table.do(table.other, contest, "ready", whom="b")
    roll = Roll.objects.get()
    assert (roll.character, roll.ask["opponent"], roll.faces) == (
        table.abigail,
        str(table.bob.pk),
        [9, 7, 5, 3, 2, 6, 4],
    )
    assert (table.will(table.abigail), table.will(table.bob)) == (7, 8)
    staged = card(table)["staged"]
    assert staged.title == "Abigail wins"
    assert staged.notes == ["Abigail above, Bob below: 2 successes, target number 6"]
    assert [row.words for row in staged.rows] == [
        "Abigail may make a Scene Descriptor with 2 dice.",
        "Bob crosses off box 2. Bob may take a level 2 Injury instead.",
    ]


def test_the_exact_odds_stand_there_once_both_have_dice(fighters):
    contest = begin(fighters)
    use(fighters, fighters.player, contest, "a", chip(fighters.abigail, 2))
    assert card(fighters)["staged"].odds is None
    use(fighters, fighters.other, contest, "b", chip(fighters.bob))
    assert card(fighters)["staged"].odds["sentence"] == "Bob wins 49 %, stalemate 2 %, Abigail wins 49 %."


def test_two_fill_at_once_but_nobody_is_ready_for_what_they_have_not_seen(fighters):
    table, contest = fighters, begin(fighters)
    seen = mark(contest, "ready:a")
    for by, whom, one in ((table.player, "a", table.abigail), (table.other, "b", table.bob)):
        given = WORDS | {"chips": [chip(one)]}
        act(by, contest.pk, ActKey("use", whom), given=given, key=uuid4())
    with pytest.raises(Conflict, match="changed before you pressed"):
        act(table.player, contest.pk, ActKey("ready", "a", seen), key=uuid4())
    act(table.player, contest.pk, ActKey("ready", "a", mark(contest, "ready:a")), key=uuid4())


def test_of_a_hidden_sheet_and_of_anybodys_will_players_are_told_nothing(fighters):
    table = fighters
    secret = canary("gm", "descriptor")
    put(table.warden, descriptors=[row(1, secret, 3)], will=7)
    contest = begin(table, b=table.warden)
    for who in (table.player, table.other, table.watcher):
        told = str(card(table, who))
        assert secret not in told and "'will': 7" not in told and "'will': 9" not in told
    with pytest.raises(Invalid):
        use(table, table.player, contest, "a", chip(table.warden))


def test_without_will_nobody_is_in_a_contest_unless_the_gm_allows_it(fighters, dice):
    table, contest = fighters, begin(fighters)
    set_field(table.gm, table.now(table.bob), "will", 0, expected=9, key=uuid4())
    with pytest.raises(Blocked, match="no Will left"):
        table.do(table.other, contest, "ready", whom="b")
    refused = refusal(Blocked, table.do, table.gm, contest, "ready", whom="b")
    assert refused.anyway == ("override", pressed(contest, "ready:b")["act"])
    act(table.gm, contest.pk, ActKey("ready", "b"), override=True, key=uuid4())
    assert table.events()[-1].payload["overridden"] is True
    with pytest.raises(Blocked):
        begin(table, by=table.gm, a=table.bob, b=table.warden)
    begin(table, by=table.gm, a=table.bob, b=table.warden, override=True)
    assert table.said() == "Bob started a contest against Warden. The GM let Bob in anyway."


def test_a_step_reads_all_sheets_at_once_however_many_contests_it_redraws(fighters, dice):
    table = fighters
    for _ in range(3):
        contest = begin(table)
        use(table, table.player, contest, "a", chip(table.abigail))
        use(table, table.other, contest, "b", chip(table.bob))
    ready(table, contest, table.player, "a")
    dice(9, 7, 5, 6, 4)
    with statements() as asked:
        ready(table, contest, table.other, "b")
    assert sum('FROM "characters_sheetrow"' in one for one in asked) == 1
