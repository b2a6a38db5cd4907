"""Every ruleset at the table: its rolls by form and by request, their cards, what they cost, and what nobody may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from uuid import uuid4

from django.forms import ChoiceField

from campaigns.live.render import render_line
from campaigns.models import Role
from characters.models import Character
from characters.sheets.fields import Visibility
from rolls.forms.base import CorrectionForm
from rolls.models import Roll
from rolls.queries.checking import faults
from rolls.registry import kind_of
from rolls.services.fairness import tell_seed
from rolls.settings import RollSettings
from rules.fairness import without_end
from rules.tally import USUAL, read
from tests.dom import parse
from tests.following import followed_and_reloaded
from tests.rulesets.conformance.play import (
    changes_of,
    typed_again,
    undone,
    ways_to_fall,
    writes_as_it_did,
)
from tests.rulesets.conformance.samples import LAST
from tests.rulesets.told import names_in

ROUNDED = 2
"""Within how many percent the parts of a bar add up."""
OFFERED = ("table", "log", "statistics", "characters")


def test_every_kind_that_the_form_offers_is_rolled_and_its_result_is_known(at):
    kinds = at.ruleset.form.base_fields.get("kind")
    offered = {value for value, _ in kinds.choices if value} if kinds else set()
    assert offered <= {roll.kind for roll in at.rolls.values()}
    for what, roll in at.rolls.items():
        assert roll.event.described["words"] and roll.event.described["headline"], what
        judged = at.ruleset.expectation.judges(roll.kind) and roll.outcome["result"] in at.ruleset.successes
        assert roll.outcome["result"] in at.ruleset.results or not judged, what


def test_what_the_log_keeps_of_a_roll_are_codes_numbers_and_names_that_somebody_typed(at, samples):
    table, typed = at.ruleset.table, f"{samples} {at.character.name} {at.cast.player.member.name}".casefold()
    for what, roll in at.rolls.items():
        told = roll.event.payload["card"]
        marked = {die.get("given_to") for die in told.get("dice", ())}
        assert all(name.casefold() in typed for name in {*names_in(told, table.schema)} - marked), what
        kept = {*roll.ask, *roll.outcome, *(name for die in roll.outcome["dice"] for name in die)}
        assert not kept & {"words", "headline", "detail", "why"}, what


def test_dice_that_can_be_counted_are_told_one_by_one_with_how_likely_each_sum_is(at):
    counted = at.ruleset.table.counted
    fell = {what: roll for what, roll in at.rolls.items() if roll.faces}
    for what, roll in fell.items() if counted else ():
        fallen = counted.fallen(roll.ask | roll.outcome)
        assert [die.face for die in fallen] == [die["face"] for die in roll.outcome["dice"]], what
        shifts = counted.shifts(dict(roll.ask), USUAL)
        assert bool(counted.no_action(roll.kind)) or read(fallen).delta in shifts, what
    if counted:
        assert counted.wanted(RollSettings()) in (True, False)
        assert all(ways > 0 for ways in counted.shifts(dict(counted.usual), USUAL).values())


def test_its_dice_can_be_computed_again_and_are_drawn_and_counted_as_what_they_are(at, samples, settings):
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
    last = max(at.rolls.values(), key=lambda roll: roll.event_id)
    for typed in samples.rolls.values():
        fields = {name: value.replace(LAST, str(last.pk)) for name, value in typed.items()}
        at.post(at.cast.player, "roll", character=at.character.pk, **fields)  # its cost may no longer be there
    tell_seed(at.cast.gm.member, key=uuid4())
    fell = [roll for roll in Roll.objects.filter(campaign=at.cast.campaign) if roll.proof]
    assert fell and not list(faults(at.cast.campaign))
    for roll in fell:
        sides = list(islice(without_end(roll.proof["spec"]), len(roll.faces)))
        expected = at.ruleset.expectation.sides(roll.kind, roll.ask, RollSettings())
        assert {*sides} == {expected}, roll.ask
        dice = roll.event.described["dice"]
        assert Counter(die["face"] for die in dice) == Counter(roll.faces), roll.ask
        assert {die.get("sides") or expected for die in dice} == {expected}, roll.ask


def test_following_shows_what_reloading_shows(at):
    for who in ("gm", "player", "other_player", "spectator"):
        shown, differing = followed_and_reloaded(getattr(at.cast, who), at.cast.campaign)
        assert not differing, f"{who} sees other than after a reload"
        assert sum(name.startswith("event-") for name in shown) >= len(at.rolls)


def test_the_card_of_each_roll_has_a_sentence_for_those_who_do_not_see_dice(at):
    page = parse(at.page(at.cast.player, "table"))
    for what, roll in at.rolls.items():
        card = page.by_id(f"roll-{roll.pk}")
        assert card, what
        assert any("sentence" in node.attrs.get("class", "").split() for node in card.walk()), what


def test_what_is_secret_on_a_sheet_reaches_no_player(at):
    """Words are canaries, which the whole suite listens for; here, that no secret field is even drawn."""
    pages = [at.page(at.cast.player, name) for name in OFFERED]
    pages += [at.page(at.cast.player, "character", at.character.pk), at.page(at.cast.other_player, "table")]
    for name, field in at.ruleset.sheets[0].fields.items():
        if field.visibility is Visibility.SECRET:
            assert not any(f'data-field="{name}"' in page for page in pages), name
    assert 'data-field="gm_notes"' in at.page(at.cast.gm, "character", at.character.pk)


def test_a_roll_that_is_taken_back_costs_nothing(at):
    for what, roll in reversed(at.rolls.items()):
        assert at.post(at.cast.gm, "roll_void", roll.pk).status_code == 204, what
    assert at.values() == at.before


def test_what_a_result_writes_on_the_sheet_follows_corrections(at, samples):
    there = at.values()
    for what, (changes, then) in samples.corrected.items():
        changes_it = any(there[name] != value for name, value in then.items())
        assert changes_it, f"{what}: this correction leaves the sheet as it is, so it shows nothing"
        roll = at.rolls[what]
        assert at.post(at.cast.gm, "roll_correct", roll.pk, **changes).status_code == 204, what
        assert at.values() == there | then, what
        corrected = Roll.objects.get(corrects=roll)
        assert writes_as_it_did(at, corrected), what
        as_it_was = {name: roll.ask[name] for name in changes}
        assert at.post(at.cast.gm, "roll_correct", corrected.pk, **as_it_was).status_code == 204, what
        assert at.values() == there, what
        at.rolls[what] = Roll.objects.get(corrects=corrected)
    for what, roll in reversed(at.rolls.items()):
        assert at.post(at.cast.gm, "roll_void", roll.pk).status_code == 204, what
    assert at.values() == at.before


def test_what_a_roll_writes_follows_from_the_roll_alone(at):
    """Even with empty sheets, each roll returns the writes that it made."""
    Character.objects.filter(pk=at.character.pk).update(
        public_fields={}, sheet_fields={}, private_fields={}, secret_fields={}
    )
    for what, roll in at.rolls.items():
        assert writes_as_it_did(at, Roll.objects.get(pk=roll.pk)), what


def test_whatever_is_corrected_the_sheet_says_what_the_corrected_roll_writes(at):
    """However a roll was corrected, taken back it leaves the sheet as the roll itself does; corrected back, it stands as it
    was."""
    at.sign_in()
    form, gm = at.ruleset.correction, at.cast.gm
    there, of_kinds = at.values(), {roll.kind: (what, roll) for what, roll in at.rolls.items() if roll.faces}
    for what, roll in of_kinds.values():
        with undone():
            if at.post(gm, "roll_void", roll.pk).status_code != 204:
                continue  # blocked by another roll
            without = at.values()
        for name, value in changes_of(form):
            with undone():
                as_it_was = typed_again(form, roll)
                if at.post(gm, "roll_correct", roll.pk, **as_it_was | {name: value}).status_code != 204:
                    continue
                corrected = Roll.objects.get(corrects=roll)
                assert writes_as_it_did(at, corrected), f"{what}: it writes otherwise by now"
                render_line(corrected.event, Role.GM)
                if not value and isinstance(form.base_fields[name], ChoiceField):
                    assert corrected.ask.get(name) == roll.ask.get(name), f"{what}: {name} was left empty"
                with undone():
                    assert at.post(gm, "roll_void", corrected.pk).status_code == 204, f"{what}, {name}: {value}"
                    assert at.values() == without, f"{what}, {name}: {value}"
                assert at.post(gm, "roll_correct", corrected.pk, **as_it_was).status_code == 204, f"{what}, {name}"
                assert at.values() == there, f"{what}, {name}: {value}"


def test_a_correction_asks_for_what_may_be_corrected(at):
    asked = set(at.ruleset.correction.base_fields) - set(CorrectionForm.base_fields)
    assert asked == set(at.ruleset.table.correctable)
    assert asked <= {name for roll in at.rolls.values() for name in roll.ask}
    for roll in at.rolls.values():
        at.page(at.cast.gm, "roll_correction", roll.pk)


def test_the_odds_beside_the_form_are_those_of_the_dice(at, samples):
    """Each result is as likely as some parts of the bar together, or each part as some results."""
    at.sign_in()
    for what, typed in samples.rolls.items():
        known = {roll.pk for roll in Roll.objects.filter(campaign=at.cast.campaign)}
        bar = parse(at.page(at.cast.player, "odds", system=at.ruleset.name, character=at.character.pk, **typed))
        parts = [int(node.attrs["width"][:-1]) for node in bar.walk() if "x" in node.attrs and "width" in node.attrs]
        assert parts, what
        with undone():
            if at.post(at.cast.player, "roll", character=at.character.pk, **typed).status_code != 204:
                continue  # what it costs is no longer there
            roll = Roll.objects.exclude(pk__in=known).get(campaign=at.cast.campaign)
            ways = ways_to_fall(at, roll)
        results = [100 * number / ways.total() for number in ways.values()]
        assert not ways or adds_up(results, parts) or adds_up(parts, results), f"{what}: {parts} %, and not {results}"


def adds_up(sums: Sequence[float], parts: Sequence[float]) -> bool:
    """Return whether each of the sums is one of some parts, apart from rounding."""
    some = {0.0}
    for part in parts:
        some |= {round(one + part, 1) for one in some}
    return all(any(abs(one - other) < ROUNDED for other in some) for one in sums)


def test_a_roll_is_read_alike_whenever_it_is_read(at):
    """A correction and a check of the dice read the faces again by the same terms."""
    for what, roll in at.rolls.items():
        kept = Roll.objects.get(pk=roll.pk)
        again = kind_of(roll).read(kept.ask, iter(kept.faces), RollSettings())
        assert (list(again.faces), again.outcome["result"]) == (kept.faces, kept.outcome["result"]), what


def test_every_page_that_shows_rules_shows_these(at):
    gm, name = at.cast.gm, at.ruleset.name
    assert str(at.ruleset.label) in at.page(gm, "campaign_settings")
    assert at.ruleset.short in at.page(gm, "statistics")
    found = at.page(gm, "log", system=name, topic="roll")
    assert all(f'id="roll-{roll.pk}"' in found for roll in at.rolls.values())
    settings = at.page(gm, "rules_settings")
    for setting in at.ruleset.settings.words if at.ruleset.settings else ():
        assert f'name="{name}.{setting}"' in settings
    assert f'value="{name}"' in gm.client.get("/c/new/").content.decode()
    if at.ruleset.budget:
        guided = at.page(at.cast.player, "character_guided", name)
        assert all(f'name="{field}"' in guided for one in at.ruleset.budget().sections() for field in one.fields)


def test_the_log_finds_rolls_by_what_came_of_them(at):
    for what, roll in at.rolls.items():
        result = roll.outcome["result"]
        outcome = at.ruleset.outcome_of(result)
        if outcome:
            page = at.page(at.cast.player, "log", outcome=outcome)
            assert f'id="roll-{roll.pk}"' in page and at.ruleset.result_words()[result] in page, what
        if outcome and len(at.ruleset.log_outcomes()[outcome]) > 1:
            assert f'id="roll-{roll.pk}"' in at.page(at.cast.player, "log", outcome=f"{at.ruleset.name}:{result}"), what
