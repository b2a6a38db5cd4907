"""Rolls as hypothesis makes them up, and as the Scale reads them."""

from hypothesis import strategies as st

from rules.tally import Read
from rules.tally import read as count
from rulesets.storyteller.odds import deltas
from rulesets.storyteller.rules.roll import Ask, Outcome, resolve, typed_pool
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.table import StorytellerCountable
from scale.odds import Share
from scale.rules.scale import DEFAULTS, tally
from scale.rules.scale import Settings as ScaleSettings

face_lists = st.lists(st.integers(1, 10), min_size=1, max_size=20)
difficulties = st.integers(2, 10)
abilities = st.integers(0, 8)


def roll(
    *faces: int, difficulty: int = 6, ability: int = 0, willpower: bool = False, settings: Settings | None = None
) -> Outcome:
    """Roll exactly these faces, as a pool of as many dice."""
    ask = Ask(pool=typed_pool(len(faces), ability=ability), difficulty=difficulty, willpower=willpower)
    return resolve(ask, iter(faces), settings or Settings())


def read(outcome: Outcome, settings: ScaleSettings = DEFAULTS) -> Read:
    """Return what a roll gives the Scale."""
    return read_faces([die.face for die in outcome.dice], outcome.difficulty, settings)


def read_faces(faces: list[int], difficulty: int, settings: ScaleSettings = DEFAULTS) -> Read:
    """Return the same for bare faces at a difficulty."""
    rolled = {"dice": [{"face": face} for face in faces], "difficulty": difficulty}
    return count(StorytellerCountable().fallen(rolled), tally(settings))


def share(weight: int, dice: int, difficulty: int, settings: ScaleSettings = DEFAULTS) -> Share:
    """So many dice at a difficulty, as a share of a table's rolls."""
    return Share.of(weight, deltas(dice, difficulty, tally(settings)))
