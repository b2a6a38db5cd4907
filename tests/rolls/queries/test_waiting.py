"""What waits for whom: of procedures, requests, announced rolls, claims and Burns; and nothing that is not for them."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.models import Role, Viewer
from campaigns.services.members import remove_member
from characters.services.cards import Card, hand_over, make_character
from characters.services.fields import add_row
from characters.services.ledger import confirm_claim, make_claim
from rolls.models import Audience
from rolls.queries.home import waiting
from rolls.queries.procedures import open_procedures
from rolls.queries.requests import open_requests
from rolls.services.procedures import act, close_procedure, open_procedure
from rules.acts import ActKey
from scale.models import Burn
from scale.services.burns import take_burn
from tests.following import followed_and_reloaded
from tests.rolls.services.test_announced import announce
from tests.rolls.services.test_procedures import begin, roll
from tests.rolls.services.test_requests import ask
from tests.stored import store


def told(member):
    """Return [(who, what for, whether a player may do it)] as this member is told."""
    viewer = Viewer(member.campaign, member, Role(member.role))
    found = waiting(viewer, open_requests(viewer), open_procedures(viewer))
    return [(wait.name, wait.words, wait.members) for one in found for wait in one.waits]


def fight(play, names=""):
    given = {"characters": [str(play.silas.pk), str(play.corvina.pk)], "names": names, "anew": False}
    return open_procedure(play.gm, "storyteller", "conflict", given, key=uuid4())


def claimed(cast):
    """Claim a Key of a character that Mo plays."""
    mo = cast.player.member
    abigail = make_character(mo, Card("Abigail", "Fencer", mo), system="descriptors", key=uuid4())
    abigail = add_row(mo, abigail, "keys", {"name": "Pride", "framework": "motivation"}, key=uuid4())
    level = f"{abigail.sheet['keys'][0]['id']}/expressed"
    return make_claim(mo, abigail, "key", {"level": level}, key=uuid4())


def test_a_request_waits_for_whoever_is_asked(play):
    ask(play, play.mo, traits="perc+alert", difficulty=8)
    for member in (play.mo, play.other, play.gm):
        assert told(member) == [("Mo", "to roll: Perception + Alertness, difficulty 8", (play.mo.pk,))]


def test_what_is_asked_of_all_waits_for_those_who_have_not_rolled(play):
    request = ask(play, dice=3)
    assert [(name, members) for name, _, members in told(play.gm)] == [
        ("Mo, Other Player", (play.mo.pk, play.other.pk))
    ]
    play.roll(7, 5, 2, request=request.pk)
    assert [name for name, _, _ in told(play.gm)] == ["Other Player"]


def test_a_private_request_is_known_to_the_asked_and_the_gm_alone(play):
    ask(play, play.mo, audience=Audience.SELF, dice=3)
    assert told(play.mo) and told(play.gm)
    assert told(play.other) == []
    ask(play, audience=Audience.SELF, dice=4)
    assert [name for name, words, _ in told(play.other)] == ["Other Player"]


def test_a_procedure_waits_once_however_much_it_asks_for(play):
    procedure = begin(play)
    assert told(play.mo) == [("Silas Grey", "to roll", (play.mo.pk,))]
    roll(play, procedure, 7, 5, 5, 5, 5)
    assert told(play.gm) == [("Silas Grey", "to roll", (play.mo.pk,))]
    close_procedure(play.gm, procedure.pk, key=uuid4())
    assert told(play.gm) == []


def test_what_nobody_plays_waits_for_the_gm(play):
    begin(play, character=None, name="The tide", pool="4")
    assert told(play.gm) == [("The tide", "to roll", ())]


def test_a_procedure_of_the_gms_own_waits_for_nobody_else(play):
    procedure = begin(play)
    store(procedure, stream="gm")
    assert told(play.gm) and told(play.mo) == []


def test_an_announced_roll_waits_for_a_gm_to_set_it(checks):
    announce(checks)
    assert told(checks.gm) == [("", "to set a roll announced by Mo: Control + Tamper", ())]


def test_a_claim_waits_for_gms_and_is_gone_once_it_is_answered(cast):
    claim = claimed(cast)
    assert told(cast.gm.member) == [("", "Claim to confirm: Pride: it showed", ())]
    assert told(cast.player.member) == told(cast.other_player.member) == []
    confirm_claim(cast.gm.member, claim.pk, key=uuid4())
    assert told(cast.gm.member) == []


def test_a_burn_waits_for_its_player_then_for_who_chooses(play):
    play.roll(8, 9, 10)
    assert told(play.other) == [("Mo", "Burn offer: take or bank", (play.mo.pk,))]
    take_burn(play.mo, play.burn(Burn.State.OFFERED).pk, key=uuid4())
    assert told(play.gm) == [("Mo", "choose what the Burn does", (play.mo.pk,))]


def test_who_has_left_is_waited_for_no_more(play):
    ask(play, play.mo, dice=3)
    ask(play, difficulty=8)
    begin(play)
    remove_member(play.gm, play.mo, key=uuid4())
    assert told(play.gm) == [
        ("Other Player", "to roll: A roll, difficulty 8", (play.other.pk,)),
        ("Silas Grey", "to roll", ()),
    ]


def test_whoever_plays_a_character_from_now_on_is_waited_for(play):
    procedure = begin(play)
    hand_over(play.gm, play.silas, play.other, key=uuid4())
    assert told(play.other) == [("Silas Grey", "to roll", (play.other.pk,))]
    assert procedure.requests.get(closed_at=None).member == play.other


def happen(play):
    """Make things that wait and that stop waiting, and let somebody leave."""
    ask(play, play.mo, dice=3)
    ask(play, dice=4)
    ask(play, play.other, audience=Audience.SELF, dice=5)
    begin(play)
    conflict = fight(play, "Dog 2")
    conflict.refresh_from_db()
    act(play.gm, conflict.pk, ActKey("done", next(iter(waited(play)))), key=uuid4())


def waited(play):
    viewer = Viewer(play.campaign, play.gm, Role.GM)
    shown = [one for one in open_procedures(viewer) if one["kind"] == "conflict"]
    return [wait["whom"] for wait in shown[0]["waits"]]


@pytest.mark.parametrize("leaves", [False, True])
def test_following_shows_what_reloading_shows(cast, play, leaves):
    happen(play)
    play.roll(8, 9, 10)
    if leaves:
        remove_member(play.gm, play.mo, key=uuid4())
    for who in ("gm", "other_player", "spectator") + (() if leaves else ("player",)):
        shown, differing = followed_and_reloaded(getattr(cast, who), cast.campaign)
        assert not differing, who
        assert ("waits" in {name.split("-")[0] for name in shown}) == (who != "spectator")
