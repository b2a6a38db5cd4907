import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotPossible, OutOfRange, UnknownWord
from rules.tally import ReadDie
from rulesets.storyteller.rules.roll import Kind
from rulesets.storyteller.table.roll import StorytellerCountable
from scale.rules.scale import (
    COMPLICATIONS,
    Answer,
    Burn,
    BurnKind,
    Effect,
    Reached,
    Settings,
    Side,
    State,
    answer,
    effect,
    feeds,
    spend,
    step,
    use_activation,
)
from tests.rules.cast import difficulties, face_lists, read, read_faces, roll

GRACE, TROUBLE = BurnKind.GRACE, BurnKind.TROUBLE
settings = st.builds(Settings, staying_is_reaching=st.booleans(), major_clears_bank=st.booleans())


@st.composite
def states(draw):
    pending = draw(st.sampled_from([None, GRACE, TROUBLE]))
    banked = None if pending else draw(st.sampled_from([None, GRACE, TROUBLE]))
    return State(draw(st.integers(-7, 7)), pending, banked, draw(st.integers(-3, 3)), draw(st.integers(0, 3)))


def test_coming_to_3_is_offered_and_resets_nothing():
    moved = step(State(scale=1), 2)
    assert (moved.event, moved.after, moved.fires) == (Reached.OFFER, State(scale=3, pending=GRACE), ())


def test_passing_3_is_reaching_it():
    assert step(State(scale=-2), -4).after == State(scale=-6, pending=TROUBLE)


@pytest.mark.parametrize("delta", [-1, 1, 3])
def test_staying_beyond_3_reaches_nothing_new(delta):
    assert step(State(scale=4, banked=GRACE), delta).event is None


def test_a_campaign_may_let_every_roll_beyond_3_reach_a_burn():
    assert step(State(scale=4, banked=GRACE), 1, Settings(staying_is_reaching=True)).event is Reached.BOTH


def test_a_burn_reached_with_one_in_the_bank_fires_both_the_banked_first():
    moved = step(State(scale=-1, banked=GRACE), -2)
    assert (moved.event, moved.fires, moved.after) == (Reached.BOTH, (Burn(GRACE), Burn(TROUBLE)), State())


def test_an_unanswered_offer_is_banked_by_the_next_roll():
    moved = step(State(scale=3, pending=GRACE), -1)
    assert moved.after == State(scale=2, banked=GRACE)


def test_a_major_burn_swallows_the_rest_and_leaves_the_bank():
    moved = step(State(scale=-6, banked=GRACE), -5)
    assert (moved.event, moved.fires) == (Reached.MAJOR, (Burn(TROUBLE, major=True),))
    assert moved.after == State(banked=GRACE)


def test_a_campaign_may_let_a_major_burn_take_the_bank_with_it():
    assert step(State(scale=-6, banked=GRACE), -5, Settings(major_clears_bank=True)).after == State()


def test_a_roll_uses_up_burn_dice_and_keeps_free_activations():
    assert step(State(die_modifier=-2, free_activations=1), 1).after == State(scale=1, free_activations=1)


@given(states(), st.integers(-100, 100), settings)
def test_the_scale_stays_between_minus_7_and_7(state, delta, settings):
    moved = step(state, delta, settings)
    assert -7 <= moved.after.scale <= 7
    assert (moved.event is Reached.MAJOR) == (abs(state.scale + delta) >= 8)
    assert moved.after.die_modifier == 0


@given(states(), st.integers(-100, 100), settings)
def test_grace_and_trouble_are_mirror_images(state, delta, settings):
    moved, mirrored = step(state, delta, settings), step(_mirror(state), -delta, settings)
    assert mirrored.after == _mirror(moved.after)
    assert mirrored.event is moved.event
    assert mirrored.fires == tuple(Burn(_other(burn.kind), burn.major) for burn in moved.fires)


def _other(kind):
    return kind and {GRACE: TROUBLE, TROUBLE: GRACE}[kind]


def _mirror(state):
    return State(-state.scale, _other(state.pending), _other(state.banked), 0, state.free_activations)


def test_taking_an_offer_burns_and_resets():
    moved = answer(State(scale=5, pending=GRACE), Answer.ACCEPT)
    assert (moved.after, moved.fires) == (State(), (Burn(GRACE),))


def test_banking_an_offer_leaves_the_scale_where_it_is():
    moved = answer(State(scale=5, pending=GRACE), Answer.BANK)
    assert (moved.after, moved.fires) == (State(scale=5, banked=GRACE), ())


def test_no_offer_cannot_be_answered():
    with pytest.raises(NotPossible):
        answer(State(scale=5, banked=GRACE), Answer.ACCEPT)


def test_declining_is_no_answer():
    with pytest.raises(UnknownWord):
        answer(State(scale=5, pending=GRACE), "decline")


def test_spending_is_burning():
    moved = spend(State(scale=6, banked=TROUBLE), by=Side.GM)
    assert (moved.after, moved.fires) == (State(), (Burn(TROUBLE),))


def test_spending_the_bank_leaves_burn_dice_and_activations_alone():
    assert spend(State(6, None, GRACE, 1, 2)).after == State(0, None, None, 1, 2)


def test_an_empty_bank_has_nothing_to_spend():
    with pytest.raises(NotPossible):
        spend(State(scale=6, pending=GRACE))


def test_banked_grace_is_the_players_alone():
    with pytest.raises(NotPossible, match="Only the player"):
        spend(State(banked=GRACE), by=Side.GM)


def test_banked_trouble_may_be_called_in_by_both_unless_the_campaign_says_otherwise():
    assert spend(State(banked=TROUBLE), by=Side.PLAYER).fires == (Burn(TROUBLE),)
    with pytest.raises(NotPossible, match="Only the GM"):
        spend(State(banked=TROUBLE), by=Side.PLAYER, settings=Settings(players_call_in_trouble=False))


@pytest.mark.parametrize(("kind", "by"), [(GRACE, Side.GM), (TROUBLE, Side.PLAYER)])
@pytest.mark.parametrize("chosen", Effect)
def test_nobody_chooses_for_the_other_side(kind, by, chosen):
    with pytest.raises(NotPossible):
        effect(State(), kind, chosen, by)


def test_burn_dice_add_up_and_cancel():
    state = effect(State(), GRACE, Effect.DIE, Side.PLAYER)
    state = effect(state, GRACE, Effect.DIE, Side.PLAYER)
    assert state.die_modifier == 2
    assert effect(state, TROUBLE, Effect.DIE, Side.GM).die_modifier == 1


def test_grace_frees_a_discipline_and_trouble_leaves_no_number():
    state = effect(State(), GRACE, Effect.DISCIPLINE, Side.PLAYER)
    assert state.free_activations == 1
    assert effect(state, TROUBLE, Effect.DISCIPLINE, Side.GM) == state


@pytest.mark.parametrize("chosen", COMPLICATIONS)
def test_only_trouble_complicates_a_discipline(chosen):
    assert effect(State(die_modifier=2), TROUBLE, chosen, Side.GM) == State(die_modifier=2)
    with pytest.raises(UnknownWord):
        effect(State(), GRACE, chosen, Side.PLAYER)


@pytest.mark.parametrize(("kind", "by"), [(GRACE, Side.PLAYER), (TROUBLE, Side.GM)])
def test_a_disposition_leaves_no_number_on_the_scale(kind, by):
    assert effect(State(scale=2), kind, Effect.DISPOSITION, by) == State(scale=2)


def test_an_unknown_effect_is_refused():
    with pytest.raises(UnknownWord):
        effect(State(), GRACE, "luck", Side.PLAYER)


def test_a_free_activation_is_used_once():
    assert use_activation(State(free_activations=1)) == State()
    with pytest.raises(NotPossible):
        use_activation(State())


@pytest.mark.parametrize("field", ["pending", "banked"])
def test_a_burn_is_grace_or_trouble(field):
    with pytest.raises(UnknownWord):
        State(**{field: "luck"})


def test_no_offer_is_open_while_a_burn_is_banked():
    with pytest.raises(NotPossible):
        State(scale=3, pending=GRACE, banked=TROUBLE)


def test_the_printed_example_gives_0_by_the_rule():
    assert read_faces([10, 7, 4, 2, 1], 6).delta == 0


def test_the_example_with_two_real_1s_gives_its_printed_plus_1():
    assert [read_faces([10, 7, 4, 1, 1], difficulty).delta for difficulty in (6, 7, 8)] == [1, 1, 0]


def test_each_die_says_what_it_gives():
    assert read_faces([7, 1, 1, 3, 2], 6).dice == (
        ReadDie(7, 0, False),
        ReadDie(1, 0, True),
        ReadDie(1, -1, False),
        ReadDie(3, -1, False),
        ReadDie(2, -1, False),
    )


def test_a_campaign_may_count_cancelled_1s_too():
    assert read_faces([10, 7, 4, 1, 1], 6, Settings(cancelled_ones_count=True)).delta == -1


def test_1s_taken_out_of_a_botch_still_count():
    assert read(roll(1, 1, 5, ability=6)).delta == -2


def test_a_willpower_success_is_no_die():
    assert read(roll(1, 5, willpower=True)).delta == -1


@given(face_lists, difficulties, st.booleans())
def test_every_die_is_counted_once(faces, difficulty, count_all):
    seen = read_faces(faces, difficulty, Settings(cancelled_ones_count=count_all))
    assert seen.plus + seen.minus + seen.skipped_ones <= len(faces)
    assert seen.delta == seen.plus - seen.minus
    assert seen.plus == sum(face >= 8 for face in faces)


@given(face_lists, difficulties, st.randoms())
def test_the_order_of_the_dice_does_not_move_the_scale(faces, difficulty, random):
    assert read_faces(faces, difficulty).delta == read_faces(random.sample(faces, len(faces)), difficulty).delta


@given(face_lists, difficulties)
def test_skipping_1s_only_ever_lifts_the_scale(faces, difficulty):
    counted = read_faces(faces, difficulty, Settings(cancelled_ones_count=True))
    skipped = read_faces(faces, difficulty)
    assert skipped.delta - counted.delta == skipped.skipped_ones >= 0


@pytest.mark.parametrize(
    ("faces", "difficulty"), [([], 6), ([0], 6), ([11], 6), ([5], 1), ([5], 11), ([True], 6), ("5", 6), ([5] * 101, 6)]
)
def test_what_is_no_roll_is_not_read(faces, difficulty):
    with pytest.raises(OutOfRange):
        read_faces(faces, difficulty)


@pytest.mark.parametrize("kind", Kind)
def test_only_action_rolls_of_player_characters_feed_the_scale(kind):
    is_action = not StorytellerCountable().no_action(kind)
    assert feeds(is_action, is_npc=False) == (kind is Kind.ACTION)
    assert not feeds(is_action, is_npc=True)
    assert feeds(is_action, is_npc=True, settings=Settings(npcs_feed=True)) == (kind is Kind.ACTION)
