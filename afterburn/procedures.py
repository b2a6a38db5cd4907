"""For what several people settle together in steps."""

from rolls.procedures import NO_CHARACTER, NextRoll, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.stage import Entry, Mark, Row, Setting, Side, Staged
from rules.acts import Actor, AvailableAct, Target, act, anyone, gm, player_of
from rules.checked import restored, stored
from rules.dice import Dice
from rules.effects import Begin, Effect, End, NewClock, Retire, Say, StepResult, Tick, Write
from rules.procedures import (
    DROPPED,
    OPEN,
    RECOUNTED,
    REREAD,
    ROLLED,
    SCENE_ENDED,
    TAKEN_BACK,
    USED,
    Act,
    Answer,
    Asked,
    Button,
    ProcedureRules,
    RollPart,
    SheetSnapshot,
    Snapshot,
    Values,
)
