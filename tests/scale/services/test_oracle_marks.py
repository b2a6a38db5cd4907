"""What the oracles of a Major Burn give is marked on the sheet: once, by who may, and undone with it."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.utils import translation

from campaigns.errors import Blocked, Forbidden, Invalid, NotFound
from campaigns.live.render import render_line, render_live
from campaigns.models import Event, Role
from characters.services.fields import remove_row, row_as_seen, set_field
from rolls.queries.checking import faults
from rolls.services.rolls import void_roll
from rolls.services.scale import mark_oracle, undo_newest
from scale.models import Burn
from scale.queries.projection import check
from scale.services.burns import narrate_burn
from tests import dice
from tests.sheets import rewrite

VIGOR, INSIGHT, SHIFT = 2, 1, 8
TRAUMA, HURT = 1, 3


def wounded(play, **sheet):
    rewrite(play.silas, sheet=play.silas.sheet | sheet)


def major(play, *faces, grace=True):
    """Return a Major Burn of Silas: a new story, then these faces of the oracles."""
    face = 8 if grace else 2
    play.roll(*[face] * 8, 10, 1, *faces, dice=8)
    return play.burn(Burn.State.OPEN)


def health(play):
    play.silas.refresh_from_db()
    return tuple(play.silas.number(kind) for kind in ("bashing", "lethal", "aggravated"))


def conditions(play):
    play.silas.refresh_from_db()
    return [(row["name"], row["words"]) for row in play.silas.rules.rows(play.silas.values, "conditions")]


def line(play, role=Role.GM, render=render_line):
    event = next(one for one in reversed(play.events()) if one.kind == "scale.major_burn")
    return render(Event.objects.get(pk=event.pk), role)


def test_vigor_heals_three_levels_the_lightest_first_and_once(play):
    wounded(play, bashing=2, lethal=3)
    burn = major(play, VIGOR)
    assert "Heal 3 health levels" in line(play) and "Heal 1 aggravated" in line(play)
    mark_oracle(play.mo, burn.pk, "grace", "heal", key=uuid4())
    assert health(play) == (0, 2, 0)
    assert "Vigor: Heal 3 health levels. It’s on Silas Grey’s sheet." in line(play)
    assert "<button" not in line(play)
    with pytest.raises(Blocked):
        mark_oracle(play.gm, burn.pk, "grace", "heal_aggravated", key=uuid4())
    assert check(play.campaign) == []


def test_it_is_marked_after_it_was_narrated_too(play):
    wounded(play, aggravated=2)
    burn = major(play, VIGOR)
    narrate_burn(play.gm, burn.pk, "Breath.", key=uuid4())
    mark_oracle(play.gm, burn.pk, "grace", "heal_aggravated", key=uuid4())
    assert health(play) == (0, 0, 1)
    assert play.burn(Burn.State.NARRATED) == burn


def test_its_own_player_or_a_gm_marks_it_and_nobody_else(play):
    burn = major(play, INSIGHT)
    for somebody in (play.other, play.watcher):
        with pytest.raises(Forbidden):
            mark_oracle(somebody, burn.pk, "grace", "insight", key=uuid4())
    assert conditions(play) == []
    assert "<button" not in line(play, Role.SPECTATOR)
    assert f'data-member="{play.mo.number}" hidden' in " ".join(line(play, Role.PLAYER).split())
    mark_oracle(play.mo, burn.pk, "grace", "insight", key=uuid4())
    assert [name for name, _ in conditions(play)] == ["Insight"]


def test_a_trauma_is_taken_and_a_later_vigor_ends_it(play):
    burn = major(play, TRAUMA, grace=False)
    mark_oracle(play.mo, burn.pk, "trouble", "trauma", key=uuid4())
    [(name, words)] = conditions(play)
    assert (name, words.startswith("lasting: if bodily")) == ("Trauma", True)
    narrate_burn(play.gm, burn.pk, "It stays.", key=uuid4())
    again = major(play, VIGOR)
    mark_oracle(play.mo, again.pk, "grace", "end_trauma", key=uuid4())
    assert conditions(play) == []


def test_a_condition_is_read_in_each_language_until_someone_changes_its_words(play):
    burn = major(play, INSIGHT)
    with translation.override("de"):
        mark_oracle(play.mo, burn.pk, "grace", "insight", key=uuid4())
    added = Event.objects.get(kind="characters.row_added", campaign=play.campaign)
    [row] = silas(play).rules.rows(silas(play).values, "conditions")
    name, words = (f"conditions/{row['id']}/{column}" for column in ("name", "words"))
    assert (cell(play, name), cell(play, words)[:14]) == ("Insight", "+2 dice in thi")
    assert "Condition “Insight” added" in " ".join(render_line(added, Role.GM).split())
    with translation.override("de"):
        assert (cell(play, name), cell(play, words)[:20]) == ("Einsicht", "+2 Würfel in dieser ")
        assert "Zustand „Einsicht“ hinzugefügt" in " ".join(render_line(added, Role.GM).split())
        set_field(play.mo, play.silas, name, "Einsicht", expected="Einsicht", key=uuid4())
        set_field(play.mo, play.silas, words, "Nur bei Nacht", expected=cell(play, words), key=uuid4())
    assert (cell(play, name), cell(play, words)) == ("Insight", "Nur bei Nacht")
    with translation.override("de"):
        seen = row_as_seen(silas(play), "conditions", row["id"], {"name": "Einsicht", "words": "Nur bei Nacht"})
        remove_row(play.mo, play.silas, "conditions", row["id"], expected=seen, key=uuid4())
    assert conditions(play) == []


def silas(play):
    play.silas.refresh_from_db()
    return play.silas


def cell(play, address):
    return silas(play).cell(address)["value"]


@pytest.mark.parametrize(("face", "marked"), [(5, (6, 0, 0)), (6, (0, 6, 0))])
def test_hurt_asks_a_d10_of_which_kind_it_is(play, face, marked):
    burn = major(play, HURT, grace=False)
    dice.load(face)
    mark_oracle(play.mo, burn.pk, "trouble", "hurt", key=uuid4())
    assert health(play) == marked
    assert play.events()[-1].payload["face"] == face


def test_its_d10_can_be_checked(play, settings):
    burn = major(play, HURT, grace=False)
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
    mark_oracle(play.mo, burn.pk, "trouble", "hurt", client_seed="ab" * 16, key=uuid4())
    told = play.events()[-1].payload
    assert told["proof"]["faces"] == [told["face"]]
    assert not list(faults(play.campaign))


def test_the_second_result_of_a_shift_is_marked_by_itself(play):
    burn = major(play, SHIFT, 1)
    mark_oracle(play.mo, burn.pk, "second", "insight", key=uuid4())
    assert [name for name, _ in conditions(play)] == ["Insight"]
    with pytest.raises(Invalid):
        mark_oracle(play.mo, burn.pk, "grace", "insight", key=uuid4())


def test_what_would_change_nothing_is_refused_and_may_be_marked_later(play):
    burn = major(play, VIGOR)
    for choice in ("heal", "heal_aggravated", "end_trauma", "dance"):
        with pytest.raises(Invalid):
            mark_oracle(play.mo, burn.pk, "grace", choice, key=uuid4())
    with pytest.raises(Invalid):
        mark_oracle(play.mo, burn.pk, "story", "heal", key=uuid4())
    with pytest.raises(NotFound):
        mark_oracle(play.mo, uuid4(), "grace", "heal", key=uuid4())
    wounded(play, lethal=1)
    mark_oracle(play.mo, burn.pk, "grace", "heal", key=uuid4())
    assert health(play) == (0, 0, 0)


def test_it_is_taken_back_like_what_is_done_with_a_burn_and_can_be_marked_again(play):
    wounded(play, lethal=2)
    burn = major(play, VIGOR)
    mark_oracle(play.mo, burn.pk, "grace", "heal", key=uuid4())
    narrate_burn(play.gm, burn.pk, "Breath.", key=uuid4())
    undo_newest(play.gm, burn.scale_id, key=uuid4())
    assert health(play) == (0, 2, 0)
    assert play.burn(Burn.State.NARRATED) == burn
    assert "Heal 3 health levels" in render_live(play.events()[-1], Role.GM)
    mark_oracle(play.mo, burn.pk, "grace", "heal", key=uuid4())
    assert health(play) == (0, 0, 0)


def test_voiding_the_roll_takes_back_what_was_marked(play):
    wounded(play, bashing=1)
    burn = major(play, HURT, grace=False)
    dice.load(9)
    mark_oracle(play.gm, burn.pk, "trouble", "hurt", key=uuid4())
    assert health(play) == (1, 6, 0)
    void_roll(play.gm, burn.cause_id, key=uuid4())
    assert health(play) == (1, 0, 0)
    assert "<button" not in line(play)
    with pytest.raises(Blocked):
        mark_oracle(play.mo, burn.pk, "trouble", "hurt", key=uuid4())
    assert check(play.campaign) == []
