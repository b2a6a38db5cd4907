import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotPossible, RuleError
from scale.rules.scale import (
    Activated,
    Answer,
    Answered,
    BurnKind,
    Chosen,
    Effect,
    Fold,
    Rolled,
    Side,
    Spent,
    State,
    fold,
)

GRACE, TROUBLE = BurnKind.GRACE, BurnKind.TROUBLE


@st.composite
def logs(draw):
    """Return a possible log: at every point one of the events that could happen there."""
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
        log.append(draw(st.sampled_from(possible)))
        so_far = fold(log[-1:], so_far)
    return log


@given(logs(), st.data())
def test_splitting_a_log_anywhere_gives_the_same_end(log, data):
    split = data.draw(st.integers(0, len(log)))
    assert fold(log[split:], fold(log[:split])) == fold(log)


@given(logs())
def test_there_is_a_moment_for_every_fact(log):
    folded = fold(log)
    assert [moment.fact for moment in folded.moments] == log
    assert all(-7 <= moment.state.scale <= 7 for moment in folded.moments)
    if log:
        assert folded.moments[-1].state == folded.state_of(log[-1].who)


def test_a_session_folds_to_its_end():
    log = [
        Rolled(ref="1", delta=3),
        Answered(ref="2", choice=Answer.BANK),
        Rolled(ref="3", delta=4),
        Spent(ref="4"),
        Chosen(ref="5", kind=GRACE, effect=Effect.DIE),
    ]
    assert [moment.state.scale for moment in fold(log).moments] == [3, 3, 7, 0, 0]
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
