"""The pages under /odds/: exact figures for everybody, in addresses that can be passed on."""

import re
from urllib.parse import parse_qsl, urlencode

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from rolls.registry import all_rules, rules_called
from tests.answers import queries
from tests.dom import Node, parse

HTMX = {"HX-Request": "true"}

# The faulty field, and the one message about it.
DICE = "Dice: enter a whole number from 1 to 20."
REFUSED = [
    ("storyteller", "dice=1000000000", "dice", DICE),
    ("storyteller", "dice=-1", "dice", DICE),
    ("storyteller", "dice=0", "dice", DICE),
    ("storyteller", "dice=NaN", "dice", DICE),
    ("storyteller", "dice=2.5", "dice", DICE),
    ("storyteller", "dice=five", "dice", DICE),
    ("storyteller", "dice=%00", "dice", DICE),
    ("storyteller", f"dice={'9' * 6000}", "dice", DICE),
    ("storyteller", "difficulty=11", "difficulty", "Difficulty: enter a whole number from 2 to 10."),
    ("storyteller", "dice=5&dice=6", "dice", "Dice is in the address more than once. Give it once."),
    ("scale", "scale=8", "scale", "Scale: enter a whole number from −7 to 7."),
    ("scale", "banked=luck", "banked", "In the bank: choose nothing, Grace or Trouble."),
    ("descriptors", "b=21", "b", "Their dice: enter a whole number from 0 to 20."),
    ("arc", "es=0", "es", "Skill score: enter a whole number from 1 to 10."),
    ("arc", "lead=1e9", "lead", "Lead: enter a whole number from −30 to 30."),
    ("forged", "dice=-6", "dice", "Dice: enter a whole number from −5 to 12."),
    ("forged", "pools=2,two", "pools", "Type the dice of everyone who rolls, such as 2, 1, 3."),
    ("forged", "pools=2,99", "pools", "A group has at most 10 people, with −5 to 12 dice each."),
    ("forged", f"pools={'1,' * 10}1", "pools", "A group has at most 10 people, with −5 to 12 dice each."),
]

pytestmark = pytest.mark.django_db

SYSTEMS = [one.name for one in all_rules()]


def page(system: str, query: str = "", client: Client | None = None, **headers: str) -> str:
    answer = (client or Client()).get(f"/odds/{system}/?{query}", headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def words(node: Node | str | None) -> str:
    assert node is not None
    return node if isinstance(node, str) else " ".join(filter(None, map(words, node.children)))


def rows(html: str, section: str) -> list[str]:
    """Return the rows of all tables of a section, each as its words."""
    found = parse(html).by_id(section)
    assert found, section
    return [words(node) for node in found.walk() if node.tag == "tr"]


def test_the_overview_leads_a_stranger_to_every_system_and_its_examples():
    html = Client().get("/odds/").content.decode()
    for subject in all_rules():
        assert f'href="/odds/{subject.name}/"' in html
        for said, query in subject.odds.examples:
            assert escape(said) in html
            assert "is-wrong" not in page(subject.name, query[1:])
            assert parse(page(subject.name, query[1:])).by_id("roll"), query


FIVE = "dice=5&difficulty=6"
# What a section tells in a row of its tables, or in a sentence.
TOLD = [
    ("storyteller", FIVE, "roll", "Botch 2 % 2101/100000"),
    ("storyteller", FIVE, "roll", "Failure 13 % 13499/100000"),
    ("storyteller", FIVE, "roll", "Any success 84 % 211/250"),
    ("storyteller", FIVE, "scale", "0 23 % 2823/12500"),
    ("storyteller", FIVE, "scale", "+0.43 on average (867/2000)"),
    ("storyteller", f"{FIVE}&ability=5", "roll", "Botch under 1 % 821/100000"),
    ("storyteller", f"{FIVE}&willpower=on", "roll", "Botch 0 % 0"),
    ("storyteller", f"{FIVE}&willpower=on", "roll", "Any success 100 % 1"),
    # The point is one of the two: these are the chances of one success without it.
    ("storyteller", f"{FIVE}&willpower=on", "every-pool", "Two successes or more"),
    ("storyteller", f"{FIVE}&willpower=on", "every-pool", "2 81 80 77 72 65 56 45 32 17"),
    ("storyteller", f"{FIVE}&willpower=on", "every-pool", "2 81 64 49 36 25 16 9 4 1"),
    ("storyteller", "dice=2&difficulty=2", "every-pool", "2 81 80 77 72 65 56 45 32 17"),
    ("scale", f"scale=0&{FIVE}", "roll", "Any Burn 14 % 13971/100000"),
    # Five dice from within ±2 never come to 8.
    ("scale", f"scale=0&{FIVE}", "major", "Burns are taken at once never never"),
    ("scale", "scale=0&banked=grace&dice=5", "roll", "Both Burns fire 14 % 13971/100000"),
    ("descriptors", "a=3&b=2", "roll", "You win 63 % 31607/50000"),
    ("descriptors", "a=3&b=2", "roll", "Stalemate 0 % 0"),
    ("descriptors", "a=3&b=2", "roll", "They win 37 % 18393/50000"),
    ("descriptors", "a=1&b=1", "roll", "Stalemate 10 % 1/10"),
    ("descriptors", "a=1&b=1", "equal", "2 49 % 2 % 19/1000"),
    ("descriptors", "a=2&b=0", "roll", "You win 100 % 1"),
    ("descriptors", "a=0&b=0", "roll", "Stalemate 100 % 1"),
    ("arc", "es=5&needed=0&som=3", "roll", "Success 62 % 5/8"),
    ("arc", "es=5&needed=0&som=3", "reaction", "10 100 %"),
    ("arc", "es=5&needed=0&som=3", "reaction", "State of mind 3 passes with 30 %"),
    ("forged", "dice=2&pools=2,1,0", "roll", "1-3 25 % 1/4"),
    ("forged", "dice=2&pools=2,1,0", "roll", "4/5 44 % 4/9"),
    ("forged", "dice=2&pools=2,1,0", "roll", "6 28 % 5/18"),
    ("forged", "dice=2&pools=2,1,0", "roll", "Critical 3 % 1/36"),
    ("forged", "dice=2&pools=2,1,0", "by-dice", "0 or less 75 22 3 0 3.47"),
    ("forged", "dice=2&pools=2,1,0", "by-dice", "4 6 42 39 13 0.62"),
    ("forged", "dice=2&pools=2,1,0", "resistance", "1.50 on average (3/2)"),
    ("forged", "dice=2&pools=2,1,0", "group", "1-3 9 % 3/32"),
    ("forged", "dice=-3", "roll", "1-3 75 % 3/4"),
    ("forged", "dice=0", "roll", "1-3 75 % 3/4"),
]


@pytest.mark.parametrize(("system", "query", "section", "said"), TOLD)
def test_a_section_tells_its_figures_exactly(system, query, section, said):
    html = page(system, query)
    assert said in rows(html, section) or said in words(parse(html).by_id(section))


def test_the_chosen_pool_and_difficulty_are_marked_among_all():
    found = parse(page("storyteller", "dice=2&difficulty=2"))
    chosen = [node for node in found.walk() if node.tag == "a" and node.attrs.get("aria-current") == "true"]
    assert [words(node) for node in chosen] == ["81", "1"]
    assert chosen[0].attrs["title"] == "81/100"


def test_figures_of_many_rolls_and_skill_scores_stand_in_their_columns():
    major = rows(page("scale", f"scale=0&{FIVE}"), "major")
    assert any(re.fullmatch(r"Burns are banked \d\d\.\d\d % \d+\.\d\d", row) for row in major), major
    means = [row.split()[-3] for row in rows(page("arc", "es=5&needed=0&som=3"), "core")[1:]]
    assert means == ["−1.25", "0.00", "0.00", "1.17", "1.12", "2.25", "2.20", "3.30", "3.25", "4.33"]


@pytest.mark.parametrize(("system", "query", "field", "said"), REFUSED)
def test_what_cannot_be_is_refused_at_its_field_and_nothing_is_counted(system, query, field, said, monkeypatch):
    def counted(**_):
        pytest.fail("something was counted")

    rules = rules_called(system)
    monkeypatch.setattr(rules.odds, "sections", counted)
    for headers in ({}, HTMX):
        found = parse(page(system, query, **headers))
        assert words(found.by_id(f"id_{field}_error")) == said


def test_a_setting_that_is_left_out_or_empty_has_its_default():
    assert rows(page("storyteller", "dice=&difficulty="), "roll") == rows(page("storyteller"), "roll")
    assert "5 dice at difficulty 6" in page("storyteller", "other=1")


@pytest.mark.parametrize(
    ("system", "settings"),
    [
        ("storyteller", {"dice": 4, "difficulty": 7, "ability": 5, "willpower": "on"}),
        ("scale", {"scale": -2, "banked": "grace", "dice": 4, "difficulty": 7}),
        ("arc", {"es": 3, "needed": -1, "against": 6, "lead": 2, "som": 4}),
        ("forged", {"dice": 3, "pools": "2, 1", "against": 1}),
    ],
)
def test_a_link_from_a_figure_changes_what_it_names_and_keeps_the_rest(system, settings):
    found = parse(page(system, urlencode(settings)))
    links = [
        href for node in found.walk() if node.tag == "a" and (href := node.attrs.get("href") or "").startswith("?")
    ]
    assert links
    for link in links:
        said = dict(parse_qsl(link[1:]))
        assert set(said) == set(settings)
        assert sum(said[name] != str(value) for name, value in settings.items()) <= 2, link


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_changed_form_gets_the_odds_and_the_errors_alone(system):
    html = page(system, **HTMX)
    assert "<html" not in html
    assert len(re.findall('hx-swap-oob="true"', html)) == len(rules_called(system).odds.form.base_fields)
    assert parse(html).by_id("roll")


def test_who_goes_back_gets_the_whole_page_and_no_cache_mixes_the_two_up():
    answer = Client().get("/odds/arc/", headers={**HTMX, "HX-History-Restore-Request": "true"})
    assert "<html" in answer.content.decode()
    assert {"HX-Request", "HX-History-Restore-Request"} <= set(answer["Vary"].split(", "))


@pytest.mark.parametrize("system", SYSTEMS)
def test_regions_and_anchors_have_names_of_their_own(system):
    found = parse(page(system))
    assert len(set(found.ids())) == len(found.ids())
    regions = [node for node in found.walk() if node.tag == "section" or node.attrs.get("role") == "region"]
    names = [node.attrs.get("aria-label") or words(found.by_id(node.attrs["aria-labelledby"])) for node in regions]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_page_looks_the_same_to_who_is_signed_in_but_for_the_head(cast, system):
    mine, theirs = (parse(page(system, client=client)).by_id("main") for client in (cast.player.client, Client()))
    assert str(mine) == str(theirs)


@pytest.mark.parametrize("path", ["", "storyteller/?dice=7", "scale/", "descriptors/", "arc/", "forged/"])
def test_a_stranger_costs_no_query(path):
    assert queries(Client(), f"/odds/{path}") == 0


def test_a_system_that_there_is_not_is_not_found_and_the_pages_are_only_read():
    assert Client().get("/odds/thirteen/").status_code == 404
    assert Client().post("/odds/").status_code == 405
    assert Client().post("/odds/arc/").status_code == 405


def test_every_page_leads_here(cast):
    for url in ("/accounts/login/", "/rules/", reverse("table", args=[cast.campaign.slug])):
        assert 'href="/odds/"' in cast.player.client.get(url, follow=True).content.decode(), url
