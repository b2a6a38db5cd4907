"""The forged roll form: what it makes, what it refuses and where, its odds, its correction, and what a card leads to."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.models import Role, Viewer
from campaigns.services.clocks import Draft, make_clock
from characters.views.in_play import hand_of
from rolls.models import Roll
from rulesets.forged.terms import ForgedForm
from tests.doors import send
from tests.rulesets.forged.table.forged import players_say, scoundrel


@pytest.fixture(autouse=True)
def said_by_players(play):
    """Let players set position and effect: the form's words are the same for all."""
    players_say(play)


def fetched(person, name, *args, **query) -> str:
    return person.client.get(reverse(name, args=[person.member.campaign.slug, *args]), query).content.decode()


def rolled(person, **data):
    return send(person, "roll", system="forged", **data)


def test_an_action_is_rolled_from_the_sheet_with_what_the_form_says(cast, cross, dice):
    dice(2, 5, 1, 3)
    answer = rolled(
        cast.player,
        character=cross.pk,
        kind="action",
        action="Skirmish",
        position="desperate",
        effect="great",
        push="die",
    )
    assert (answer.status_code, answer.content) == (204, b"")
    roll = Roll.objects.get()
    assert (roll.faces, roll.kind, roll.event.described["words"]) == ([2, 5, 1, 3], "action", "Skirmish 3")
    assert (roll.outcome["position"], roll.outcome["ticks"]) == ("desperate", 3)


def test_what_is_left_empty_is_risky_and_standard(cast, dice):
    dice(6, 1)
    assert rolled(cast.player, action="skirmish 2").status_code == 204
    roll = Roll.objects.get()
    assert (roll.event.described["words"], roll.ask["attribute"]) == ("Skirmish 2", "prowess")
    assert (roll.ask["position"], roll.ask["effect"]) == ("risky", "standard")


def test_a_rating_typed_for_resisting_is_not_taken_for_that_of_an_action(cast, cross, dice):
    dice(4, 2, 1)
    assert (
        rolled(cast.player, character=cross.pk, kind="resistance", attribute="prowess", action="1").status_code == 204
    )
    assert Roll.objects.get().event.described["words"] == "Prowess 3"


def test_fortune_takes_its_dice_from_the_form(cast, dice):
    dice(4, 2)
    assert rolled(cast.gm, kind="fortune", trait="1", advantages="1", faces="").status_code == 204
    assert Roll.objects.get().faces == [4, 2]


@pytest.mark.run_on("sqlite", "postgresql")
@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("action", {"action": ""}),
        ("action", {"action": "5"}),
        ("action", {"action": "-1"}),
        ("action", {"action": "1000000000"}),
        ("action", {"action": "9" * 100}),
        ("action", {"action": "NaN"}),
        ("action", {"action": "2\x00"}),
        ("action", {"action": "x" * 121}),
        ("kind", {"kind": "prayer"}),
        ("position", {"position": "safe"}),
        ("effect", {"effect": "huge"}),
        ("push", {"push": "hard"}),
        ("helper", {"helper": "somebody"}),
        ("helper", {"helper": str(uuid4())}),
        ("bargain", {"push": "die", "bargain": "a witness"}),
        ("bargain", {"bargain": "x" * 121}),
        ("gambit", {"gambit": "on"}),
        ("trade", {"trade": "coin"}),
        ("trade", {"trade": "position", "effect": "limited"}),
        ("ability", {"ability": "11"}),
        ("trade", {"trade": "effect", "position": "desperate"}),
        ("ability", {"ability": "NaN"}),
        ("rating", {"kind": "resistance", "rating": "9"}),
        ("attribute", {"kind": "resistance", "rating": "2", "attribute": "luck"}),
        ("resisting", {"kind": "resistance", "rating": "2", "resisting": "laughs"}),
        ("consequence", {"kind": "resistance", "rating": "2", "consequence": "x" * 121}),
        ("trait", {"kind": "fortune", "trait": "1000000000"}),
        ("trait", {"kind": "fortune", "trait": "60", "advantages": "60"}),
        ("disadvantages", {"kind": "fortune", "disadvantages": "-1"}),
        ("faces", {"faces": "6 7"}),
        ("faces", {"faces": "0 6"}),
        ("audience", {"audience": "nobody"}),
    ],
)
def test_bad_input_is_named_at_its_field_and_changes_nothing(cast, cross, field, wrong):
    answer = rolled(cast.player, **{"character": cross.pk, "action": "2"} | wrong)
    assert answer.status_code == 422
    assert f'data-field="{field}"' in answer.content.decode()
    assert not Roll.objects.exists()


def test_the_odds_follow_the_form(cast, cross):
    odds = fetched(cast.player, "odds", system="forged", character=cross.pk, action="skirmish", effect="great")
    assert "expected ticks 2.7" in odds
    assert "odds-bar" not in fetched(cast.player, "odds", system="forged", action="10**9")
    assert "odds-bar" not in fetched(cast.other_player, "odds", system="forged", character=cross.pk, action="skirmish")


def test_the_form_knows_the_sheet_at_hand_and_who_may_help(cast, play, cross):
    scoundrel(play, "Thorn", play.other)
    hurt = scoundrel(play, "Aldo", harm_2=[{"id": "1", "name": "Cut to the ribs"}])
    viewer = Viewer(play.campaign, play.mo, Role.PLAYER)
    shown = ForgedForm.shown(viewer, hand_of(viewer, str(hurt.pk)))
    assert (dict(shown["attributes"])["prowess"], shown["harms"][2]) == ("Prowess 3", "Cut to the ribs")
    assert {helper.name for helper in shown["helpers"]} == {"Thorn", "Cross"}


def test_the_form_without_a_sheet_asks_for_ratings(cast):
    form = fetched(cast.player, "roll_form", system="forged")
    assert 'data-for="action"' in form
    assert "skirmish 2" in form


def test_a_correction_asks_for_what_this_kind_of_roll_was_told(cast, cross, dice):
    dice(2, 5, 1)
    rolled(cast.player, character=cross.pk, action="skirmish")
    action = Roll.objects.get()
    form = fetched(cast.gm, "roll_correction", action.pk)
    assert 'name="position"' in form
    assert 'name="resisting"' not in form
    answer = send(cast.gm, "roll_correct", action.pk, position="controlled", effect="limited", reduced="yes")
    assert answer.status_code == 204
    again = Roll.objects.get(corrects=action)
    assert (again.faces, again.outcome["position"], again.outcome["ticks"]) == ([2, 5, 1], "controlled", 0)
    rolled(cast.player, character=cross.pk, kind="resistance", attribute="resolve")
    form = fetched(cast.gm, "roll_correction", Roll.objects.get(kind="resistance").pk)
    assert 'name="resisting"' in form
    assert 'name="position"' not in form


def test_a_correction_makes_or_undoes_a_trade(cast, dice):
    dice(6, 1)
    rolled(cast.player, action="2", trade="effect")
    traded = Roll.objects.get()
    form = fetched(cast.gm, "roll_correction", traded.pk)
    assert 'name="trade"' in form and '<option value="effect" selected>' in form
    assert send(cast.gm, "roll_correct", traded.pk, note="alone").status_code == 204
    noted = Roll.objects.get(corrects=traded)
    assert (noted.ask["trade"], noted.outcome["position"]) == ("effect", "desperate")
    assert send(cast.gm, "roll_correct", noted.pk, trade="none").status_code == 204
    plain = Roll.objects.get(corrects=noted)
    assert (plain.ask["trade"], plain.outcome["position"], plain.outcome["ticks"]) == ("", "risky", 2)
    assert '<option value="none" selected>' in fetched(cast.gm, "roll_correction", plain.pk)
    assert send(cast.gm, "roll_correct", plain.pk, trade="position").status_code == 204
    better = Roll.objects.get(corrects=plain)
    assert (better.faces, better.outcome["position"], better.outcome["ticks"]) == ([6, 1], "controlled", 1)


def test_a_trade_that_cannot_be_is_refused_at_its_field(cast, dice):
    dice(6, 1)
    rolled(cast.player, action="2", position="desperate")
    made = Roll.objects.get()
    answer = send(cast.gm, "roll_correct", made.pk, trade="effect")
    assert answer.status_code == 422
    assert "nothing left to trade" in answer.content.decode()
    assert Roll.objects.get() == made


def test_a_card_leads_to_its_ticks_and_to_resisting(cast, play, dice):
    make_clock(cast.gm.member, Draft("Dawn", 8, owner="crew"), key=uuid4())
    dice(2, 5)
    rolled(cast.player, action="2", effect="great")
    uid = Roll.objects.get().event.uid
    page = fetched(cast.player, "table")
    assert "?ticks=3" in page
    assert 'data-rolls="forged"' in page
    assert 'value="3"' in fetched(cast.player, "clock_card", uid, ticks=3)
    for odd in ("0", "-3", "x", "10" * 9, "²"):
        assert 'value="1"' in fetched(cast.player, "clock_card", uid, ticks=odd)
