"""The sheet of a crew of the Forged in the Dark rules: everyone's, not one character's (public rules)."""

from __future__ import annotations

from characters.sheets.common import ABOUT, boxes, number
from characters.sheets.fields import Choice, Marks, Number, Rows, Text
from characters.sheets.sheet import Group, Layout, Resource, Sheet, Values
from languages.text import gettext_lazy, pgettext_lazy
from rulesets.forged.sheet import SPECIAL_ABILITIES

HIGHEST_TIER = 6
REP = 12
TURF = 6
HEAT = 9
WANTED = 4
MOST_COIN = 16
MOST_GAMBITS = 12
CREW_XP = 8
COHORT_KINDS = (
    ("gang", gettext_lazy("Gang")),
    ("expert", gettext_lazy("Expert")),
    ("vehicle", gettext_lazy("Vehicle")),
)
COHORT_STATES = (
    ("fine", pgettext_lazy("cohort", "Fine")),
    ("weakened", pgettext_lazy("cohort", "Weakened")),
    ("impaired", pgettext_lazy("cohort", "Impaired")),
    ("broken", pgettext_lazy("cohort", "Broken")),
)

SHEET = Sheet(
    "crew",
    [
        Group(
            "standing",
            pgettext_lazy("crew", "Standing"),
            (
                Text("crew_type", gettext_lazy("Kind of crew"), longest=60),
                Text("reputation", gettext_lazy("Reputation"), longest=60),
                Text("lair", gettext_lazy("Lair"), longest=400),
                Number("tier", gettext_lazy("Tier"), maximum=HIGHEST_TIER, drawn=HIGHEST_TIER),
                Choice(
                    "hold",
                    pgettext_lazy("crew", "Hold"),
                    choices=(("weak", pgettext_lazy("hold", "Weak")), ("strong", pgettext_lazy("hold", "Strong"))),
                    default="strong",
                ),
                boxes("rep", gettext_lazy("Rep"), REP),
                boxes("turf", gettext_lazy("Turf"), TURF),
                boxes("heat", pgettext_lazy("the law", "Heat"), HEAT),
                Number("wanted", gettext_lazy("Wanted level"), maximum=WANTED, marks=Marks.BOXES, drawn=WANTED),
            ),
        ),
        Group(
            "means",
            pgettext_lazy("crew", "Means"),
            (boxes("coin", gettext_lazy("Coin"), MOST_COIN), boxes("crew_xp", gettext_lazy("Crew XP"), CREW_XP)),
        ),
        Group("gambits", gettext_lazy("Gambits"), (boxes("gambits", gettext_lazy("Gambits"), MOST_GAMBITS),)),
        Group(
            "cohorts",
            gettext_lazy("Cohorts"),
            (
                Rows(
                    "cohorts",
                    gettext_lazy("Cohorts"),
                    gettext_lazy("Cohort"),
                    (
                        Text("name", gettext_lazy("Name"), required=True),
                        Choice("kind", gettext_lazy("Kind"), choices=COHORT_KINDS, default="gang"),
                        number("quality", pgettext_lazy("cohort", "Quality"), 10),
                        Choice("state", pgettext_lazy("cohort", "State"), choices=COHORT_STATES, default="fine"),
                        Text("words", gettext_lazy("Edges and flaws"), longest=400),
                    ),
                    most=20,
                    trait="quality",
                ),
            ),
        ),
        Group(
            "abilities",
            gettext_lazy("Special abilities"),
            (
                SPECIAL_ABILITIES,
                Rows(
                    "upgrades",
                    gettext_lazy("Upgrades"),
                    gettext_lazy("Upgrade"),
                    (Text("name", gettext_lazy("Name"), required=True),),
                    most=60,
                ),
                Rows(
                    "claims",
                    pgettext_lazy("crew", "Claims"),
                    pgettext_lazy("crew", "Claim"),
                    (
                        Text("name", gettext_lazy("Name"), required=True),
                        Text("words", gettext_lazy("What it gives"), longest=400),
                    ),
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


def heat(values: Values) -> tuple[int, int]:
    """Return heat (0 to 9) and wanted level (0 to 4)."""
    return SHEET.number(values, "heat"), SHEET.number(values, "wanted")
