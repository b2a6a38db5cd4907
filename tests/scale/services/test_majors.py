"""Major Burns: in the roll's own operation, mandatory, in sight until they are narrated."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Forbidden, Invalid, NotFound
from campaigns.live.render import render_line, render_live
from campaigns.models import Event, Role, Storyline, Viewer
from campaigns.services.play import end_session, start_session
from rolls.services.rolls import correct_roll, void_roll
from scale import words
from scale.models import Burn, BurnSeen, OracleTable
from scale.queries.projection import check
from scale.queries.scale import burn_payload, burn_rows
from scale.rules.oracles import TROUBLE
from scale.services.burns import defer_burn, narrate_burn, see_burn


def story(play, title, **more):
    order = Storyline.objects.filter(campaign=play.campaign).count()
    return Storyline.objects.create(campaign=play.campaign, title=title, order=order, **more)


def tipped(play, *oracle):
    """Bring the Scale to -6, then below -8; the oracle dice fall after the roll's own. Return the Major Burn."""
    play.roll(2, 2, 2, 2, 2, 2)
    play.roll(2, 3, *oracle, dice=2, by=play.other)
    return play.burn(Burn.State.OPEN)


def drawn(burn):
    """Return the dice of a Major Burn as pages show them."""
    return words.burn(burn_payload(burn))["oracles"]


def test_minus_eight_is_a_major_trouble_with_all_its_dice(play):
    debt, mentor = story(play, "An old debt"), story(play, "The mentor is alive")
    burn = tipped(play, 2, 6)
    assert (burn.kind, burn.character, burn.storyline, play.scale.value) == ("trouble", play.corvina, mentor, 0)
    assert [(die["name"], die["die"], die["title"]) for die in drawn(burn)] == [
        ("Story Oracle", 2, "The mentor is alive"),
        ("Trouble Oracle", 6, "Threat"),
    ]
    assert play.kinds()[-3:] == ["rolls.roll_made", "scale.burn_banked", "scale.major_burn"]
    payload = play.events()[-1].described
    assert payload["burns"][0]["cause"].startswith("Corvina’s roll pushed the Scale to −8.")
    assert payload["scale"]["value"] == 0
    assert payload["burns"][0]["seen_of"] == 3
    assert debt.resolved_at is None
    assert check(play.campaign) == []


@pytest.mark.parametrize(("six", "more", "edge"), [(2, (2, 3, 3, 2, 6), "−9"), (8, (8,) * 3, "+9")])
def test_what_goes_beyond_eight_is_said(play, six, more, edge):
    play.roll(*[six] * 6)
    play.roll(*more, dice=3, by=play.other)
    burn = words.burn(burn_payload(play.burn(Burn.State.OPEN)))
    assert burn["kind"] == ("grace" if six == 8 else "trouble")
    assert burn["cause"].startswith(f"Corvina’s roll pushed the Scale to {edge}.")


def test_a_resolved_storyline_leaves_an_empty_place(play):
    story(play, "Over", resolved_at="2026-01-01T00:00:00Z")
    assert [die["die"] for die in tipped(play, 1, 3, 6).oracle["dice"]] == [1, 3, 6]


def test_a_shift_asks_for_a_second_result(play):
    story(play, "An old debt")
    dice = drawn(tipped(play, 1, 9, 3))
    assert [(die["name"], die["title"]) for die in dice][1:] == [
        ("Trouble Oracle", "Shift"),
        ("Second result", "Frenzy"),
    ]


def test_the_gm_s_own_tables_speak(play):
    entries = [{"title": f"Mine {face}", "text": "", "shift": True} for face in range(1, 11)]
    OracleTable.objects.create(campaign=play.campaign, name="trouble", entries=entries)
    # A shift ticked where none can be must not stop the game.
    OracleTable.objects.create(campaign=play.campaign, name="trouble_shift", entries=entries)
    dice = drawn(tipped(play, 10, 1, 4, 5))
    assert [die["title"] for die in dice] == ["Something new", "Concept", "Mine 4", "Mine 5"]
    assert TROUBLE[3].title != "Mine 4"


def test_the_gm_narrates_and_the_rolls_go_on(play):
    burn = tipped(play)
    for somebody in (play.mo, play.watcher):
        with pytest.raises(Forbidden):
            narrate_burn(somebody, burn.pk, "Fire.", key=uuid4())
    for text in ("", "   ", "x" * 10_001):
        with pytest.raises(Invalid):
            narrate_burn(play.gm, burn.pk, text, key=uuid4())
    narrate_burn(play.gm, burn.pk, "The **doors** close.", key=uuid4())
    told = play.events()[-1]
    assert (told.kind, told.described["burns"][0]["narration"]) == ("scale.burn_narrated", "The **doors** close.")
    assert told.parent.kind == "scale.major_burn"
    assert play.roll(5)
    with pytest.raises(Blocked):
        narrate_burn(play.gm, burn.pk, "Again.", key=uuid4())


def test_the_gm_goes_on_and_narrates_later(play):
    burn = tipped(play)
    with pytest.raises(Forbidden):
        defer_burn(play.other, burn.pk, key=uuid4())
    defer_burn(play.gm, burn.pk, key=uuid4())
    assert play.roll(5)
    with pytest.raises(Blocked):
        defer_burn(play.gm, burn.pk, key=uuid4())
    narrate_burn(play.gm, burn.pk, "At last.", key=uuid4())
    assert play.burn(Burn.State.NARRATED) == burn


def test_each_member_is_counted_once_as_having_seen_it(play):
    burn = tipped(play)
    for who in (play.mo, play.mo, play.gm):
        see_burn(who, burn.pk, key=uuid4())
    assert BurnSeen.objects.count() == 2
    assert play.kinds()[-2:] == ["scale.burn_seen"] * 2
    seen = play.events()[-1].described["burns"][0]
    assert [person["name"] for person in seen["seen_by"]] == ["Mo", "Gm"]
    with pytest.raises(Forbidden):
        see_burn(play.watcher, burn.pk, key=uuid4())
    with pytest.raises(NotFound):
        see_burn(play.mo, uuid4(), key=uuid4())


def test_the_list_keeps_what_is_settled_until_the_next_session(play):
    def listed():
        return [burn["state"] for burn in burn_rows(Viewer(play.campaign, play.gm, Role.GM)) if burn["major"]]

    def begin():
        start_session(play.gm, "", key=uuid4())

    story(play, "An old debt")
    begin()
    put_off = tipped(play, 1, 6)
    defer_burn(play.gm, put_off.pk, key=uuid4())
    end_session(play.gm, key=uuid4())
    begin()
    assert listed() == ["deferred"]
    narrate_burn(play.gm, put_off.pk, "At last.", key=uuid4())
    end_session(play.gm, key=uuid4())
    assert listed() == ["narrated"]
    begin()
    assert listed() == []
    assert "data-remove-until" in render_live(play.events()[-1], Role.PLAYER)


def line_of(play, kind):
    event = next(one for one in reversed(play.events()) if one.kind == kind)
    return render_line(Event.objects.get(pk=event.pk), Role.PLAYER)


def test_a_major_burn_whose_roll_is_voided_is_marked_and_says_what_became_of_it(play):
    burn = tipped(play)
    narrate_burn(play.gm, burn.pk, "The doors close.", key=uuid4())
    assert "is-void" not in line_of(play, "scale.major_burn")
    void_roll(play.gm, burn.cause_id, key=uuid4())
    assert play.kinds()[-2:] == ["rolls.roll_voided", "scale.burn_taken_back"]
    line = line_of(play, "scale.major_burn")
    assert "is-void" in line
    assert "The narration no longer counts." in line
    live = render_live(play.events()[-1], Role.PLAYER)
    assert f'id="burn-state-{burn.event.uid}"' in live and "is-void" in live
    assert check(play.campaign) == []


def test_a_burn_on_offer_whose_roll_is_corrected_to_give_less_is_marked_too(play):
    roll = play.roll(8, 8, 8)
    correct_roll(play.gm, roll.pk, {"kind": "soak"}, key=uuid4())
    assert "Voided with its roll by Gm. The Scale is at 0." in line_of(play, "scale.burn_offered")
