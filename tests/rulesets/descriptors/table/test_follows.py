"""What a won roll leads to, from its card (descriptors.txt, "What does success do?", lines 9 to 11)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Conflict, Forbidden, Invalid, NotFound
from campaigns.models import Membership, Role, Viewer
from campaigns.services.play import close_scene, open_scene, start_session
from characters.models import Character
from characters.services import set_field
from rolls.models import Audience, Roll
from rolls.services.amend import correct_roll, reveal_roll, void_roll
from rolls.services.rolls import make_roll
from rulesets.descriptors.table import RollInput
from rulesets.descriptors.table.follows import made_in_scene, make_descriptor, make_stick, open_for, take_hit
from tests import dice


@pytest.fixture
def christopher(play) -> Character:
    return Character.objects.create(campaign=play.campaign, name="Christopher", owner=play.mo, system="descriptors")


@pytest.fixture
def bob(play) -> Character:
    return Character.objects.create(campaign=play.campaign, name="Bob", owner=play.other, system="descriptors")


@pytest.fixture
def scene(play) -> None:
    start_session(play.gm, "", key=uuid4())
    open_scene(play.gm, "Roof", key=uuid4())


def won(play, who: Character, versus: str = "Bob", audience: Audience = Audience.TABLE) -> Roll:
    """With 3 successes."""
    dice.unload()
    dice.load(9, 8, 7, 3, 2)
    asked = RollInput(character=who.pk, pool="3", against="2", versus=versus)
    return make_roll(play.mo, asked, audience=audience, key=uuid4())


def viewer_of(play, member: Membership) -> Viewer:
    return Viewer(play.campaign, member, Role(member.role))


def now(character: Character) -> Character:
    return Character.objects.get(pk=character.pk)


def crossed(character: Character) -> list[int]:
    return [box for box in range(1, 7) if now(character).value(f"power_{box}")]


def rows(character: Character, name: str) -> list[tuple[str, int]]:
    there = now(character)
    return [(row["name"], row["dice"]) for row in there.rules.rows(there.values, name)]


def test_the_loser_crosses_off_the_box_of_that_number_once(play, christopher, bob):
    roll = won(play, christopher)
    take_hit(play.other, roll.pk, key=uuid4())
    assert crossed(bob) == [3]
    told = play.events()[-1]
    assert (told.kind, told.described["words"]) == ("descriptors.roll_followed", "Bob crosses off Power box 3.")
    with pytest.raises(Blocked):
        take_hit(play.other, roll.pk, key=uuid4())


def test_or_takes_an_injury_of_as_many_dice(play, christopher, bob):
    take_hit(play.other, won(play, christopher).pk, injury=True, name="Cut arm", key=uuid4())
    assert (crossed(bob), rows(bob, "injuries")) == ([], [("Cut arm", 3)])


def test_a_box_that_is_crossed_already_takes_the_next_one_and_an_injury_of_its_number(play, christopher, bob):
    take_hit(play.other, won(play, christopher).pk, key=uuid4())
    second = won(play, christopher)
    take_hit(play.other, second.pk, name="Broken", key=uuid4())
    assert (crossed(bob), rows(bob, "injuries")) == ([3, 4], [("Broken", 4)])


def test_to_wish_for_an_injury_is_no_error_where_there_is_no_choice(play, christopher, bob):
    first, second = won(play, christopher), won(play, christopher)
    assert open_for(viewer_of(play, play.other), first.pk).injury_instead
    take_hit(play.other, first.pk, key=uuid4())
    assert not open_for(viewer_of(play, play.other), second.pk).injury_instead
    take_hit(play.other, second.pk, injury=True, name="Broken", key=uuid4())
    assert (crossed(bob), rows(bob, "injuries")) == ([3, 4], [("Broken", 4)])
    assert play.events()[-1].described["words"] == "Bob crosses off Power box 4 and takes an Injury of 4."


def test_only_the_loser_or_a_gm_takes_it(play, christopher, bob):
    roll = won(play, christopher)
    with pytest.raises(Forbidden):
        take_hit(play.mo, roll.pk, key=uuid4())
    take_hit(play.gm, roll.pk, key=uuid4())
    with pytest.raises(Invalid):
        take_hit(play.gm, won(play, christopher, versus="a door").pk, key=uuid4())


def test_the_winner_names_a_scene_descriptor_of_the_successes(play, christopher, bob, scene):
    roll = won(play, christopher)
    with pytest.raises(Forbidden):
        make_descriptor(play.other, roll.pk, "Tied up", key=uuid4())
    make_descriptor(play.mo, roll.pk, " Tied  up ", key=uuid4())
    assert play.events()[-1].described["words"] == "Scene Descriptor: Tied up 3D."
    assert made_in_scene(viewer_of(play, play.other)) == ["Tied up 3"]
    with pytest.raises(Blocked):
        make_descriptor(play.mo, roll.pk, "Tied again", key=uuid4())
    with pytest.raises(Invalid):
        make_descriptor(play.mo, won(play, christopher).pk, "  ", key=uuid4())


def test_anyone_makes_it_stick_for_a_point_even_its_bearer(play, christopher, bob, scene):
    roll = won(play, christopher)
    with pytest.raises(Blocked):
        make_stick(play.other, roll.pk, to=bob.pk, payer=bob.pk, key=uuid4())
    make_descriptor(play.mo, roll.pk, "Tied up", key=uuid4())
    with pytest.raises(Forbidden):
        make_stick(play.other, roll.pk, to=bob.pk, payer=christopher.pk, key=uuid4())
    make_stick(play.other, roll.pk, to=bob.pk, payer=bob.pk, key=uuid4())
    assert (rows(bob, "stuck"), now(bob).value("will")) == ([("Tied up", 3)], 8)
    assert play.events()[-1].described["words"] == "Tied up 3D sticks to Bob: Bob pays 1 Will."


def test_the_last_point_may_pay_for_it_and_without_one_nothing_sticks(play, christopher, bob):
    roll = won(play, christopher)
    make_descriptor(play.mo, roll.pk, "Tied up", key=uuid4())
    set_field(play.gm, christopher, "will", 0, expected=9, key=uuid4())
    with pytest.raises(Invalid):
        make_stick(play.mo, roll.pk, to=bob.pk, payer=christopher.pk, key=uuid4())
    set_field(play.gm, now(christopher), "will", 1, expected=0, key=uuid4())
    make_stick(play.mo, roll.pk, to=bob.pk, payer=christopher.pk, key=uuid4())
    assert (now(christopher).value("will"), now(christopher).value("out_of_scene")) == (0, True)


def test_it_is_gone_with_its_scene(play, christopher, bob, scene):
    roll = won(play, christopher)
    make_descriptor(play.mo, roll.pk, "Tied up", key=uuid4())
    close_scene(play.gm, key=uuid4())
    with pytest.raises(Blocked) as refused:
        make_stick(play.mo, roll.pk, to=bob.pk, payer=christopher.pk, key=uuid4())
    assert "scene has ended" in refused.value.message


def test_taking_the_roll_back_undoes_all_that_followed(play, christopher, bob):
    roll = won(play, christopher)
    take_hit(play.other, roll.pk, key=uuid4())
    make_descriptor(play.mo, roll.pk, "Tied up", key=uuid4())
    make_stick(play.mo, roll.pk, to=bob.pk, payer=christopher.pk, key=uuid4())
    with pytest.raises(Blocked):
        correct_roll(play.gm, roll.pk, {"note": "x"}, key=uuid4())
    void_roll(play.gm, roll.pk, key=uuid4())
    assert (crossed(bob), rows(bob, "stuck"), now(christopher).value("will")) == ([], [], 9)
    with pytest.raises(Blocked):
        take_hit(play.other, roll.pk, key=uuid4())


def test_what_was_changed_since_is_not_overwritten(play, christopher, bob):
    roll = won(play, christopher)
    take_hit(play.other, roll.pk, key=uuid4())
    set_field(play.other, now(bob), "power_3", False, expected=True, key=uuid4())
    with pytest.raises(Conflict):
        void_roll(play.gm, roll.pk, key=uuid4())


def test_what_others_do_not_see_does_not_follow_for_them(play, christopher, bob):
    roll = won(play, christopher, audience=Audience.SELF)
    with pytest.raises(NotFound):
        take_hit(play.other, roll.pk, key=uuid4())
    take_hit(play.gm, roll.pk, key=uuid4())
    assert "descriptors.roll_followed" not in play.kinds()
    assert play.kinds(play.mo.stream)[-1] == "descriptors.roll_followed"


def test_each_is_offered_what_is_theirs_to_do(play, christopher, bob):
    roll = won(play, christopher)
    mine, theirs = (open_for(viewer_of(play, one), roll.pk) for one in (play.mo, play.other))
    assert (mine.hit, mine.makes, theirs.hit, theirs.makes) == (None, True, bob, False)
    make_descriptor(play.mo, roll.pk, "Tied up", key=uuid4())
    after = open_for(viewer_of(play, play.other), roll.pk)
    assert (after.made.name, after.made.dice, after.done) == ("Tied up", 3, ["Scene Descriptor: Tied up 3D."])


def test_what_was_made_out_of_sight_is_nobody_elses_to_write_into_a_pool(play, christopher, bob, scene):
    roll = won(play, christopher, audience=Audience.SELF)
    make_descriptor(play.mo, roll.pk, "Tied up", key=uuid4())
    seen = {one: made_in_scene(viewer_of(play, getattr(play, one))) for one in ("gm", "mo", "other", "watcher")}
    assert seen == {"gm": ["Tied up 3"], "mo": ["Tied up 3"], "other": [], "watcher": []}
    close_scene(play.gm, key=uuid4())
    assert made_in_scene(viewer_of(play, play.gm)) == []


def test_a_roll_that_is_shown_says_what_has_followed_and_names_nobody_hidden(play, christopher, bob):
    roll = won(play, christopher, audience=Audience.SELF)
    make_descriptor(play.mo, roll.pk, "Tied up", key=uuid4())
    maker = Character.objects.create(campaign=play.campaign, name="The maker", shown=False, system="descriptors")
    make_stick(play.gm, roll.pk, to=maker.pk, payer=maker.pk, key=uuid4())
    with pytest.raises(Invalid):
        reveal_roll(play.gm, roll.pk, key=uuid4())
    Character.objects.filter(pk=maker.pk).update(shown=True)
    reveal_roll(play.gm, roll.pk, key=uuid4())
    assert play.events()[-1].described["done"][-1] == "Tied up 3D sticks to The maker: The maker pays 1 Will."


def test_nothing_follows_from_a_stalemate(play, christopher):
    dice.unload()
    dice.load(5, 5)
    asked = RollInput(character=christopher.pk, pool="1", against="1")
    roll = make_roll(play.mo, asked, audience=Audience.TABLE, key=uuid4())
    with pytest.raises(NotFound):
        make_descriptor(play.mo, roll.pk, "Nothing", key=uuid4())
