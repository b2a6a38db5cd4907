import pytest
from django.utils import translation

from rules.errors import NotPossible, OutOfRange, RuleError, UnknownWord, whole, word, yes_or_no
from rulesets.forged import rules as forged_roll
from rulesets.forged.rules import action as forged_harm
from rulesets.storyteller.rules import roll as storyteller
from rulesets.storyteller.rules import roll as storyteller_pool
from rulesets.storyteller.rules.roll import Kind
from scale.rules import scale
from tests.answers import refusal

HUGE = pytest.param(10**5000, id="too long for str")


def test_a_refusal_names_the_field_the_value_and_what_is_allowed():
    refused = refusal(OutOfRange, whole, "difficulty", 11, 2, 10)
    assert (refused.field, refused.value, refused.allowed) == ("difficulty", 11, "2 to 10")
    assert refused.message == "Difficulty must be a whole number from 2 to 10, not 11."


def test_a_form_names_the_field_by_its_own_label_in_the_language_of_whoever_reads():
    with translation.override("de"), pytest.raises(RuleError) as refused:
        whole("som", 11, 1, 10)
    assert refused.value.message == "Gemütszustand muss eine ganze Zahl von 1 bis 10 sein, nicht 11."
    with translation.override("de"):
        said = refused.value.said_of("Wie ruhig")
    assert said == "Wie ruhig muss eine ganze Zahl von 1 bis 10 sein, nicht 11."
    assert NotPossible("x", 1, allowed="", message="Not now.").said_of("Offer") == "Not now."


@pytest.mark.parametrize("value", [True, False, None, "6", 6.0, float("nan"), float("inf"), HUGE, -1, [6], b"6"])
def test_only_a_whole_number_in_its_range_is_a_number(value):
    with pytest.raises(OutOfRange):
        whole("difficulty", value, 2, 10)


@pytest.mark.parametrize("value", [HUGE, pytest.param("7" * 10_000_000, id="long text"), [0] * 1000])
def test_a_message_stays_short_whatever_was_given(value):
    assert len(str(refusal(OutOfRange, whole, "pool", value, 1, 100))) < 120


@pytest.mark.parametrize("value", [1, 0, "yes", None])
def test_yes_is_neither_1_nor_a_word(value):
    with pytest.raises(UnknownWord):
        yes_or_no("willpower", value)


def test_a_word_is_read_as_the_member_it_names():
    assert word("kind", "soak", Kind) is Kind.SOAK


@pytest.mark.parametrize("value", ["Soak", "", None, 3, ["soak"]])
def test_an_unknown_word_is_refused_with_those_that_would_do(value):
    assert refusal(UnknownWord, word, "kind", value, Kind).allowed.startswith("action, soak")


def test_every_refusal_is_of_one_family():
    assert issubclass(OutOfRange, RuleError)
    assert issubclass(UnknownWord, RuleError)
    assert issubclass(NotPossible, RuleError)


@pytest.mark.parametrize(
    ("call", "field", "value"),
    [
        (lambda: storyteller_pool.Pool(dots=0, modifier=3), "pool", 0),
        (
            lambda: storyteller.succeed_automatically(
                storyteller.Ask(pool=storyteller_pool.typed_pool(9), willpower=True)
            ),
            "willpower",
            True,
        ),
        (lambda: scale.use_activation(scale.State()), "free_activations", 0),
        (lambda: forged_roll.action_pool(rating=1, push=True, bargain=True), "bargain", True),
        (lambda: forged_roll.action_pool(rating=1, gambit=True), "gambit", True),
        (lambda: forged_harm.heal({}, 0, 1), "harm", 0),
    ],
)
def test_what_is_not_possible_is_told_with_what_was_given(call, field, value):
    refused = refusal(NotPossible, call)
    assert (refused.field, refused.value) == (field, value)
