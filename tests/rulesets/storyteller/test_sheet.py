import subprocess
import sys

import pytest
from django.utils import translation

from characters.sheets import SHEETS
from characters.sheets.fields import Number, SheetError
from characters.sheets.traits import find
from languages.letters import fold
from rulesets.storyteller.sheet import FORTITUDE, POTENCE, SHEET, discipline, health, label_in_language, makes, pool
from tests.answers import refusal

SILAS = {"perception": 3, "alertness": 2, "willpower": 7, "willpower_now": 5, "occult": 6, "wits": 0}


def test_it_has_nine_attributes_in_three_groups_and_thirty_abilities_in_three():
    sizes = {group.name: sum(isinstance(field, Number) for field in group.fields) for group in SHEET.groups}
    for name in ("physical", "social", "mental"):
        assert sizes[name] == 3
    for name in ("talents", "skills", "knowledges"):
        assert sizes[name] == 10 and f"own_{name}" in SHEET.lists
    assert SHEETS["storyteller"] is SHEET


def test_attributes_begin_with_a_dot_and_abilities_with_none():
    assert SHEET.value({}, "strength") == 1
    assert SHEET.value({}, "animal_ken") == 0


@pytest.mark.parametrize("trait", ["willpower", "inspiration"])
def test_the_current_rating_stays_between_none_and_the_permanent_one(trait):
    values = SILAS | {trait: 7}
    assert SHEET.clean(values, f"{trait}_now", 0) == 0
    assert SHEET.clean(values, f"{trait}_now", 7) == 7
    with pytest.raises(SheetError):
        SHEET.clean(values, f"{trait}_now", 8)
    with pytest.raises(SheetError):
        SHEET.clean(values, trait, 11)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("perception", "perception"),
        ("  Perception ", "perception"),
        ("PERC", "perception"),
        ("animal ken", "animal_ken"),
        ("animal_ken", "animal_ken"),
        ("animalken", "animal_ken"),
        ("will", "willpower"),
        ("hum", "humanity"),
        ("self-control", "self_control"),
        ("SELF–CÓNTROL", "self_control"),
    ],
)
def test_a_trait_is_found_by_name_label_or_beginning(text, name):
    assert find(SHEET, text, {}).name == name


@pytest.mark.parametrize("language", ["en-gb", "de"])
def test_abilities_stand_in_the_order_of_the_reader_s_words_and_attributes_as_the_rules_have_them(language):
    groups = {group.name: group for group in SHEET.groups}
    with translation.override(language):
        talents = [str(field.label) for field in groups["talents"].in_order]
        assert talents[:-1] == sorted(talents[:-1], key=fold) and groups["talents"].in_order[-1].name == "own_talents"
    assert [field.name for field in groups["physical"].in_order] == ["strength", "dexterity", "stamina"]


OWN = {
    "own_knowledges": [
        {"id": str(number), "name": name, "rating": number}
        for number, name in enumerate(["O’Brien’s law", "Stone #2", "Stone #3", "Pâté", "Pate", "か", "が"], 1)
    ]
}


@pytest.mark.parametrize(
    ("text", "rating"),
    [
        ("o’brien’s law", 1),
        ("O'Briens Law", 1),
        ("stone #2", 2),
        ("stone 3", 3),
        ("Pa\u0302te\u0301", 4),
        ("Pate", 5),
        ("か", 6),
        ("が", 7),
    ],
)
def test_a_trait_is_found_as_the_sheet_spells_it_and_by_its_letters(text, rating):
    assert find(SHEET, text, OWN).rating == rating


def test_a_beginning_that_fits_several_names_them():
    with pytest.raises(SheetError, match="could be Strength or Streetwise"):
        find(SHEET, "str", {})


def test_a_slip_of_the_keyboard_gets_near_matches():
    with pytest.raises(SheetError, match=r"No trait called “percpetion”\. Did you mean Perception"):
        find(SHEET, "percpetion", {})


@pytest.mark.parametrize("text", ["", "   ", "!!", "zzzzzz", "willpower_now", "x" * 10_000])
def test_what_is_no_trait_is_refused_in_few_words(text):
    assert len(refusal(SheetError, find, SHEET, text, {}).message) < 150


CRYPTIC = SHEET.add_row(SILAS, "own_knowledges", "a1", {"name": "Cryptography", "rating": 5})


@pytest.mark.parametrize(
    ("values", "names", "dice", "ability", "label"),
    [
        (SILAS, ["perception ", " alertness"], 5, 2, "Perception + Alertness"),
        (SILAS, ["perc", "brawl"], 3, 0, "Perception + Brawl"),
        (SILAS, ["perc", "occult"], 9, 6, "Perception + Occult"),
        ({"perception": 5}, ["perception"], 5, 0, "Perception"),
        (SILAS, ["wits"], 0, 0, "Wits"),  # which the roll refuses
        (SILAS, ["willpower"], 7, 0, "Willpower"),
        (CRYPTIC, ["perc ", " crypto"], 8, 5, "Perception + Cryptography"),
        (CRYPTIC, ["own_knowledges/a1/rating"], 5, 5, "Cryptography"),
        (
            SHEET.add_row({}, "powers", "a1", {"name": "Shadow walking", "rating": 4}),
            ["shadow"],
            4,
            0,
            "Shadow walking",
        ),
    ],
)
def test_a_pool_is_the_sum_of_its_traits_and_mastery_is_of_its_ability(values, names, dice, ability, label):
    rated = pool(values, names)
    assert (rated.dice, rated.ability, rated.label) == (dice, ability, label)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("willpower+perception", "Willpower is rolled alone"),
        ("wits+humanity", "Humanity is rolled alone"),
        ("wits+wits", "Wits is in this pool twice"),
        ("wits+", "No trait called “”"),
        ("wits+brawl+melee+drive+law", "at most 4 traits"),
    ],
)
def test_pools_that_make_no_sense_are_refused(text, message):
    with pytest.raises(SheetError, match=message):
        pool(SILAS, text.split("+"))


def test_seven_health_levels_take_the_worst_damage_first():
    hurt = {"bashing": 1, "lethal": 2, "aggravated": 1}
    assert health(hurt) == ["aggravated", "lethal", "lethal", "bashing", "", "", ""]
    assert SHEET.clean(hurt, "bashing", 4) == 4
    assert refusal(SheetError, SHEET.clean, hurt, "bashing", 5).range == (0, 4)


def test_an_empty_pool_is_refused():
    with pytest.raises(SheetError, match="Name a trait"):
        pool(SILAS, [])


def test_the_sheets_load_without_django():
    script = "import sys, characters.sheets; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


@pytest.mark.parametrize("name", ["Fortitude", "fortitude ", "Seelenstärke"])
@pytest.mark.parametrize("language", ["en-gb", "de"])
def test_a_discipline_is_found_by_its_name_in_any_language_whoever_reads(name, language):
    values = {"powers": [{"id": "f", "name": name, "rating": 3}, {"id": "p", "name": "Auspex", "rating": 4}]}
    with translation.override(language):
        assert discipline(values, FORTITUDE) == 3
        assert discipline(values, POTENCE) == 0
        assert makes("soak", pool(values, ["stamina", name]).traits)
        assert not makes("soak", pool(values, ["stamina", "auspex"]).traits)


def test_a_field_is_called_by_its_label_in_the_language_that_is_active_and_words_of_ones_own_as_they_are():
    with translation.override("de"):
        assert label_in_language("Alertness") == "Aufmerksamkeit"
        assert label_in_language("Animal Ken") == "Tierkunde"
        assert label_in_language("Haggling") == "Haggling"
