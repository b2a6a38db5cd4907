"""Burns between their offer and their end: whose choice they are, and what they leave behind."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.template.loader import render_to_string

from campaigns.errors import Blocked, Forbidden, Invalid, NotFound
from campaigns.live.presence import leave
from campaigns.live.render import render_line
from campaigns.models import Campaign, Role, Viewer
from rolls.services.scale import undo_newest
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from scale.models import Burn, Momentum
from scale.queries.projection import check
from scale.queries.scale import burn_rows
from scale.rules.scale import Settings as ScaleSettings
from scale.services.burns import (
    bank_burn,
    choose_effect,
    decide_activation,
    spend_banked,
    take_burn,
    use_free_activation,
)
from tests.answers import refusal
from tests.presence import arrive
from tests.rolls.conftest import member
from tests.sheets import rewrite
from tests.stored import store

GRACE, TROUBLE = (8, 9, 10), (2, 2, 2)


def offered(play, faces=GRACE, by=None):
    play.roll(*faces, by=by)
    return play.burn(Burn.State.OFFERED)


def fired(play, faces=GRACE):
    burn = offered(play, faces)
    take_burn(play.mo, burn.pk, key=uuid4())
    return burn


def carried(play):
    momentum = Momentum.objects.filter(character=play.silas).first() or Momentum()
    return momentum.die_modifier, momentum.free_activations


@pytest.mark.parametrize(
    ("operation", "state", "value", "told"),
    [(take_burn, Burn.State.FIRED, 0, {"how": "taken"}), (bank_burn, Burn.State.BANKED, 3, {"automatic": False})],
)
def test_a_burn_that_is_taken_resets_the_scale_and_one_that_is_banked_does_not(play, operation, state, value, told):
    burn = operation(play.mo, offered(play).pk, key=uuid4())
    assert (burn.state, play.scale.value) == (state, value)
    assert told.items() <= play.events()[-1].described.items()


@pytest.mark.parametrize("operation", [take_burn, bank_burn])
@pytest.mark.parametrize(
    ("here", "answers"),
    [
        pytest.param("mo", "mo", id="the one whose roll it was, who is there"),
        pytest.param("other", "gm", id="the GM for a player who is absent"),
    ],
)
def test_one_alone_answers_the_offer(play, operation, here, answers):
    burn = offered(play)
    arrive(play.campaign.pk, getattr(play, here).pk)
    for somebody in {play.other, play.watcher, play.gm} - {getattr(play, answers)}:
        with pytest.raises(Forbidden):
            operation(somebody, burn.pk, key=uuid4())
    assert operation(getattr(play, answers), burn.pk, key=uuid4()).state != Burn.State.OFFERED


def test_an_offer_is_answered_once(play):
    burn = offered(play)
    bank_burn(play.mo, burn.pk, key=uuid4())
    with pytest.raises(Blocked):
        take_burn(play.mo, burn.pk, key=uuid4())


def test_the_gm_chooses_a_grace_for_a_player_who_is_absent_and_not_for_one_who_is_there(play):
    burn = fired(play)
    here = arrive(play.campaign.pk, play.mo.pk)
    with pytest.raises(Forbidden):
        choose_effect(play.gm, burn.pk, "die", key=uuid4())
    leave(here)
    choose_effect(play.gm, burn.pk, "die", key=uuid4())
    assert carried(play) == (1, 0)


def test_the_gm_answers_for_a_player_who_has_left(play):
    burn = offered(play)
    store(play.mo, left_at=burn.at)
    assert bank_burn(play.gm, burn.pk, key=uuid4()).state == Burn.State.BANKED


def test_a_burn_of_another_table_is_not_there(play):
    burn = offered(play)
    stranger = member(Campaign.objects.create(slug="elsewhere", name="Elsewhere"), "zoe", Role.GM)
    for operation in (take_burn, bank_burn, spend_banked):
        with pytest.raises(NotFound):
            operation(stranger, burn.pk, key=uuid4())
        with pytest.raises(NotFound):
            operation(play.mo, uuid4(), key=uuid4())


@pytest.mark.parametrize(
    ("faces", "decided", "who", "refused"),
    [
        (GRACE, {}, "mo", ["other", "gm"]),
        (TROUBLE, {}, "mo", ["other"]),
        (TROUBLE, {}, "gm", ["other"]),
        (TROUBLE, {"players_call_in_trouble": False}, "gm", ["mo", "other"]),
    ],
)
def test_a_banked_burn_is_spent_by_those_whose_it_is(play, faces, decided, who, refused):
    change_settings(play.gm, RollSettings((ScaleSettings(**decided),)), key=uuid4())
    burn = bank_burn(play.mo, offered(play, faces).pk, key=uuid4())
    for somebody in refused:
        with pytest.raises(Forbidden):
            spend_banked(getattr(play, somebody), burn.pk, key=uuid4())
    spend_banked(getattr(play, who), burn.pk, key=uuid4())
    assert (play.burn(Burn.State.FIRED), play.scale.value) == (burn, 0)
    assert check(play.campaign) == []


@pytest.mark.parametrize(
    ("faces", "who", "others", "die"), [(GRACE, "mo", ["gm", "other"], 1), (TROUBLE, "gm", ["mo", "other"], -1)]
)
def test_a_die_is_chosen_by_one_side_alone_and_waits_for_the_next_action_roll(play, faces, who, others, die):
    burn = fired(play, faces)
    arrive(play.campaign.pk, play.mo.pk)
    for other in others:
        with pytest.raises(Forbidden):
            choose_effect(getattr(play, other), burn.pk, "die", key=uuid4())
    choose_effect(getattr(play, who), burn.pk, "die", key=uuid4())
    assert carried(play) == (die, 0)
    assert play.events()[-1].described["momentum"][0]["die_modifier"] == die
    assert check(play.campaign) == []


def test_a_disposition_shifts_within_its_bounds_and_how_far_is_the_gm_s_to_know(play):
    store(play.vesper, disposition=5)
    choose_effect(play.mo, fired(play).pk, "disposition", npc=play.vesper.pk, key=uuid4())
    play.vesper.refresh_from_db()
    assert play.vesper.disposition == 5
    choose_effect(play.gm, fired(play, TROUBLE).pk, "disposition", npc=play.vesper.pk, key=uuid4())
    play.vesper.refresh_from_db()
    assert play.vesper.disposition == 4
    assert "disposition" in str(play.events("gm")[-1].described)
    assert "'before'" not in str(play.events()[-1].described)


def test_an_opinion_is_of_somebody_by_name(play):
    choose_effect(play.mo, fired(play).pk, "disposition", npc=play.vesper.pk, key=uuid4())
    described = play.events()[-1].described
    line = render_to_string("scale/events/effect_chosen.html", {"payload": described})
    assert f"{play.vesper.name}’s opinion of {described['burns'][0]['character']['name']} improved." in line


@pytest.mark.parametrize("npc", ["silas", "corvina"])
def test_a_disposition_is_that_of_an_npc(play, npc):
    with pytest.raises(NotFound):
        choose_effect(play.mo, fired(play).pk, "disposition", npc=getattr(play, npc).pk, key=uuid4())
    with pytest.raises(Invalid):
        choose_effect(play.mo, play.burn(Burn.State.FIRED).pk, "disposition", key=uuid4())


def test_an_npc_that_players_do_not_know_is_not_there(play):
    store(play.vesper, shown=False)
    with pytest.raises(NotFound):
        choose_effect(play.mo, fired(play).pk, "disposition", npc=play.vesper.pk, key=uuid4())


def test_a_complication_is_described(play):
    burn = fired(play, TROUBLE)
    assert refusal(Invalid, choose_effect, play.gm, burn.pk, "discipline", words="  ", key=uuid4()).field == "words"
    choose_effect(play.gm, burn.pk, "discipline", words="The lamps go out.", key=uuid4())
    assert play.events()[-1].described["burns"][0]["words"] == "The lamps go out."
    assert carried(play) == (0, 0)


def test_the_list_of_burns_says_who_has_to_act(play):
    burn = offered(play, TROUBLE)
    bank_burn(play.mo, burn.pk, key=uuid4())
    assert listed(play) == ("Banked Trouble", play.mo.name, "")
    spend_banked(play.gm, burn.pk, key=uuid4())
    assert listed(play) == ("Trouble burns.", "the GM", "choosing its effect")
    choose_effect(play.gm, burn.pk, "attention", key=uuid4())
    burn = fired(play)
    assert listed(play) == ("Grace burns.", play.mo.name, "choosing its effect")
    choose_effect(play.mo, burn.pk, "discipline", key=uuid4())
    assert listed(play) == ("Grace burns.", "the GM", "deciding whether it’s plausible")


def listed(play):
    (row,) = burn_rows(Viewer(play.campaign, play.mo, Role.PLAYER))
    return row["title"], row["who"], row["state_words"]


@pytest.mark.parametrize("chosen", ["misfire", "attention"])
def test_which_complication_it_is_says_the_line_without_further_words(play, chosen):
    choose_effect(play.gm, fired(play, TROUBLE).pk, chosen, key=uuid4())
    told = {"misfire": "a Discipline misfired.", "attention": "a Discipline drew unwanted attention."}
    assert told[chosen] in render_line(play.events()[-1], Role.GM)
    assert check(play.campaign) == []


def test_extra_blood_comes_off_the_sheet_and_back_with_the_burn(play):
    rewrite(play.silas, sheet=play.silas.sheet | {"blood": 4})
    burn = fired(play, TROUBLE)
    choose_effect(play.gm, burn.pk, "extra_blood", key=uuid4())
    assert blood(play) == 3
    undo_newest(play.gm, burn.scale_id, key=uuid4())
    assert blood(play) == 4
    assert play.burn(Burn.State.FIRED) == burn


def test_extra_blood_is_told_of_a_character_who_has_none_left(play):
    rewrite(play.silas, sheet=play.silas.sheet | {"blood": 0})
    choose_effect(play.gm, fired(play, TROUBLE).pk, "extra_blood", key=uuid4())
    assert blood(play) == 0
    assert "a Discipline cost extra blood." in render_line(play.events()[-1], Role.GM)


def blood(play):
    play.silas.refresh_from_db()
    return play.silas.number("blood")


def test_an_effect_that_is_none_is_refused(play):
    assert refusal(Invalid, choose_effect, play.mo, fired(play).pk, "fireworks", key=uuid4()).field == "effect"


def test_a_free_activation_waits_for_the_gm_and_is_used_once_by_its_player(play):
    burn = fired(play)
    choose_effect(play.mo, burn.pk, "discipline", words="Auspex", key=uuid4())
    assert carried(play) == (0, 0)
    with pytest.raises(Blocked):
        choose_effect(play.mo, burn.pk, "die", key=uuid4())
    with pytest.raises(Forbidden):
        decide_activation(play.mo, burn.pk, plausible=True, key=uuid4())
    decide_activation(play.gm, burn.pk, plausible=True, key=uuid4())
    assert carried(play) == (0, 1)
    assert play.kinds()[-2:] == ["scale.activation_asked", "scale.effect_chosen"]
    for somebody in (play.other, play.gm):
        with pytest.raises(Forbidden):
            use_free_activation(somebody, play.silas.pk, key=uuid4())
    use_free_activation(play.mo, play.silas.pk, key=uuid4())
    assert carried(play) == (0, 0)
    assert check(play.campaign) == []
    with pytest.raises(Invalid):
        use_free_activation(play.mo, play.silas.pk, key=uuid4())


def test_a_refused_activation_leaves_the_choice_open(play):
    burn = fired(play)
    choose_effect(play.mo, burn.pk, "discipline", key=uuid4())
    decide_activation(play.gm, burn.pk, plausible=False, key=uuid4())
    with pytest.raises(Blocked):
        decide_activation(play.gm, burn.pk, plausible=True, key=uuid4())
    choose_effect(play.mo, burn.pk, "die", key=uuid4())
    assert carried(play) == (1, 0)
