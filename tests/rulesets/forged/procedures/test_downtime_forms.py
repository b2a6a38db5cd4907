"""The forms and the card of a downtime: each asks for whom it is, and says at its fields what is wrong."""

from __future__ import annotations

import pytest

from rolls.models import Procedure
from tests.doors import send
from tests.rolls.steps import pressed
from tests.rolls.views.test_procedures import card, show

SCORE = {"take": "big", "target": "2", "extra": "0", "exposure": "loud", "killing": "on", "reason": "the vault"}


def begin(cast, **typed):
    return send(cast.gm, "procedure_open", "forged", "downtime", **SCORE | typed)


def step(person, cast, act, **typed):
    now = Procedure.objects.get()
    return send(person, "procedure_act", now.pk, **pressed(now, act), **typed)


def test_the_gm_opens_it_and_the_card_shows_what_will_be_written(cast, crew):
    html = show(cast.gm, cast, "procedure_new", "forged", "downtime").content.decode()
    assert "major: 10 coin" in html and "loud: 4" in html
    assert show(cast.player, cast, "procedure_new", "forged", "downtime").status_code == 403
    assert begin(cast).status_code == 204
    for person, writes in ((cast.gm, True), (cast.player, False), (cast.spectator, False)):
        assert "3 rep, 8 coin, 6 heat" in card(person, cast)
        assert ("Record it" in card(person, cast)) is writes


def test_a_table_without_a_crew_has_no_score_to_choose(cast, crew):
    crew.crew.delete()
    html = show(cast.gm, cast, "procedure_new", "forged", "downtime").content.decode()
    assert "There’s no crew sheet here" in html and "major: 10 coin" not in html


@pytest.mark.parametrize(
    ("typed", "field"),
    [({"target": "7"}, "target"), ({"extra": "-1"}, "extra"), ({"extra": "2"}, "extra"), ({"take": "x"}, "take")],
)
def test_what_no_score_brings_is_refused_at_its_field(cast, crew, typed, field):
    answer = begin(cast, **typed)
    assert answer.status_code == 422 and f'data-field="{field}"' in answer.content.decode()
    assert not Procedure.objects.exists()


def test_a_player_is_asked_for_their_own_with_what_their_sheet_says(cast, crew):
    clock = crew.clock(name="The tunnel")
    crew.clock(name="The GM’s", visibility="secret")
    begin(cast, take="")
    now = Procedure.objects.get()
    assert f"{now.pk}/take_activity/card/?whom={crew.cross.pk}" in show(cast.player, cast, "table").content.decode()
    html = ask(cast.player, cast, now, crew.cross.pk)
    assert f'value="take_activity:{crew.cross.pk}' in html and "Skirmish 3" in html and "The tunnel, 0 of 6" in html
    assert "The GM’s" not in html and "Nyx, with Tinker" in html
    assert "Skirmish" not in ask(cast.player, cast, now, crew.nyx.pk)
    answer = cast.player.client.get(f"/c/{cast.campaign.slug}/procedures/{now.pk}/take_activity/form/", {"whom": "<1>"})
    assert answer.status_code == 404
    typed = {"kind": "project", "clock": str(clock.pk), "action": "prowl"}
    assert step(cast.player, cast, f"take_activity:{crew.cross.pk}", **typed).status_code == 204
    assert "The tunnel: " in card(cast.spectator, cast)


def ask(person, cast, now, whom) -> str:
    answer = person.client.get(f"/c/{cast.campaign.slug}/procedures/{now.pk}/take_activity/form/", {"whom": whom})
    return answer.content.decode()


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"kind": "project", "project": "A way in", "segments": "13", "action": "prowl"}, "segments"),
        ({"kind": "project", "project": "A way in", "segments": "1", "action": "prowl"}, "segments"),
        ({"kind": "project", "project": "", "action": "prowl"}, "project"),
        ({"kind": "heat", "action": ""}, "action"),
        ({"kind": "train", "track": ""}, "track"),
        ({"kind": "recover"}, "kind"),
        ({"kind": "parade"}, "kind"),
        ({"kind": ""}, "kind"),
    ],
)
def test_what_is_no_activity_is_refused_at_its_field_and_costs_nothing(cast, crew, typed, field):
    begin(cast, take="")
    answer = step(cast.player, cast, f"take_activity:{crew.cross.pk}", **typed)
    assert answer.status_code == 422 and f'data-field="{field}"' in answer.content.decode()
    assert crew.standing(Procedure.objects.get(), "Cross") == ["2 activities left"]


def test_coin_for_a_better_result_is_a_number_from_one_up(cast, crew):
    begin(cast, take="")
    step(cast.player, cast, f"take_activity:{crew.cross.pk}", kind="heat", action="prowl")
    for coin in ("-1", "0", "x", "", "99"):
        answer = step(cast.player, cast, f"better:{crew.cross.pk}", coin=coin)
        assert answer.status_code == 422 and 'data-field="coin"' in answer.content.decode()
    assert crew.number(crew.cross, "coin") == 2
