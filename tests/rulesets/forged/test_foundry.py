"""Scoundrels and crews from Foundry's actors: what maps is on the sheet, what doesn't is named."""

from rulesets.forged.foundry import converted
from rulesets.forged.sheet import CREW, SHEET, harm, traumas
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
    assert [row["words"] for row in values["links"]] == ["Odo, a smith (friend)", "Wren (rival)"]


def test_what_a_scoundrels_sheet_does_not_take_is_named():
    left = dict(converted(foundry_files.scoundrel()).left)
    assert set(left) == {"Prowl", "giddy", "Drowned", "moon: waning", "Dockers (faction)"}
    assert left["Prowl"] == "The file says 7. Imported as 4."


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
    (cohort,) = CREW.rows(values, "cohorts")
    assert (cohort["name"], cohort["kind"], cohort["quality"], cohort["state"], cohort["words"]) == (
        "The Oars",
        "gang",
        1,
        "weakened",
        "Loyal",
    )
    assert [row["name"] for row in values["upgrades"]] == ["Boat"]
    assert [left.label for left in conversion.left] == ["deity: The tide"]


def test_actors_of_other_systems_and_of_other_types_are_not_ours():
    for change in ({"_stats": {"systemId": "scum"}}, {"type": "clock"}, {"system": None}, {"items": {}}):
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


def test_traumas_are_read_where_they_are_ticked_under_their_names():
    conversion = converted(foundry_files.shape("blades-trauma-boxes"))
    assert traumas(conversion.values) == ("cold", "soft") and not conversion.left


def test_traumas_without_a_condition_are_named():
    file = foundry_files.shape("blades-trauma-boxes")
    file["system"]["trauma"]["list"] = []
    assert "trauma: 2" in dict(converted(file).left)


def test_the_healing_clock_is_read_in_either_shape_and_what_is_usual_in_a_new_file_is_not_lost():
    conversion = converted(foundry_files.shape("blades-healing-clock"))
    assert conversion.values["healing"] == 3 and not conversion.left


def test_a_higher_track_than_usual_is_named():
    file = foundry_files.scoundrel()
    file["system"]["stress"]["max"] = 10
    assert "stress max 10" in dict(converted(file).left)


def test_a_crew_keeps_its_contacts():
    conversion = converted(foundry_files.shape("blades-crew-contacts"))
    assert [row["words"] for row in conversion.values["links"]] == ["Odo Fenn (friend)"]
    assert [left.label for left in conversion.left] == ["deity: The tide"]


def test_a_crew_keeps_the_claims_that_it_holds():
    file, places = (
        foundry_files.crew(),
        {"1": ("Quay", True), "2": ("Mill", False), "3": ("BITD.Turf", 1), "8": ("BITD.Lair", 1)},
    )
    file["items"][0]["system"]["turfs"] = {
        number: {"name": name, "value": held, "description": "+1 boat", "connects": ["left"]}
        for number, (name, held) in places.items()
    }
    conversion = converted(file)
    assert [(row["name"], row["words"]) for row in conversion.values["claims"]] == [("Quay", "+1 boat")]
    assert conversion.values["turf"] == 1 and [left.label for left in conversion.left] == ["deity: The tide"]


def test_what_a_module_has_noted_is_named():
    left = dict(converted(foundry_files.shape("blades-module-notes")).left)
    assert set(left) == {"bitd alternate sheets notes: I told the warden nothing."}


def test_ratings_of_actions_that_we_do_not_have_are_named():
    assert set(dict(converted(foundry_files.shape("blades-other-actions")).left)) == {"splice 3"}


def test_a_file_without_a_system_is_ours_only_if_its_actions_are():
    assert converted(foundry_files.shape("ship-without-system")) is None


def test_an_npc_comes_with_name_and_description():
    conversion = converted(foundry_files.shape("blades-npc"))
    assert (conversion.head.name, conversion.head.concept) == ("Old Marten", "ferryman")
    assert conversion.values == {"description": "Knows the locks.", "notes": "Owes us"} and not conversion.left


def test_a_faction_comes_as_an_npc_and_its_goals_are_named():
    file = foundry_files.shape("blades-npc") | {"type": "faction"}
    file["system"] = {
        "type": "Underworld",
        "description": "Rough.",
        "goal_1": "The pier",
        "goal_1_clock_max": 8,
        "goal_2": "",
    }
    conversion = converted(file)
    assert (conversion.head.concept, conversion.values) == ("Underworld", {"description": "Rough."})
    assert [left.label for left in conversion.left] == ["goal 1: The pier", "goal 1 clock max 8"]
