"""Errors in a registered ruleset, in sentences: checked when the site starts and by its checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from campaigns.kinds import outcomes
from campaigns.rulesets import NAME
from campaigns.schema import leaves
from characters.sheets.fields import Visibility
from characters.sheets.sheet import Resource, Sheet
from languages.text import LazyText
from rolls.forms.base import CorrectionForm, FacesField
from rolls.models import Roll
from rolls.queries.guide import system_of
from rolls.queries.tonight import PARTS, evening_of
from rolls.ruleset import Expectation, Rules, Ruleset
from rolls.table_rules import RollKind
from rules.dice import D10

NEEDED: Final = ("prepare", "read", "describe", "preview", "request", "request_words")
WORDS: Final = {"words", "headline", "detail", "why"}
"""Keys that a stored card may not have: words are made when it is read."""
READ_BY_PLAYERS: Final = (Visibility.PUBLIC, Visibility.SHEET)
LONGEST_RESULT: Final = 40
"""The most characters of a result's name, which is shown in the log's filter and in a table of the statistics."""
LONGEST_KIND: Final = Roll._meta.get_field("kind").max_length or 0


def problems(rules: Rules) -> Iterator[str]:
    """Give a sentence for each thing that is wrong with rules that are registered."""
    for name in ("name", "label"):
        if not isinstance(getattr(rules, name, None), str | LazyText):
            yield f"It says no `{name}`."
            return
    if not NAME.fullmatch(rules.name):
        yield f"Its name “{rules.name}” is not 1 to 20 small letters, digits and hyphens, of which the first is a letter."
    yield from _settings(rules)
    if isinstance(rules, Ruleset):
        if missing := [name for name in ("table", "form", "results") if not hasattr(rules, name)]:
            yield f"It says no `{'`, no `'.join(missing)}`."
            return
        yield from _sheets(rules)
        yield from _table(rules)
        yield from _results(rules)
        for kind, procedure in rules.procedures.items():
            yield from _schema(f"state` of `{kind}", procedure.rows)
            if needed := [name for name, field in procedure.rows.model_fields.items() if field.is_required()]:
                yield f"Its procedure “{kind}” has no default for `{'`, `'.join(needed)}`."
        for part in ("form", "request", "card"):
            yield from _template(f"{rules.name}/{part}.html")
        yield from _evening(rules)
    for template in filter(None, (rules.live, *(panel.template for panel in rules.panels))):
        yield from _template(template)
    yield from _guide(rules)


def _settings(rules: Rules) -> Iterator[str]:
    if group := rules.settings:
        names = set(group.kind.model_fields)
        for what, words in (("words", group.words), ("help", group.help), ("entries", group.entries)):
            for name in sorted(set(words) - names):
                yield f"The `{what}` of its settings name “{name}”, which is no field of {group.kind.__name__}."
        for name in sorted(names - set(group.words)):
            yield f"Its setting “{name}” has no `words`."


def _sheets(rules: Ruleset) -> Iterator[str]:
    names = [sheet.name for sheet in rules.sheets]
    if not names or names[0] != rules.name:
        yield f"Its first sheet has to be called “{rules.name}”, as it is."
    of_sheets: dict[str, Mapping[str, object]] = {
        "schemes": rules.schemes,
        "figures": rules.figures,
        "states": rules.states,
        "rows": {row.sheet: row for row in rules.rows},
    }
    for what, by_sheet in of_sheets.items():
        for name in sorted(set(by_sheet) - set(names)):
            yield f"Its `{what}` name “{name}”, which is none of its sheets."
    for sheet in rules.sheets:
        yield from _layout(sheet, rules)


def _layout(sheet: Sheet, rules: Ruleset) -> Iterator[str]:
    groups, held = {group.name for group in sheet.groups}, {*sheet.fields, *sheet.lists}
    bands = {name for band in sheet.layout.bands for name in band}
    gathered = {name for _, _, those in sheet.layout.gathers for name in those}
    for name in sorted((bands | gathered) - groups):
        yield f"The layout of its sheet “{sheet.name}” names “{name}”, which is no group of it."
    for slot in sorted(_slots(sheet) - set(rules.form.base_fields)):
        yield f"The `slots` of its sheet “{sheet.name}” name “{slot}”, which is no field of its form."
    for resource in sheet.layout.resources:
        for name in sorted(_needed(resource) - held):
            yield f"A resource of its sheet “{sheet.name}” names “{name}”, which is no field of it."
    for limit in sheet.limits:
        for name in sorted(set(limit.names) - held):
            yield f"The limit “{limit.label}” of its sheet “{sheet.name}” names “{name}”, which is no field of it."


def _slots(sheet: Sheet) -> set[str]:
    """Return the slots of the roll form that this sheet fills when pressed; none for a crew's sheet."""
    numbers, rows = sheet.layout.slots
    pressed = {rows} if any(one.trait for one in sheet.lists.values()) else set()
    return set() if sheet.crew_of else {numbers, *pressed}


def _needed(resource: Resource) -> set[str]:
    """Return the names of fields in it; one with flags or a figure has a name of its own."""
    own = set() if resource.flags or resource.figure else {resource.name}
    return own | {*resource.flags, *resource.counts, *([resource.length] if resource.length else [])}


def _table(rules: Ruleset) -> Iterator[str]:
    table, form = rules.table, rules.form
    kinds: dict[str, RollKind] = {f"kind of roll “{name}”": kind for name, kind in table.kinds.items()} or {
        "table": table
    }
    for called, kind in kinds.items():
        for name in NEEDED:
            if getattr(type(kind), name) is getattr(RollKind, name):
                yield f"Its {called} has no `{name}`."
    for what in ("schema", "request_schema", "back_schema"):
        yield from _schema(what, getattr(table, what))
    card = set(table.schema.model_fields)
    for name in sorted(WORDS & card):
        yield f"Its `schema` has “{name}”: a card keeps no words, `describe` gives them when it is read."
    if form.system != rules.name:
        yield f"The RollInput of its form says that its system is “{form.system}”, and not “{rules.name}”."
    yield from _correction(rules)
    yield from _dice(rules)
    for name in sorted(set(table.typed) - card):
        yield f"`typed` names “{name}”, which its `schema` does not have."
    field: Any = form.base_fields.get("kind")
    chosen = {str(value) for value, _ in getattr(field, "choices", ())}
    for name in sorted(chosen | set(table.kinds)):
        if len(name) > LONGEST_KIND:
            yield f"Its kind of roll “{name}” has more than {LONGEST_KIND} letters."
    for name in sorted(chosen - {""} - set(table.kinds)) if table.kinds else ():
        yield f"Its form offers the kind of roll “{name}”, which `kinds` does not name."


def _correction(rules: Ruleset) -> Iterator[str]:
    if not issubclass(rules.correction, CorrectionForm):
        yield "Its `correction` is no CorrectionForm."
        return
    asked, correctable = set(rules.correction.base_fields), set(rules.table.correctable)
    for name in sorted(correctable - asked):
        yield (
            f"`correctable` names “{name}”, which is no field of the form that corrects a roll: add it to the form of the roll, "
            "or write a `correction`, a CorrectionForm that has it."
        )
    for name in sorted(asked - {*CorrectionForm.base_fields} - correctable):
        yield f"The form that corrects a roll has “{name}”, which `correctable` does not name."


def _dice(rules: Ruleset) -> Iterator[str]:
    """Compare the faces that may be typed with the dice that statistics count."""
    faces = rules.form.base_fields.get("faces")
    says_sides = type(rules.expectation).sides is not Expectation.sides
    if isinstance(faces, FacesField) and faces.sides != D10.sides and not says_sides:
        yield f"Its form takes faces up to {faces.sides}, and its `expectation` has no `sides`: statistics would count d10s."


def _results(rules: Ruleset) -> Iterator[str]:
    for result in rules.results:
        if (outcome := rules.outcome_of(result)) not in outcomes():
            yield f"`results` say that “{result}” is “{outcome}”, which is no outcome of the log."
    called = list(rules.result_words().items())
    for place, (result, words) in enumerate(called):
        if not words.strip() or len(words) > LONGEST_RESULT:
            yield f"`results` call “{result}” “{words}”, which is not 1 to {LONGEST_RESULT} letters."
        if same := [earlier for earlier, other in called[:place] if other == words]:
            yield f"`results` call “{result}” and “{same[0]}” the same: “{words}”."
    for name in sorted(set(rules.successes) - set(rules.results)):
        yield f"`successes` name “{name}”, which is none of its `results`."
    if (slash := rules.slash) and not all(word.startswith("/") and word == word.casefold() for word in slash.words):
        yield f"A word of its slash command does not begin with a slash, or has capitals: {', '.join(slash.words)}."
    if slash:
        named = {*slash.places, *(field for field, _ in slash.keywords.values())}
        for name in sorted(named - set(rules.form.base_fields)):
            yield f"Its slash command fills in “{name}”, which is no field of its form."


def _schema(what: str, schema: Any) -> Iterator[str]:
    """Name the strings of a schema that do not say who made them up (campaigns/schema.py)."""
    try:
        bare = [leaf.path for leaf in leaves(schema) if leaf.kind is str and not leaf.metadata]
    except (TypeError, NameError) as error:
        yield f"Its `{what}` is no schema: {error}."
        return
    for path in bare:
        yield f"Its `{what}` has a str at “{path}”: say Code, Name or Text, so that it is known who made it up."


def _template(name: str) -> Iterator[str]:
    try:
        get_template(name)
    except TemplateDoesNotExist as error:
        yield f"There is no template {error}."
    except Exception as error:  # whatever is wrong with it
        yield f"Its template {name} cannot be read: {error}."


def _evening(rules: Ruleset) -> Iterator[str]:
    try:
        missing = sorted(PARTS - set(evening_of(rules) or PARTS))
    except Exception as error:
        yield f"Its tonight.toml cannot be read: {error}."
    else:
        yield from (f"Its tonight.toml has no “{name}”." for name in missing)


def _guide(rules: Rules) -> Iterator[str]:
    try:
        system_of(rules)
    except FileNotFoundError:
        yield f"There is no {rules.guide}."
    except KeyError as error:
        yield f"Its guide.toml names {error}, which there is not."
    except Exception as error:
        yield f"Its guide.toml cannot be read: {error or type(error).__name__}."
