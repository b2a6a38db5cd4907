"""What is settled in steps is drawn by one template, of one value that each kind gives."""

from __future__ import annotations

from rolls.stage import Side, Staged


def test_the_dice_of_two_stand_between_them_once_both_have_a_pool():
    def score(*pools):
        return Staged(sides=[Side(name="", pool=pool) for pool in pools]).score

    assert score(5, 4) == (5, 4)
    assert score(0, 4) == (0, 4)
    assert score(None, 4) is score(5, None) is score(5) is score(1, 2, 3) is None
