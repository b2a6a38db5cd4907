"""What is settled in steps is drawn by one template, of one value that each kind gives."""

from __future__ import annotations

import pytest
from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from rolls.procedures import Played
from rolls.registry import RULESETS
from rolls.stage import Side, Staged

KINDS = [
    (system, kind, rules.token and not isinstance(rules, Played))
    for system, one in RULESETS.items()
    for kind, rules in one.procedures.items()
]


@pytest.mark.parametrize(("system", "kind", "token"), KINDS)
def test_only_what_lies_on_the_table_has_a_card_of_its_own(system, kind, token):
    if token:
        assert get_template(f"{system}/{kind}.html")
    else:
        with pytest.raises(TemplateDoesNotExist):
            get_template(f"{system}/{kind}.html")


def test_the_dice_of_two_stand_between_them_once_both_have_a_pool():
    def score(*pools):
        return Staged(sides=[Side(name="", pool=pool) for pool in pools]).score

    assert score(5, 4) == (5, 4)
    assert score(0, 4) == (0, 4)
    assert score(None, 4) is score(5, None) is score(5) is score(1, 2, 3) is None
