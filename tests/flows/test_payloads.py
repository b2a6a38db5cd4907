"""Payloads hold codes, numbers, and what people typed or named: no word of ours, in whatever kind of event."""

from __future__ import annotations

from campaigns.models import Event
from tests.canaries import canary
from tests.flows import procedures_forged_action as action
from tests.flows import procedures_forged_downtime as downtime
from tests.rulesets.told import made_up

TYPED = {
    *(
        "Hullo all",
        "Hello *all*",
        "It rains.",
        "Who is there?",
        "They *found* the door.",
        "The roof *falls*.",
        "It burned.",
    ),
    *(
        "time",
        "misread",
        "slipped",
        "unaware",
        "no push",
        "too early",
        "a slip",
        "it was said there",
        "a noise",
        "before they wake",
    ),
    *("into the dark", "in the dark", "on the roof", "shown later", "only average", "unseen", "unheard"),
    *("a witness", "A map of Harrow", "an old lock", "before dawn", "at the gate", "in the alley"),
    *("a loose knot", "He paid some of it."),
    *("An inn of [[Orsolya]].", "It stands.", "It burns.", "I saw the *smoke*.", "The house is hers.", "Wrong."),
    *("1-6 A quiet street", "1-2 A quiet street\n3 [[Street names]]\n4-6 Nobody", "Hook Lane"),
    *(f"Hook Lane\n{canary('gm', 'line')}", f"11-66 {canary('gm', 'result')}"),
    *("on the rope", "snaps at the rope", "the rope gives", "holds the lamp up"),
}
NAMED = {
    *("Gm", "Mo", "Other Player", "Spectator", "Late", "Removed", "Iva", "Ro", "Tess"),
    *("Silas", "Corvina", "Orsolya", "Gone", "Away", "Thorn", "Abigail", "Tibor", "Dorina", "Ilka", "Mistake"),
    *("Wren", "Abigail (2)"),
    *("Christopher", "Bob", "Tied up", "Smoke", "The debt"),
    *"ABCDGIMNOSTW",
    "bots.example.org",
    *("The Gull", "the inn", "A warm key", "Street", "Street names", "A letter"),
    *("Archivist", "Actress", "Owner", "Thief", "Lookout"),
    *("Ashes", "First", "The first", "Second", "Door", "The door", "Roof", "A debt", "Dawn", "Deeds", "The map"),
    *(
        "Allies",
        "Shadows",
        "Tamper",
        "tamper",
        "Swordplay",
        "Pride",
        "Out of breath",
        "skirmish",
        "severe harm",
        "A storm",
        "The *door*.",
        "The tide",
        "Dog",
        "Shadow",
        "Thug",
        "Rat",
        "Cut hand",
        "Cut hand (Abigail)",
        "Advantage",
        "difficulty 2 lower, until a failure, a Trouble Burn or the end of the scene",
    ),
}
"""People; characters, what stands for their portraits, and what they are; what is played; what stands in rows of sheets."""

WITH_NUMBERS = {"Dog, Wren", "Wren, Dog", "Dog 3", "Rat 1", "Dog (2), Wren (8)", "2 m"}
"""Names in the order in which they act, and what each has; how far somebody moves, in metres."""
TRAITS = {"perception", "perception + alertness"}
"""What is typed for a pool, as codes, which no language changes."""


def test_the_log_holds_no_words_but_what_somebody_typed_or_named(played):
    found = made_up(Event.objects.select_related("stored"), values=True)
    worded = {name for name in found if not name.startswith("canary-") and any(map(str.isalpha, name))}
    assert worded == (
        TYPED | NAMED | WITH_NUMBERS | TRAITS | downtime.TYPED | downtime.NAMED | action.TYPED | action.NAMED
    )
