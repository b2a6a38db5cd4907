from rulesets.forged.rules import PERFORMANCES, Result


def test_every_result_has_words_of_its_own():
    assert set(PERFORMANCES) == set(Result)
    assert len({words.quality for words in PERFORMANCES.values()}) == 4
    assert [PERFORMANCES[result].effect for result in Result] == [
        "little effect",
        "limited effect",
        "standard effect",
        "great effect",
    ]
