"""Scoundrels and crews from Foundry's actors: what maps is on the sheet, what doesn't is named."""

from rulesets.forged import crew
from rulesets.forged.foundry import converted
from rulesets.forged.sheet import SHEET, harm, traumas
from tests.characters.sheets import foundry_files


def test_a_scoundrel_comes_with_all_that_the_sheet_has():
    conversion = converted(foundry_files.scoundrel())
    values = conversion.values
    assert (conversion.head.name, conversion.head.concept) == ("Nera Voss", "Ash")
    assert {name: SHEET.value(values, name) for name in ("study", "survey", "finesse", "consort", "hunt")} == {
        "study": 2,
        "survey": 1,
        "finesse": 1,
        "consort": 2,
        "hunt": 0,
    }
    assert [values[name] for name in ("playbook", "heritage", "vice", "look", "vice_purveyor")] == [
        "Navigator",
        "Islander",
        "Gambling",
        "Grey coat",
        "The Blue Lamp",
    ]
    assert values["background"] == "Trade: her aunt’s ferry"
    assert [values[name] for name in ("stress", "healing", "playbook_xp", "coin", "stash", "insight_xp")] == [
        4,
        1,
        3,
        2,
        11,
        2,
    ]
    assert harm(values) == {1: ("Bruised",), 2: ("Limping",), 3: ()}
    assert traumas(values) == ("cold",)
    assert values["load"] == "normal" and values["armor"] and not values["heavy_armor"]
    assert [(row["name"], row["load"], row["carried"]) for row in values["items"]] == [
        ("A blade", 1, True),
        ("Rope", 0, False),
    ]
    assert [(row["name"], row["words"]) for row in values["abilities"]] == [("Quick Hands", "You are fast.\nVery.")]
    assert [row["words"] for row in values["links"]] == ["Odo (friend)", "Wren (rival)"]


def test_what_a_scoundrels_sheet_does_not_take_is_named():
    left = dict(converted(foundry_files.scoundrel()).left)
    assert set(left) == {"Prowl", "giddy", "Drowned", "moon", "Dockers (faction)"}
    assert left["Prowl"] == "Prowl goes from 0 to 4, not 7."


def test_a_crew_comes_with_what_it_has():
    conversion = converted(foundry_files.crew())
    values = conversion.values
    assert conversion.head.is_crew and conversion.head.name == "The Tide Clerks"
    assert [values[name] for name in ("tier", "hold", "rep", "heat", "wanted", "coin", "crew_xp")] == [
        1,
        "weak",
        5,
        6,
        1,
        5,
        3,
    ]
    assert [values[name] for name in ("crew_type", "reputation", "lair")] == ["Smugglers", "Subtle", "A boathouse"]
    (cohort,) = crew.SHEET.rows(values, "cohorts")
    assert (cohort["name"], cohort["kind"], cohort["quality"], cohort["state"], cohort["words"]) == (
        "The Oars",
        "gang",
        1,
        "weakened",
        "Loyal",
    )
    assert [row["name"] for row in values["upgrades"]] == ["Boat"]
    assert [left.label for left in conversion.left] == ["deity"]


def test_actors_of_other_systems_and_of_other_types_are_not_ours():
    for change in ({"_stats": {"systemId": "scum"}}, {"type": "npc"}, {"system": None}, {"items": {}}):
        assert converted(foundry_files.scoundrel() | change) is None


def test_an_actor_that_does_not_say_its_system_is_known_by_its_data():
    file = foundry_files.scoundrel()
    del file["_stats"]
    assert converted(file)
    assert converted(file | {"data": file.pop("system")}), "as before version 10"


def test_a_long_description_is_cut_and_said_to_be():
    file = foundry_files.scoundrel()
    file["items"][3]["system"]["description"] = "x" * 1001
    conversion = converted(file)
    assert len(conversion.values["abilities"][0]["words"]) == 1000
    assert "first 1000" in dict(conversion.left)["Quick Hands"]
