"""Every ruleset as the value that it is: names, settings, odds, slash command, templates, and what the guide tells of it."""

from __future__ import annotations

import json
import random
import re
from fractions import Fraction
from html.parser import HTMLParser
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from urllib.parse import urlencode

import pytest
from django.contrib.staticfiles import finders
from django.forms import Field, IntegerField, MultipleChoiceField
from django.http import QueryDict
from django.template.loader import get_template
from django.urls import reverse

from api.api import api
from campaigns import rulesets
from campaigns.access import viewer_of
from rolls.events import described
from rolls.guide import Mark
from rolls.payloads import RollMade
from rolls.queries import guide
from rolls.registry import LEFT_OUT, all_rules, kind_of
from rolls.ruleset import Ruleset
from rolls.settings import RollSettings, made, plain
from rolls.slash import is_roll, read_roll
from rolls.views.procedures import form_template
from rules import questions
from rules.checked import Whole
from rules.procedures import OPEN
from rulesets.discovery import LEFT_OUT as NOT_LOADED
from rulesets.discovery import packages
from tests.rulesets.conformance.play import ways_to_fall

MOST_THROWN = 200
"""The number of throws to find the results of a sample's dice."""


@pytest.mark.parametrize("name", packages())
def test_every_package_registers_the_rules_that_its_entry_point_names(name):
    """A package that is left out has no other test here; `manage.py check` gives the reason."""
    assert name in {rules.name for rules in all_rules()}, {**NOT_LOADED, **LEFT_OUT}


def test_no_two_operations_of_the_api_have_one_name():
    """Otherwise a package would hide a route of the site, or of another package."""
    paths = api.get_openapi_schema()["paths"].values()
    names = [operation["operationId"] for methods in paths for operation in methods.values()]
    assert sorted(names) == sorted({*names})


def test_its_names_can_be_kept_for_good(ruleset):
    assert rulesets.NAME.fullmatch(ruleset.name) and ruleset.name in packages()
    assert ruleset.label and ruleset.short
    assert 40 < len(ruleset.about) < 240 and ruleset.about.endswith("."), "two lines for those who choose"
    assert ruleset.sheets[0].name == ruleset.name and not ruleset.sheets[0].crew_of
    assert all(sheet.crew_of == ruleset.name for sheet in ruleset.sheets[1:])
    assert ruleset.form.system == ruleset.name
    assert {*ruleset.schemes, *ruleset.figures} <= {sheet.name for sheet in ruleset.sheets}


def test_its_templates_and_styles_are_there(ruleset):
    for name in ("form.html#slots", "form.html#more", "request.html", "card.html"):
        assert get_template(f"{ruleset.name}/{name}")
    for style in (*ruleset.styles, *(script for sheet in ruleset.sheets for script in sheet.layout.scripts)):
        assert finders.find(style), style


def test_its_guide_tells_every_rule_with_its_source_and_every_setting_once(ruleset):
    told = guide.system(ruleset.name)
    assert told and told.name and told.summary.endswith(".") and told.rules
    for rule in told.rules:
        assert rule.title and rule.text.endswith("."), rule.id
        assert rule.source or rule.mark is Mark.DECISION, rule.id
    group = ruleset.settings
    wanted = [f"{ruleset.name}.{name}" for name in group.kind.model_fields] if group else []
    assert sorted(rule.setting.name for rule in told.rules if rule.setting) == sorted(wanted)
    if ruleset.budget:
        assert any(rule.table and rule.table.caption == "Points to spend" for rule in told.rules)
    if type(ruleset).guide_example is not Ruleset.guide_example:
        assert any(rule.examples for rule in told.rules)


def test_its_settings_have_words_and_come_back_as_they_were_kept(ruleset):
    if group := ruleset.settings:
        assert group.words.keys() == group.kind.model_fields.keys()
        assert set(group.help) <= set(group.words) and all(group.words.values())
        assert made(group.kind, json.loads(json.dumps(plain(group.kind())))) == group.kind()


def test_its_results_are_those_that_statistics_judge(ruleset):
    assert set(ruleset.successes) <= set(ruleset.results)


def test_what_statistics_expect_is_what_the_dice_bring(at):
    """Every way in which the dice of a sample can fall is read by the rules, and compared with the chance that statistics use."""
    expectation, compared = at.ruleset.expectation, 0
    for what, roll in at.rolls.items():
        if not expectation.judges(roll.kind) or roll.outcome["result"] not in at.ruleset.successes:
            continue
        chance, chances = at.ruleset.expected(roll.kind, roll.ask, RollSettings(), for_gm=True)
        ways = ways_to_fall(at, roll)
        if chance is None or not ways:
            continue
        cases = ways.total()
        if set(ways) <= set(at.ruleset.successes):
            compared += 1
            succeeded = sum(number for result, number in ways.items() if at.ruleset.successes[result])
            assert float(Fraction(succeeded, cases)) == pytest.approx(chance, abs=1e-12), what
        if chances is not None:
            assert set(ways) <= set(chances) <= set(at.ruleset.results), what
            told = {result: float(Fraction(ways[result], cases)) for result in chances}
            assert told == pytest.approx({**chances}, abs=1e-12), what
    assert compared, "No sample has few enough dice to be gone through: add one."


def test_every_result_that_the_dice_can_bring_is_known_and_has_words(at):
    """This includes results that no sample has, since all its dice show 4."""
    expectation, chance = at.ruleset.expectation, random.Random(1)
    for what, roll in at.rolls.items():
        if not roll.faces or not expectation.judges(roll.kind):
            continue
        sides, count = expectation.sides(roll.kind, roll.ask, RollSettings()), len(roll.faces)
        thrown = [[chance.randint(1, sides) for _ in range(count)] for _ in range(MOST_THROWN)]
        ends = [[1] * count, [sides] * count]
        readings = [kind_of(roll).read(roll.ask, iter(faces), RollSettings()).outcome for faces in ends + thrown]
        outcomes = {outcome["result"]: outcome for outcome in readings}
        # Where the log judges some of them, none is forgotten.
        assert not outcomes.keys() & at.ruleset.results.keys() or outcomes.keys() <= at.ruleset.results.keys(), what
        for result, outcome in outcomes.items():
            roll.outcome = outcome
            words = described({**roll.event.payload, "outcome": result, "card": kind_of(roll).card(roll)})
            assert words["words"] and words["headline"], f"{what}: {result}"


def test_its_card_draws_nothing_that_is_not_told(at):
    """A name that neither a schema nor `describe` has would be drawn as nothing at all."""
    drawn = set(re.findall(r"\bpayload\.(\w+)", get_template(f"{at.ruleset.name}/card.html").template.source))
    told = {*RollMade.model_fields, *at.ruleset.table.schema.model_fields, *at.ruleset.table.back_schema.model_fields}
    told |= {name for roll in at.rolls.values() for name in roll.event.described}
    assert drawn <= told, drawn - told


def test_its_question_is_answered_at_every_corner(ruleset):
    module = f"{packages()[ruleset.name]}.odds"
    question = getattr(import_module(module), "QUESTION", None) if find_spec(module) else None
    if question is None:
        return
    ends = [
        sorted({number.low, min(number.high, 2), min(number.high, 6), *([] if key.is_required() else [key.default])})
        for key in question.model_fields.values()
        for number in key.metadata
        if isinstance(number, Whole)
    ]
    answers = {}
    for values in product(*ends):
        asked = {"system": ruleset.name, **dict(zip(question.model_fields, values, strict=True))}
        answers[values] = answer = questions.answer(json.dumps(asked), {ruleset.name: question})
        assert "error" not in answer, asked
        assert all(0 <= Fraction(one) <= 1 for one in answer.values() if isinstance(one, str)), asked
    for place, key in enumerate(question.model_fields):
        others = [(values, (*values[:place], end, *values[place + 1 :])) for values in answers for end in ends[place]]
        assert any(answers[one] != answers[other] for one, other in others), f"“{key}” changes no answer"


def test_its_page_of_odds_answers_what_it_begins_with_and_every_example(ruleset):
    if page := ruleset.odds:
        for query in ("", *(query for _, query in page.examples)):
            form = page.form(QueryDict(query.lstrip("?")))
            assert form.is_valid(), f"{query}: {form.errors}"
            sections = page.sections(**form.cleaned_data)
            assert len({section.id for section in sections}) == len(sections) > 0


def test_every_field_of_its_page_of_odds_changes_its_figures(ruleset):
    """Each is changed alone, and together with one of the others, on which it may depend."""
    page = ruleset.odds
    if page is None:
        return
    changes = [(name, value) for name, field in page.form.base_fields.items() for value in ends_of(field)]

    def figures(**asked: object) -> object:
        form = page.form(QueryDict(urlencode(asked)))
        sections = page.sections(**form.cleaned_data) if form.is_valid() else ()
        return [(section.bar, section.charts, [table.rows for table in section.tables]) for section in sections]

    for name in page.form.base_fields:
        beside = [{}, *({other: value} for other, value in changes if other != name)]
        alone = [{name: value} for other, value in changes if other == name]
        assert any(figures(**others) != figures(**others, **one) for others in beside for one in alone), name


def ends_of(field: Field) -> list[object]:
    """Return values of a field of a page of odds: the ends of a number, every choice, or on."""
    if isinstance(field, IntegerField):
        return [field.min_value, field.max_value]
    return [value for value, _ in getattr(field, "choices", ())] or ["on"]


def test_its_slash_command_fills_in_its_form(ruleset):
    if command := ruleset.slash:
        commands = {ruleset.name: command}
        assert command.words and all(word == word.casefold() and word.startswith("/") for word in command.words)
        for line, does in ((str(line), does) for line, does in command.examples):
            assert does and is_roll(line, commands), line
            form = ruleset.form(read_roll(line, commands))
            assert set(form.data) <= set(form.fields) | {"system"}, line
            assert form.is_valid(), f"{line}: {form.errors}"


def test_its_procedures_have_their_cards_and_forms_that_draw_fields_that_they_read(at):
    ours = {"key", "client_seed", "reason"}
    for kind, rules in at.ruleset.procedures.items():
        for name in rules.forms:
            form_template(at.ruleset.name, kind, name)
        url = reverse("procedure_new", args=[at.cast.campaign.slug, at.ruleset.name, kind])
        answer = at.cast.gm.client.get(url)
        if OPEN not in rules.forms:
            assert answer.status_code == 404
            continue
        drawn, fields = Names(answer.content.decode()).found, rules.forms[OPEN]().fields
        # A box for each person present, perhaps none; and the field that a refusal adds to the form.
        seldom = {name for name, field in fields.items() if isinstance(field, MultipleChoiceField)} | {"override"}
        if not drawn:
            # Where there is nothing to choose, a sentence says what to do, in place of the form.
            assert rules.forms[OPEN].choices(viewer_of(at.cast.gm.user, {}, at.cast.campaign.slug))["nothing"], kind
            continue
        assert ours <= drawn <= ours | set(fields), kind
        # If no one is there to begin it with, the form says so and has no fields of its own.
        assert set(fields) - seldom <= drawn or drawn == ours, kind


class Names(HTMLParser):
    """The names of the fields in a form."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {
            value for name, value in attrs if name == "name" and value and tag in ("input", "select", "textarea")
        }


def test_its_form_draws_fields_that_it_reads(at):
    """This includes the part that a GM fills in to request a roll."""
    ours = {"key", "system", "client_seed", "member", "reason"}
    for person, name in ((at.cast.player, "roll_form"), (at.cast.gm, "roll_form"), (at.cast.gm, "request_new")):
        drawn = Names(at.page(person, name, system=at.ruleset.name)).found
        assert drawn - ours <= set(at.ruleset.form.base_fields)
