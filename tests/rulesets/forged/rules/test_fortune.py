import pytest

from rules.errors import NotPossible
from rulesets.forged.rules.fortune import PERFORMANCES, Side
from rulesets.forged.rules.roll import Result


def test_every_result_has_words_of_its_own():
    assert set(PERFORMANCES) == set(Result)
    assert len({words.quality for words in PERFORMANCES.values()}) == 4
    assert [PERFORMANCES[result].effect for result in Result] == [
        "little effect",
        "limited effect",
        "standard effect",
        "great effect",
    ]


def test_whose_fortune_is_rolled_has_a_name_of_80_letters_at_most():
    side = {"trait": 1, "advantages": 0, "disadvantages": 0}
    assert Side(name="x" * 80, **side)
    with pytest.raises(NotPossible):
        Side(name="x" * 81, **side)
