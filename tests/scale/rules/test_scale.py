import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotPossible, OutOfRange, UnknownWord
from rules.tally import ReadDie
from rulesets.storyteller.rules.roll import Kind
from rulesets.storyteller.table import StorytellerCountable
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


# What stands before a roll, by how much it moves the Scale, under which rules; what it reaches, what stands then, what fires.
STEPS = {
    "coming to 3 is offered and resets nothing": (
        (State(scale=1), 2),
        (Reached.OFFER, State(scale=3, pending=GRACE), ()),
    ),
    "passing 3 is reaching it": ((State(scale=-2), -4), (Reached.OFFER, State(scale=-6, pending=TROUBLE), ())),
    "beyond 3 a step back reaches nothing": ((State(scale=4, banked=GRACE), -1), (None, State(3, None, GRACE), ())),
    "beyond 3 a step on reaches nothing": ((State(scale=4, banked=GRACE), 1), (None, State(5, None, GRACE), ())),
    "beyond 3 three steps on reach nothing": ((State(scale=4, banked=GRACE), 3), (None, State(7, None, GRACE), ())),
    "a campaign may let every roll beyond 3 reach a burn": (
        (State(scale=4, banked=GRACE), 1, Settings(staying_is_reaching=True)),
        (Reached.BOTH, State(), (Burn(GRACE), Burn(GRACE))),
    ),
    "a burn reached with one in the bank fires both, the banked first": (
        (State(scale=-1, banked=GRACE), -2),
        (Reached.BOTH, State(), (Burn(GRACE), Burn(TROUBLE))),
    ),
    "an unanswered offer is banked by the next roll": (
        (State(scale=3, pending=GRACE), -1),
        (None, State(scale=2, banked=GRACE), ()),
    ),
    "a Major Burn swallows the rest and leaves the bank": (
        (State(scale=-6, banked=GRACE), -5),
        (Reached.MAJOR, State(banked=GRACE), (Burn(TROUBLE, major=True),)),
    ),
    "a campaign may let a Major Burn take the bank with it": (
        (State(scale=-6, banked=GRACE), -5, Settings(major_clears_bank=True)),
        (Reached.MAJOR, State(), (Burn(TROUBLE, major=True),)),
    ),
    "a roll uses up burn dice and keeps free activations": (
        (State(die_modifier=-2, free_activations=1), 1),
        (None, State(scale=1, free_activations=1), ()),
    ),
}


@pytest.mark.parametrize("what", STEPS)
def test_a_roll_takes_the_scale_a_step_on(what):
    given, then = STEPS[what]
    moved = step(*given)
    assert (moved.event, moved.after, moved.fires) == then


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


OFFERED = State(scale=5, pending=GRACE)
SETTLED = {
    "taking an offer burns and resets": (lambda: answer(OFFERED, Answer.ACCEPT), State(), (Burn(GRACE),)),
    "banking it leaves the Scale where it is": (
        lambda: answer(OFFERED, Answer.BANK),
        State(scale=5, banked=GRACE),
        (),
    ),
    "spending is burning": (
        lambda: spend(State(scale=6, banked=TROUBLE), by=Side.GM),
        State(),
        (Burn(TROUBLE),),
    ),
    "spending the bank leaves burn dice and activations alone": (
        lambda: spend(State(6, None, GRACE, 1, 2)),
        State(0, None, None, 1, 2),
        (Burn(GRACE),),
    ),
    "banked trouble may be called in by a player too": (
        lambda: spend(State(banked=TROUBLE), by=Side.PLAYER),
        State(),
        (Burn(TROUBLE),),
    ),
}


@pytest.mark.parametrize("what", SETTLED)
def test_a_burn_that_is_taken_or_spent_fires_and_one_that_is_banked_does_not(what):
    settle, after, fires = SETTLED[what]
    moved = settle()
    assert (moved.after, moved.fires) == (after, fires)


GRACES = State(die_modifier=1)
EFFECTS = {
    "burn dice of one side add up": ((GRACES, GRACE, Effect.DIE, Side.PLAYER), State(die_modifier=2)),
    "burn dice of both sides cancel": ((GRACES, TROUBLE, Effect.DIE, Side.GM), State()),
    "grace frees a Discipline": ((GRACES, GRACE, Effect.DISCIPLINE, Side.PLAYER), State(0, None, None, 1, 1)),
    **{
        f"trouble leaves no number: {chosen}": ((GRACES, TROUBLE, chosen, Side.GM), GRACES)
        for chosen in (Effect.DISCIPLINE, Effect.DISPOSITION, *COMPLICATIONS)
    },
    "a disposition by grace leaves no number": ((GRACES, GRACE, Effect.DISPOSITION, Side.PLAYER), GRACES),
}


@pytest.mark.parametrize("what", EFFECTS)
def test_an_effect_leaves_its_number_on_the_scale_or_none(what):
    chosen, after = EFFECTS[what]
    assert effect(*chosen) == after


ONLY_GMS = Settings(players_call_in_trouble=False)
REFUSED = {
    "no offer cannot be answered": (lambda: answer(State(scale=5, banked=GRACE), Answer.ACCEPT), NotPossible),
    "declining is no answer": (lambda: answer(OFFERED, "decline"), UnknownWord),
    "an empty bank has nothing to spend": (lambda: spend(OFFERED), NotPossible),
    "banked grace is the player's alone": (
        lambda: spend(State(banked=GRACE), by=Side.GM),
        NotPossible,
        "Only the player",
    ),
    "trouble is the GM's alone to call in where the campaign says so": (
        lambda: spend(State(banked=TROUBLE), by=Side.PLAYER, settings=ONLY_GMS),
        NotPossible,
        "Only the GM",
    ),
    **{
        f"nobody chooses {chosen} for the other side: {kind}": (
            lambda kind=kind, chosen=chosen, by=by: effect(State(), kind, chosen, by),
            NotPossible,
        )
        for kind, by in ((GRACE, Side.GM), (TROUBLE, Side.PLAYER))
        for chosen in Effect
    },
    **{
        f"only trouble complicates a Discipline: {chosen}": (
            lambda chosen=chosen: effect(State(), GRACE, chosen, Side.PLAYER),
            UnknownWord,
        )
        for chosen in COMPLICATIONS
    },
    "an effect that there is not": (lambda: effect(State(), GRACE, "luck", Side.PLAYER), UnknownWord),
    "no activation is free": (lambda: use_activation(State()), NotPossible),
    "an offer is grace or trouble": (lambda: State(pending="luck"), UnknownWord),
    "what is banked is grace or trouble": (lambda: State(banked="luck"), UnknownWord),
    "no offer is open while a burn is banked": (lambda: State(scale=3, pending=GRACE, banked=TROUBLE), NotPossible),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_refused(what):
    tried, refusal, *words = REFUSED[what]
    with pytest.raises(refusal, match=words[0] if words else None):
        tried()


def test_a_free_activation_is_used_once():
    assert use_activation(State(free_activations=1)) == State()


EXAMPLE = [10, 7, 4, 1, 1]
COUNTED = Settings(cancelled_ones_count=True)
DELTAS = {
    "the printed example gives 0 by the rule": (lambda: read_faces([10, 7, 4, 2, 1], 6), 0),
    "with two real 1s it gives its printed +1": (lambda: read_faces(EXAMPLE, 6), 1),
    "at a difficulty of 7 as well": (lambda: read_faces(EXAMPLE, 7), 1),
    "at a difficulty of 8 it gives nothing": (lambda: read_faces(EXAMPLE, 8), 0),
    "a campaign may count cancelled 1s too": (lambda: read_faces(EXAMPLE, 6, COUNTED), -1),
    "1s taken out of a botch still count": (lambda: read(roll(1, 1, 5, ability=6)), -2),
    "a Willpower success is no die": (lambda: read(roll(1, 5, willpower=True)), -1),
}


@pytest.mark.parametrize("what", DELTAS)
def test_a_roll_gives_the_scale_what_its_dice_say(what):
    fell, delta = DELTAS[what]
    assert fell().delta == delta


def test_each_die_says_what_it_gives():
    assert read_faces([7, 1, 1, 3, 2], 6).dice == (
        ReadDie(7, 0, False),
        ReadDie(1, 0, True),
        ReadDie(1, -1, False),
        ReadDie(3, -1, False),
        ReadDie(2, -1, False),
    )


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
