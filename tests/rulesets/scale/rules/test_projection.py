import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible, RuleError
from rulesets.scale.rules.fold import Activated, Answered, Chosen, Fold, Rolled, Spent, Voided, fold
from rulesets.scale.rules.scale import Answer, BurnKind, Effect, Side, State

GRACE, TROUBLE = BurnKind.GRACE, BurnKind.TROUBLE


@st.composite
def logs(draw):
    """A log that could have happened: at every point one of the payload that are possible there."""
    log, so_far = [], Fold()
    for number in range(draw(st.integers(0, 25))):
        ref, who = str(number), draw(st.sampled_from(["mo", "iva"]))
        state = so_far.state_of(who)
        possible = [Rolled(ref=ref, who=who, delta=draw(st.integers(-9, 9)))] * 3
        if state.pending:
            possible += [Answered(ref=ref, who=who, choice=choice) for choice in Answer]
        if state.banked:
            possible.append(Spent(ref=ref, who=who))
        possible += [
            Chosen(ref=ref, who=who, kind=kind, effect=chosen)
            for kind in BurnKind
            for chosen in (Effect.DIE, Effect.DISCIPLINE)
        ]
        if state.free_activations:
            possible.append(Activated(ref=ref, who=who))
        if so_far.moments:
            possible.append(Voided(ref=ref, who=who, of=so_far.moments[-1].fact.ref))
        log.append(draw(st.sampled_from(possible)))
        so_far = fold(log[-1:], so_far)
    return log


@given(logs(), st.data())
def test_splitting_a_log_anywhere_gives_the_same_end(log, data):
    split = data.draw(st.integers(0, len(log)))
    assert fold(log[split:], fold(log[:split])) == fold(log)


@given(logs())
def test_there_is_a_state_after_every_fact(log):
    folded = fold(log)
    assert len(folded.states) == len(log)
    assert all(-7 <= state.scale <= 7 for state in folded.states)
    if log:
        assert folded.states[-1] == folded.state_of(log[-1].who)


@given(logs(), st.integers(-9, 9))
def test_a_void_takes_a_roll_back_as_if_it_had_never_been(log, delta):
    before = fold(log)
    after = fold([Rolled(ref="roll", who="mo", delta=delta), Voided(ref="void", who="mo", of="roll")], before)
    assert after.moments == before.moments
    assert after.states[-1] == before.state_of("mo")


@given(logs())
def test_voids_backwards_lead_back_to_the_beginning(log):
    folded = fold(log)
    voids = [Voided(ref=f"void {moment.fact.ref}", of=moment.fact.ref) for moment in reversed(folded.moments)]
    assert fold(voids, folded).state_of() == State()


def test_a_session_folds_to_its_end():
    log = [
        Rolled(ref="1", delta=3),
        Answered(ref="2", choice=Answer.BANK),
        Rolled(ref="3", delta=4),
        Spent(ref="4"),
        Chosen(ref="5", kind=GRACE, effect=Effect.DIE),
    ]
    assert [state.scale for state in fold(log).states] == [3, 3, 7, 0, 0]
    assert fold(log).state_of() == State(die_modifier=1)


def test_on_a_shared_scale_burn_dice_belong_to_their_character():
    folded = fold(
        [
            Chosen(ref="1", who="mo", kind=GRACE, effect=Effect.DIE),
            Chosen(ref="2", who="iva", kind=TROUBLE, effect=Effect.DIE),
            Rolled(ref="3", who="iva", delta=2),
        ]
    )
    assert folded.state_of("mo") == State(scale=2, die_modifier=1)
    assert folded.state_of("iva") == State(scale=2)
    assert folded.state_of("tess") == State(scale=2)


def test_a_voided_roll_gives_its_burn_dice_back():
    folded = fold(
        [
            Chosen(ref="1", kind=GRACE, effect=Effect.DIE),
            Rolled(ref="2", delta=-8),
            Voided(ref="3", of="2"),
        ]
    )
    assert folded.state_of() == State(die_modifier=1)


def test_only_the_newest_operation_can_be_taken_back():
    log = [Rolled(ref="1", delta=3), Answered(ref="2", choice=Answer.BANK)]
    with pytest.raises(NotPossible) as refused:
        fold([*log, Voided(ref="3", of="1")])
    assert refused.value.allowed == "2"


def test_an_operation_taken_back_may_be_done_again():
    roll = Rolled(ref="1", delta=3)
    assert fold([roll, Voided(ref="2", of="1"), roll]).moments == fold([roll]).moments


def test_an_empty_log_has_nothing_to_take_back():
    with pytest.raises(NotPossible):
        fold([Voided(ref="1", of="0")])


@pytest.mark.parametrize(
    "second", [Rolled(ref="1", delta=1), Spent(ref="2"), Activated(ref="2"), Answered(ref="2", choice=Answer.BANK)]
)
def test_what_could_not_have_happened_is_refused(second):
    with pytest.raises(RuleError):
        fold([Rolled(ref="1", delta=1), second])


def test_who_spent_is_checked_as_it_was():
    log = [Rolled(ref="1", delta=3), Answered(ref="2", choice=Answer.BANK)]
    with pytest.raises(NotPossible):
        fold([*log, Spent(ref="3", by=Side.GM)])
