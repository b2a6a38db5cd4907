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
    assert values["powers"][0]["words"] == "Stone Skin"
    assert rows(values, "backgrounds") == [("Resources", 3)] and rows(values, "merits") == [("Night Sight", 2)]
    assert told(values, "xp", "xp_spent") == [5, 3]
    assert told(values, "description", "notes") == ["Thin, pale.", "Born by the sea.\n\nOwes the harbour master."]


def test_what_a_vampires_sheet_does_not_take_is_named():
    left = dict(converted(foundry_files.vampire()).left)
    assert set(left) == {"Occult", "rage: 2", "Boat hook (Melee Weapon)", "sect"}
    assert left["Occult"] == "Occult goes from 0 to 6, not 9."


def test_what_somebody_noted_for_themselves_does_not_become_what_all_may_read():
    values = converted(foundry_files.vampire()).values
    assert [name for name, value in values.items() if "harbour" in str(value) or "sea." in str(value)] == ["notes"]


def test_a_character_whose_abilities_are_items_comes_as_well():
    conversion = converted(foundry_files.pc())
    values = conversion.values
    assert told(values, "intelligence", "alertness", "willpower", "generation") == [5, 2, 5, "12"]
    assert rows(values, "own_knowledges") == [("Clockwork", 4)]
    assert told(values, "aggravated", "being") == [1, "mortal"]
    assert {left.label for left in conversion.left} == {"Mage", "quintessence: 3", "guild: Brass", "roleplaytip"}


def test_actors_of_other_systems_are_not_ours():
    for change in ({"_stats": {"systemId": "vtm5e"}}, {"system": {"attributes": {}}}, {"items": None}):
        assert converted(foundry_files.vampire() | change) is None
