"""Statistics count what this viewer may see, and expect what the odds of each pool say."""

from importlib import import_module
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.models import Role, Viewer
from campaigns.services import play as sessions
from campaigns.services.log_entries import refile
from characters.models import Character
from rolls.models import Audience, Roll
from rolls.queries.statistics import Statistics, statistics
from rolls.queries.statistics.rolled import NO_TRAIT, rolled
from rolls.queries.statistics.rolled import seen as queryset
from rolls.queries.statistics.tallies import faces_of
from rolls.services.rolls import correct_roll, make_roll, reveal_roll, void_roll
from rulesets.descriptors import terms as descriptors
from rulesets.descriptors.odds import opposed
from rulesets.forged import terms as forged
from rulesets.storyteller.odds import joint
from rulesets.storyteller.terms import StorytellerInput
from scale.models import ScaleStep
from scale.services.burns import bank_burn
from tests import dice
from tests.stored import store

pytestmark = [pytest.mark.django_db, pytest.mark.run_on("sqlite", "postgresql")]

WON, LOST = (9, 8, 7, 5, 5), (5, 5, 5, 4, 4)


def viewer(play, who):
    member = {"gm": play.gm, "mo": play.mo, "other": play.other}.get(who)
    return Viewer(play.campaign, member, Role(member.role) if member else Role.SPECTATOR)


def seen(play, who):
    return rolled(viewer(play, who))


def row(found, what, name):
    rates = next(rates for rates in found.rates if rates.id == f"by-{what}")
    return next(rate for rate in rates.rows if rate.name == name)


def table(found, what):
    section = next(section for section in found.tables if section.id == what)
    return {row.head: [cell.text for cell in row.cells] for row in section.tables[0].rows}


def test_a_roll_is_expected_to_do_what_its_pool_does(play):
    play.roll(*WON)
    (roll,) = seen(play, "mo")
    assert (roll.succeeded, roll.sides, roll.faces) == (True, 10, [[*WON]])
    assert roll.chance == pytest.approx(float(joint(5, 6).success))
    assert table(statistics(viewer(play, "mo"), {}), "scale")["Silas Grey"][-1] == "+0.4"


def test_with_a_willpower_point_success_is_certain_and_the_point_is_counted(play):
    play.roll(*LOST, willpower=True)
    (roll,) = seen(play, "mo")
    assert (roll.succeeded, roll.chance, roll.spent["Willpower"]) == (True, 1.0, 1)
    assert table(statistics(viewer(play, "mo"), {}), "spent") == {"Mo": ["1", "0", "0"]}


def test_what_only_some_see_counts_for_them_alone(play):
    play.roll(*WON)
    play.roll(*LOST, audience=Audience.SELF)
    play.roll(*LOST, audience=Audience.GM)
    play.roll(*LOST, by=play.gm, audience=Audience.GM)
    counted = [sum(group.count for group in seen(play, who)) for who in ("gm", "mo", "other", "nobody")]
    assert counted == [4, 2, 1, 1]


def test_what_was_shown_to_all_counts_for_all(play):
    hidden = play.roll(*LOST, by=play.gm, audience=Audience.GM)
    assert not seen(play, "other")
    reveal_roll(play.gm, hidden.pk, key=uuid4())
    assert len(seen(play, "other")) == 1


def test_what_was_taken_back_counts_no_more_and_what_was_corrected_once(play):
    void_roll(play.gm, play.roll(*WON).pk, key=uuid4())
    wrong = play.roll(*LOST)
    correct_roll(play.gm, wrong.pk, {"difficulty": 5, "kind": None, "ability": None, "note": None}, key=uuid4())
    (roll,) = seen(play, "gm")
    assert roll.succeeded and roll.chance == pytest.approx(float(joint(5, 5).success))


def test_rolls_by_hand_stand_apart(play):
    play.roll(*WON)
    asked = StorytellerInput(character=play.silas.pk, dice=5)
    make_roll(play.mo, asked, audience=Audience.TABLE, key=uuid4(), faces=LOST)
    found = statistics(viewer(play, "mo"), {})
    assert found.lines[0] == "1 of 1 roll succeeded: 100 %."
    assert found.hand_lines[0] == "0 of 1 roll succeeded: 0 %."
    assert found.faces.charts[0].table.rows[8].cells[0].text == "1"
    assert found.hand_faces.charts[0].table.rows[8].cells[0].text == "0"


def test_a_roll_of_two_traits_counts_for_both_and_bare_dice_for_none(play):
    play.roll(*WON, dice=None, traits=("perception", "alertness"))
    play.roll(*WON)
    assert [roll.traits for roll in seen(play, "mo")] == [("Perception", "Alertness"), (NO_TRAIT,)]


def test_filters_narrow_the_figures_and_not_the_choices(play):
    session = sessions.start_session(play.gm, "First", key=uuid4())
    play.roll(*WON)
    sessions.end_session(play.gm, key=uuid4())
    play.roll(*LOST, by=play.other)
    found = statistics(viewer(play, "gm"), {"session": str(session.number)})
    assert found.lines[0] == "1 of 1 roll succeeded: 100 %."
    assert set(found.choices["player"].values()) == {"Mo", "Other Player"}
    assert not statistics(viewer(play, "gm"), {"session": "1", "player": str(play.other.pk)}).rates
    assert not statistics(viewer(play, "gm"), {"player": "nobody"}).rates


def test_a_roll_counts_in_the_session_under_which_it_was_put_for_those_who_may_see_it(play):
    first = sessions.start_session(play.gm, "First", key=uuid4())
    scene = sessions.open_scene(play.gm, key=uuid4())
    sessions.end_session(play.gm, key=uuid4())
    hidden = play.roll(*WON, by=play.gm, audience=Audience.GM)
    shown = play.roll(*LOST)
    assert [[*roll.sessions] for roll in seen(play, "gm")] == [[], []]
    for roll in (hidden, shown):
        told = refile(play.gm, roll.event.uid, scene, key=uuid4())
        assert told.stream == roll.event.stream
    assert [[*roll.sessions] for roll in seen(play, "gm")] == [[first.number]] * 2
    assert [[*roll.sessions] for roll in seen(play, "mo")] == [[first.number]]


def test_a_row_leads_to_itself_within_what_is_chosen(play):
    play.roll(*WON)
    rate = row(statistics(viewer(play, "mo"), {"system": "storyteller"}), "player", "Mo")
    assert rate.href == f"?system=storyteller&player={play.mo.pk}"
    assert (rate.succeeded, rate.judged, rate.share) == (1, 1, 100)


def test_the_scale_is_given_what_the_dice_gave_it(play):
    play.roll(9, 8, 5, 5, 5)
    play.roll(2, 5, 5, 5, 5)
    rolls, up, down, whole, _ = table(statistics(viewer(play, "other"), {}), "scale")["Silas Grey"]
    assert (rolls, up, down, whole) == ("2", "+2", "−1", "+1")


def test_what_is_done_with_a_burn_does_not_take_its_roll_out_of_what_the_scale_was_given(play):
    play.roll(9, 8, 8, 8, 5)
    before = table(statistics(viewer(play, "other"), {}), "scale")["Silas Grey"]
    assert before[:2] == ["1", "+4"]
    bank_burn(play.mo, play.burn("offered").pk, key=uuid4())
    assert table(statistics(viewer(play, "other"), {}), "scale")["Silas Grey"] == before


def test_runs_are_counted_in_the_order_of_the_rolls(play):
    # Faces that move no Scale, whose Major Burn would stop the rolls.
    won, lost = (7, 7, 6), (5, 5, 4)
    for faces in (won, won, lost, won, lost, lost, lost):
        play.roll(*faces)
    assert table(statistics(viewer(play, "mo"), {}), "runs")["Mo"] == ["2", "", "3", ""]


def test_the_odds_of_a_check_are_for_gms_since_they_would_give_a_us_away(checks):
    checks.roll(4)
    of = {
        role: rolled(Viewer(checks.campaign, member, role))[0]
        for role, member in ((Role.GM, checks.gm), (Role.PLAYER, checks.mo))
    }
    assert of[Role.PLAYER].succeeded is of[Role.GM].succeeded is not None
    assert of[Role.PLAYER].chance is None
    assert 0 <= of[Role.GM].chance <= 1


def test_an_npc_that_players_no_longer_know_of_has_no_name_for_them(play):
    play.roll(*WON, by=play.gm, character=play.vesper.pk)
    assert row(statistics(viewer(play, "mo"), {}), "character", "Vesper")
    store(play.vesper, shown=False)
    found = {who: statistics(viewer(play, who), {"character": str(play.vesper.pk)}) for who in ("gm", "mo")}
    assert row(found["gm"], "character", "Vesper").rolls == 1
    assert found["mo"] == Statistics(statistics(viewer(play, "mo"), {}).choices)
    assert not found["mo"].choices["character"]


def test_the_number_of_queries_does_not_depend_on_the_rolls(play):
    def asked():
        with CaptureQueriesContext(connection) as queries:
            statistics(viewer(play, "mo"), {})
        return len(queries)

    play.roll(*WON)
    first = asked()
    for _ in range(5):
        play.roll(*LOST, kind="soak")
    assert asked() == first <= 8


def test_alike_rolls_are_read_as_one_row_whatever_is_noted_of_them(play):
    for note in ("through the gate", "over the wall", ""):
        play.roll(*LOST, note=note)
    (group,) = seen(play, "mo")
    assert (group.count, group.faces) == (3, [[*LOST]] * 3)


def test_larger_dice_that_earlier_releases_threw_beside_are_no_faces_of_the_games_own(play):
    Roll.objects.filter(pk=play.roll(*WON).pk).update(faces=[*WON, 14])
    (group,) = seen(play, "mo")
    assert sum(faces_of([group])[10]) == len(WON)


def test_rolls_from_before_count_as_those_of_today_do(play):
    play.roll(9, 8, 5, 5, 5, note="through the gate")
    play.roll(2, 5, 5, 5, 5, audience=Audience.GM)
    known, found = [*Roll.objects.order_by("pk").values_list("alike")], statistics(viewer(play, "gm"), {})
    Roll.objects.update(alike=0)
    ScaleStep.objects.update(delta=None)
    import_module("rolls.migrations.0010_alike").tell(apps, None)
    called_so_then = SimpleNamespace(
        get_model=lambda app, name: apps.get_model(app, {"UndoEntry": "ScaleStep"}.get(name, name))
    )
    import_module("scale.migrations.0003_undoentry_delta").read(called_so_then, None)
    assert ([*Roll.objects.order_by("pk").values_list("alike")], statistics(viewer(play, "gm"), {})) == (known, found)


def test_the_rolls_of_other_campaigns_are_not_read(play):
    plan = queryset(viewer(play, "gm")).explain()
    assert connection.vendor != "sqlite" or "SEARCH rolls_roll USING INDEX roll_by_event" in plan


def test_only_the_last_sessions_are_told_apart(play, monkeypatch):
    monkeypatch.setattr("rolls.queries.statistics.SESSIONS", 2)
    for title in ("First", "Second", "Third"):
        sessions.start_session(play.gm, title, key=uuid4())
        play.roll(*WON, kind="soak")
        sessions.end_session(play.gm, key=uuid4())
    found = statistics(viewer(play, "mo"), {})
    assert [*found.choices["session"]] == ["2", "3"]
    assert found.lines[0].startswith("3 of 3")
    # Its own page still shows it.
    assert statistics(viewer(play, "mo"), {"session": "1"}).lines[0].startswith("1 of 1")


def test_resisting_is_no_matter_of_success_and_its_stress_is_counted(play):
    thorn = Character.objects.create(campaign=play.campaign, name="Thorn", owner=play.mo, system="forged")
    for kind, faces in (("resistance", (2, 1)), ("action", (4, 2))):
        dice.unload()
        dice.load(*faces)
        said = {"character": thorn.pk, "action": "skirmish", "attribute": "prowess"}
        asked = forged.TERMS[kind].of(said)
        make_roll(play.mo, asked, audience=Audience.TABLE, key=uuid4())
    resisted, acted = seen(play, "mo")
    assert (resisted.succeeded, resisted.spent["Stress"], resisted.sides) == (None, 5, 6)
    # Without a dot two dice fall and the lower one counts.
    assert (acted.succeeded, acted.chance) == (False, pytest.approx(0.25))


def test_pool_against_pool_counts_the_dice_of_both_sides(play):
    dice.unload()
    dice.load(9, 8, 7, 3, 2)
    asked = descriptors.DescriptorsInput(pool="Swordplay 3", against="2", versus="a guard")
    make_roll(play.gm, asked, audience=Audience.TABLE, key=uuid4())
    (roll,) = seen(play, "nobody")
    assert (roll.traits, roll.faces, roll.succeeded) == (("Swordplay",), [[9, 8, 7, 3, 2]], True)
    assert roll.chance == pytest.approx(float(opposed(3, 2).win))
