"""The sheet of a crew of the Forged in the Dark rules: everybody's, not one character's (public rules).

tier(values)   # 0 to 6
gambits(values)  # 0 and up
"""

from __future__ import annotations

from characters.sheets.common import ABOUT, boxes, number
from characters.sheets.fields import Choice, Marks, Number, Rows, Text
from characters.sheets.sheet import Group, Layout, Resource, Sheet, Values

HIGHEST_TIER = 6
REP = 12
TURF = 6
HEAT = 9
WANTED = 4
MOST_COIN = 16
MOST_GAMBITS = 12
CREW_XP = 8
COHORT_KINDS = (("gang", "Gang"), ("expert", "Expert"), ("vehicle", "Vehicle"))
COHORT_STATES = (("fine", "Fine"), ("weakened", "Weakened"), ("impaired", "Impaired"), ("broken", "Broken"))

SHEET = Sheet(
    "crew",
    [
        Group(
            "standing",
            "Standing",
            (
                Text("crew_type", "Kind of crew", longest=60),
                Text("reputation", "Reputation", longest=60),
                Text("lair", "Lair", longest=400),
                Number("tier", "Tier", maximum=HIGHEST_TIER, drawn=HIGHEST_TIER),
                Choice("hold", "Hold", choices=(("weak", "Weak"), ("strong", "Strong")), default="strong"),
                boxes("rep", "Rep", REP),
                boxes("turf", "Turf", TURF),
                boxes("heat", "Heat", HEAT),
                Number("wanted", "Wanted level", maximum=WANTED, marks=Marks.BOXES, drawn=WANTED),
            ),
        ),
        Group("means", "Means", (boxes("coin", "Coin", MOST_COIN), boxes("crew_xp", "Crew xp", CREW_XP))),
        Group("gambits", "Gambits", (boxes("gambits", "Gambits", MOST_GAMBITS),)),
        Group(
            "cohorts",
            "Cohorts",
            (
                Rows(
                    "cohorts",
                    "Cohorts",
                    "Cohort",
                    (
                        Text("name", "Name", required=True),
                        Choice("kind", "Kind", choices=COHORT_KINDS, default="gang"),
                        number("quality", "Quality", 10),
                        Choice("state", "State", choices=COHORT_STATES, default="fine"),
                        Text("words", "Edges and flaws", longest=400),
                    ),
                    most=20,
                    trait="quality",
                ),
            ),
        ),
        Group(
            "abilities",
            "Special abilities",
            (
                Rows(
                    "abilities",
                    "Special abilities",
                    "Special ability",
                    (Text("name", "Name", required=True), Text("words", "What it does", long=True, longest=1000)),
                    most=40,
                ),
                Rows("upgrades", "Upgrades", "Upgrade", (Text("name", "Name", required=True),), most=60),
                Rows(
                    "claims",
                    "Claims",
                    "Claim",
                    (Text("name", "Name", required=True), Text("words", "What it gives", longest=400)),
                    most=40,
                ),
            ),
        ),
        ABOUT,
    ],
    layout=Layout(
        bands=(("standing",),),
        resources=(Resource("heat"), Resource("wanted"), Resource("coin"), Resource("rep", own=True)),
    ),
    crew_of="forged",
    retired=("with_gambits",),
)


def tier(values: Values) -> int:
    """Return how large the crew is, 0 to 6."""
    return SHEET.number(values, "tier")


def gambits(values: Values) -> int:
    """Return what is in the pool of gambits, where the campaign plays with them."""
    return SHEET.number(values, "gambits")


def heat(values: Values) -> tuple[int, int]:
    """Return heat (0 to 9) and wanted level (0 to 4)."""
    return SHEET.number(values, "heat"), SHEET.number(values, "wanted")
