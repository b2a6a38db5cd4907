"""Storyteller characters from Foundry's actors, of the versions that keep Abilities in the actor and in its items."""

from rulesets.storyteller.foundry import converted
from rulesets.storyteller.sheet import SHEET
from tests.characters.sheets import foundry_files


def told(values, *names):
    return [SHEET.value(values, name) for name in names]


def rows(values, name):
    return [(row["name"], row["rating"]) for row in SHEET.rows(values, name)]


def test_a_vampire_comes_with_all_that_the_sheet_has():
    conversion = converted(foundry_files.vampire())
    values = conversion.values
    assert (conversion.head.name, conversion.head.concept) == ("Ilse Brandt", "Archivist")
    assert told(values, "nature", "clan", "generation", "sire") == ["Loner", "Shore", "11", "Old Marten"]
    assert told(values, "strength", "wits", "alertness", "animal_ken", "crafts") == [2, 4, 3, 1, 2]
    assert rows(values, "own_talents") == [("Dodge", 2)] and rows(values, "own_knowledges") == [("Tide lore", 1)]
    assert rows(values, "own_skills") == [("Seamanship", 2)]
    assert told(values, "willpower", "willpower_now", "blood_pool", "blood", "blood_per_turn") == [6, 4, 12, 7, 1]
    assert told(values, "conscience", "self_control", "courage", "humanity", "path") == [3, 2, 4, 6, ""]
    assert told(values, "bashing", "lethal", "aggravated", "being") == [1, 2, 0, "vampire"]
    assert rows(values, "powers") == [("Fortitude", 2), ("Call the Fog", 3)]
    assert values["powers"][0]["words"] == "Stone Skin 1"
    assert rows(values, "backgrounds") == [("Resources", 3)] and rows(values, "merits") == [("Night Sight", 2)]
    assert told(values, "xp", "xp_spent") == [5, 3]
    assert told(values, "description", "notes") == ["Thin, pale.", "Born by the sea.\n\nOwes the harbour master."]


def test_what_a_vampires_sheet_does_not_take_is_named():
    left = dict(converted(foundry_files.vampire()).left)
    assert set(left) == {
        "Occult",
        "rage permanent 2",
        "Boat hook (Melee Weapon)",
        "sect: The Quay",
        "Evening one 5, Dots 3",
    }
    assert left["Occult"] == "The file says 9. Imported as 6."


def test_what_somebody_noted_for_themselves_does_not_become_what_all_may_read():
    values = converted(foundry_files.vampire()).values
    assert [name for name, value in values.items() if "harbour" in str(value) or "sea." in str(value)] == ["notes"]


def test_a_character_whose_abilities_are_items_comes_as_well():
    conversion = converted(foundry_files.pc())
    values = conversion.values
    assert told(values, "intelligence", "alertness", "willpower", "generation") == [5, 2, 5, "12"]
    assert rows(values, "own_knowledges") == [("Clockwork", 4)]
    assert told(values, "aggravated", "being") == [1, "mortal"]
    assert {left.label for left in conversion.left} == {
        "Mage",
        "Quintessence: temporary 3",
        "guild: Brass",
        "roleplaytip: Speaks softly",
    }


def test_actors_of_other_systems_are_not_ours():
    for change in ({"_stats": {"systemId": "vtm5e"}}, {"system": {"attributes": {}}}, {"items": {}}):
        assert converted(foundry_files.vampire() | change) is None


def test_specialities_bonuses_and_extra_health_levels_are_named_with_their_words():
    left = [left.label for left in converted(foundry_files.shape("wod4-specialities")).left]
    assert left == [
        "strength bonus 2",
        "wits speciality: Ambushes",
        "composure 4",
        "alertness speciality: Footsteps",
        "craft speciality: Locks",
        "bruised 2",
        "derangement: Counts the lamps.",
    ]


def test_abilities_are_read_where_newer_versions_keep_them():
    file = foundry_files.shape("wod4-specialities")
    file["system"]["abilities"] = {
        "occult": {"type": "knowledge", "value": 2, "speciality": "Tides"},
        "larceny": {"type": "skill", "value": 0},
    }
    conversion = converted(file)
    assert conversion.values["occult"] == 2 and "occult speciality: Tides" in dict(conversion.left)


def test_a_path_has_its_own_name():
    conversion = converted(foundry_files.shape("wod-pc-path-and-speciality"))
    assert (conversion.values["humanity"], conversion.values["path"]) == (6, "Path")
    assert dict(conversion.left).keys() == {"Alertness: speciality: Footsteps"}
    file = foundry_files.shape("wod4-elder")
    file["system"]["advantages"]["path"]["label"] = "wod.advantages.path.tides"
    assert converted(file).values["path"] == "Tides"


def test_a_virtue_of_another_path_is_named():
    file = foundry_files.shape("wod4-elder")
    file["system"]["advantages"]["virtues"]["conscience"]["label"] = "wod.advantages.virtue.conviction"
    assert dict(converted(file).left)["Conviction"] == "This sheet calls it Conscience."


def test_a_value_over_the_maximum_comes_in_at_the_maximum_with_a_note():
    conversion = converted(foundry_files.shape("wod4-elder"))
    assert conversion.values["strength"] == 5 and conversion.values["willpower"] == 0
    assert conversion.left == [("Strength", "The file says 7. Imported as 5.")]


def test_damage_beyond_the_track_fills_it():
    file = foundry_files.shape("wod4-elder")
    file["system"]["health"]["damage"] = {"bashing": 5, "lethal": 4, "aggravated": 0}
    conversion = converted(file)
    assert [conversion.values[name] for name in ("bashing", "lethal", "aggravated")] == [5, 2, 0]
    assert dict(conversion.left)["Lethal"] == "The file says 4. Imported as 2."


def test_each_power_is_on_the_sheet_or_named():
    conversion = converted(foundry_files.shape("wod4-orphan-powers"))
    assert rows(conversion.values, "powers") == [("Mist walk", 3), ("Undertow", 2), ("Hearing", 4)]
    assert dict(conversion.left).keys() == {"Bone whistle (Fetish)", "+2 Strength (Bonus)", "Languages (Trait)"}


def test_a_name_that_is_too_long_is_shortened_with_a_note():
    conversion = converted(foundry_files.shape("wod-long-name"))
    assert conversion.head.name.startswith("Aurelia Octavia") and len(conversion.head.name) <= 80
    assert conversion.left == [("Name", "Only its first 80 characters fit.")]


def test_accents_are_one_sign_however_the_file_writes_them():
    conversion = converted(foundry_files.shape("wod-nfd-ability"))
    assert conversion.head.name == "Zoë Müller"
    assert rows(conversion.values, "own_knowledges") == [("Ésotérie", 3)]


def test_a_clan_in_foundrys_spelling_is_a_word():
    file = foundry_files.shape("wod4-elder")
    file["system"]["clan"] = "wod.bio.vampire.shore"
    assert converted(file).values["clan"] == "Shore"
