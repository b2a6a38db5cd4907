"""For a game at a glance and at the table: the classes to derive from, and the values that pass between them and the site."""

from campaigns.errors import Blocked, Conflict, Forbidden, Invalid, NotFound
from campaigns.forms.fields import LineField, TextField
from campaigns.kinds import EventKind, Indexed, LogOutcome, Payload, Result
from campaigns.models import Campaign, GameSession, Role, Viewer
from campaigns.queries.play import ClosingAction, ExpiringItem
from campaigns.schema import Code, Name, Schema, Text, Uid
from campaigns.waiting import Pending, Wait
from characters.advancement import FreeScheme, Scheme
from characters.figures import Figure, Figures, State, States
from characters.models import Character
from rolls import odds as shown
from rolls.forms.base import CorrectionForm, FacesField, RollForm, WholeNumber
from rolls.forms.odds import OddsForm
from rolls.guide import Die as GuideDie
from rolls.guide import Example, Table
from rolls.models import Audience, Roll
from rolls.odds import Part, bar
from rolls.ruleset import Expectation, OddsPage, Panel, Ruleset, SettingsGroup, Slot
from rolls.services.roll_context import as_requested, by_the_rules, keep_hidden, named
from rolls.settings import RollSettings
from rolls.slash import Fields, SlashCommand, SlashError
from rolls.table_rules import (
    Again,
    CardDie,
    Change,
    Odds,
    OddsContext,
    Outcome,
    PreparedRoll,
    Requested,
    RollContext,
    RollInput,
    RollKind,
    TableRules,
    Terms,
    Written,
)
from rules.effects import Write
from scale.counting import Countable, Gift
from scale.services.moving import Falling, extra_dice, odds_lines
