"""The names for the sheet of a game, its budgets, and the steps that write on it. Loads without Django."""

from characters.creation import Budget, Pot, Reckoning, Section, points, too_many
from characters.reasons import ROLL, Reason
from characters.sheets.common import ABOUT, boxes, number
from characters.sheets.conversion import (
    Conversion,
    Reading,
    Usual,
    actor_in,
    inside,
    line,
    plain,
    says_something,
    whole,
)
from characters.sheets.exchange import Head
from characters.sheets.fields import Choice, Flag, Link, Measure, Number, Rows, SheetError, Text, Visibility
from characters.sheets.sheet import Group, Layout, Limit, Resource, Sheet, Values
from characters.sheets.steps import Add, Put, Shift, Take
from characters.sheets.traits import Trait, find, traits
