"""The story of “Ashes over Harrow”, in words of our own: characters, storylines, scenes, and dialogue."""

from __future__ import annotations

from typing import NamedTuple

NAME = "Ashes over Harrow"
SLUG = "ashes-over-harrow"
PITCH = (
    "Harrow burned for three days and nobody agrees who lit it. A year on, the theatre has reopened, the archive has not, "
    "and somebody is buying up the ruins one street at a time."
)


class Role(NamedTuple):
    """A character: who plays it (None: the GM), whether players know of it, and the fields that differ from a blank sheet."""

    name: str
    concept: str
    player: str | None
    shown: bool
    sheet: dict[str, int]


CHARACTERS = [
    Role(
        "Silas Grey",
        "Archivist without an archive",
        "mo",
        True,
        {"perception": 3, "intelligence": 4, "wits": 2, "dexterity": 3, "strength": 2, "alertness": 2, "occult": 4}
        | {"stealth": 1, "subterfuge": 3, "investigation": 3, "willpower": 7, "willpower_now": 5},
    ),
    Role(
        "Corvina Hale",
        "Actress who was somebody else that night",
        "iva",
        True,
        {"charisma": 4, "manipulation": 3, "appearance": 4, "wits": 3, "performance": 4, "subterfuge": 3, "empathy": 2}
        | {"expression": 3, "willpower": 6, "willpower_now": 4},
    ),
    Role(
        "Bram Teller",
        "Night watchman of an empty street",
        "tess",
        True,
        {"strength": 4, "stamina": 3, "dexterity": 2, "perception": 2, "brawl": 3, "athletics": 2, "streetwise": 3}
        | {"intimidation": 2, "larceny": 2, "willpower": 5, "willpower_now": 5},
    ),
    Role("Madam Orsolya", "Owns the theatre, or what is left of it", None, True, {"manipulation": 4, "willpower": 6}),
    Role("The Surveyor", "Buys the ruins for somebody", None, False, {"wits": 4, "intimidation": 3, "willpower": 7}),
]

STORYLINES = [
    ("Silas owes the lost archive a name", "mo", "The name is his own, struck out in his own hand."),
    ("Corvina’s teacher is alive", "iva", "She has been writing the reviews."),
    ("Who lit the first fire", None, "Three people, none of whom knows of the others."),
    ("The street Bram will not enter", "tess", "He was on duty there. He slept."),
]

POOLS = {
    "Silas Grey": ["perception+alertness", "intelligence+occult", "wits+subterfuge", "intelligence+investigation"],
    "Corvina Hale": ["charisma+performance", "manipulation+subterfuge", "wits+empathy", "charisma+expression"],
    "Bram Teller": ["strength+brawl", "perception+streetwise", "dexterity+larceny", "strength+athletics"],
}

SESSIONS = [
    ("The doors open again", ["The foyer", "Under the stage"]),
    ("A list of names", ["The burned archive", "Ash Lane"]),
    ("Understudies", ["Dressing rooms", "The second act"]),
    ("What the watchman heard", ["Cooper’s Row at four", "The empty street"]),
    ("Reviews", ["The printer’s shop", "A table for two"]),
    ("The Regent’s evening", ["The Regent’s box", "The roof"]),
    ("One beat too late", ["The cloakroom", "Backstage", "The Lantern Room"]),
]

NARRATION = [
    "Soot still falls from the beams when the doors are shut too hard. Nobody shuts them twice.",
    "The lamps along Ash Lane are lit in the wrong order tonight.",
    "Somebody has swept this room. Only this room.",
    "The music drops a half-step. Every head at the bar turns, one beat too late, toward the door.",
    "Rain comes through where the ceiling was. It smells of paper.",
    "On the far side of the street a window opens that has no floor behind it.",
]

SPOKEN = {
    "Silas Grey": [
        "I sweep the balcony. Who is watching *us* and not the stage?",
        "That ledger was never meant to be read twice.",
    ],
    "Corvina Hale": [
        "Smile, Bram. We are guests.",
        "I have died in this room eleven times. Never before the interval.",
    ],
    "Bram Teller": ["I’ll take the back. I always take the back.", "That is not a knock I know."],
}

MAJORS = [
    "The balcony gives way. Not under the crowd: under the one man who had come to say who paid him. The whole house sees who "
    "reaches for him, and who steps back.",
    "A girl from the chorus hands Corvina a key nobody has seen since the fire. It is warm. It fits the door that has stood "
    "bricked up behind the archive for a year.",
]

FILLS = "Where the prompter hid the list"
"""A clock that fills in the third session."""

CLOCKS = [
    ("The Regent’s patience", "danger", 6, "visible", 4),
    ("Find the printer’s ledger", "progress", 8, "visible", 2),
    ("Dawn", "mission", 4, "secret", 3),
    ("Deeds changing hands", "faction", 6, "known", 1),
    (FILLS, "progress", 6, "visible", 4),
]

RECAPS = {
    1: "The theatre opened its doors for the first time since the fire. **Silas** found his own name on a seat that nobody had "
    "sold, **Corvina** was asked for an autograph by a woman who called her by another name, and **Bram** took the back.\n\n"
    "Open: who paid for the new curtain?",
    2: "A beam came down in the burned archive and missed Silas by a hand. Behind it: a list of names, one of them struck out. "
    "Bram knew the street that it begins with, and said nothing.",
    3: "The understudy did not come, so Corvina played both parts. In the second act the house held its breath: a **Major "
    "Grace** put a key into her hand, still warm.\n\n> I have died in this room eleven times. Never before the interval.",
    4: "At four in the morning Bram told what he heard in Cooper’s Row. Most of it was true.",
    6: "The Regent’s box was empty, and somebody had paid for it to stay so.\n\n*Still to write: the roof.*",
}
"""By session. The fifth has none, to show how that looks before one is written."""
