"""Rolls as hypothesis makes them up."""

from hypothesis import strategies as st

from rolls.rules.storyteller import Ask, Outcome, Settings, resolve
from rolls.rules.storyteller_pool import typed_pool

face_lists = st.lists(st.integers(1, 10), min_size=1, max_size=20)
difficulties = st.integers(2, 10)
abilities = st.integers(0, 8)


def roll(
    *faces: int, difficulty: int = 6, ability: int = 0, willpower: bool = False, settings: Settings | None = None
) -> Outcome:
    """These very faces, rolled as a pool of as many dice."""
    ask = Ask(pool=typed_pool(len(faces), ability=ability), difficulty=difficulty, willpower=willpower)
    return resolve(ask, iter(faces), settings or Settings())
