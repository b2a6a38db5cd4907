"""For what several people settle together in steps: one class a procedure, whose methods are its acts."""

from rolls.forms.asked import ActForm, played
from rolls.stage import Entry, Mark, Row, Setting, Side, Staged, Turn
from rules.acting import (
    FOR_GM,
    OPEN,
    Between,
    Like,
    OneOf,
    Procedure,
    Roll,
    Text,
    Under,
    Waits,
    When,
    act,
    anyone,
    digest,
    gm,
    nobody,
    owner,
)
from rules.messages import Message, Words, capital, gettext, joined, ngettext, worded
from rules.procedures import Answer, Asked, Button, RollPart
from rules.table import Clock, Refused, Sheet, Table, add_row
