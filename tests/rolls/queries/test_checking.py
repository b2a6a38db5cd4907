"""What the server finds when its own log was changed behind its back."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from campaigns.models import Event, EventPayload, Membership, Stream
from campaigns.services.campaigns import create_campaign
from campaigns.services.erasing import forget
from rolls.models import Roll, SeedEpoch
from rolls.queries.checking import faults
from rolls.services.fairness import open_epoch, tell_seed
from tests.databases import TRIGGERS

pytestmark = pytest.mark.run_on("sqlite", "postgresql")


@pytest.fixture
def guard_away(evening):
    """Remove the log's triggers, as the database's owner could; they return with the end of the transaction."""
    with connection.cursor() as cursor:
        for statement in TRIGGERS.UNDO[connection.vendor]:
            cursor.execute(statement)


def change_payload(event, **values):
    event.stored.payload.update(values)
    event.stored.save()


def rolled(campaign, number=1):
    """Return a roll that everyone saw."""
    seen = Event.objects.filter(campaign=campaign, kind="rolls.roll_made", stream__name="table").order_by("seq")
    return seen.select_related("stored")[number]


def test_an_untouched_log_has_no_faults(cast, evening, capsys):
    assert list(faults(cast.campaign)) == []
    call_command("check_log", cast.campaign.slug)
    assert "all as they were written" in capsys.readouterr().out


def test_a_changed_face_is_found(cast, evening):
    stored = EventPayload.objects.get(event=rolled(cast.campaign))
    face = stored.payload["card"]["dice"][0]["face"]
    stored.payload["card"]["dice"][0]["face"] = stored.payload["proof"]["faces"][0] = face % 10 + 1
    stored.save()
    found = list(faults(cast.campaign))
    assert "what it says is not what was written" in found[0]
    assert any("the seed gives other dice" in fault for fault in found)


def test_the_command_names_all_faults_of_all_campaigns_and_ends_with_one_exit_code(cast, evening, capsys):
    beside = create_campaign(cast.player.user, name="Beside", systems=["arc"], key=uuid4())
    for name in ("Aside", "Zenith"):
        other = create_campaign(cast.player.user, name=name, systems=["arc"], key=uuid4())
        Stream.objects.filter(campaign=other, name="table").update(seq=10**6)
    change_payload(Event.objects.get(campaign=other, kind="campaigns.campaign_made"), name="")
    event = rolled(cast.campaign)
    change_payload(event, proof={"epoch": event.payload["proof"]["epoch"]})
    Membership.objects.filter(pk=cast.player.member.pk).update(role="gm")
    with pytest.raises(CommandError, match="Faults in 3 of 4 campaigns") as ended:
        call_command("check_log")
    assert ended.value.returncode == 1
    told = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in told if not line.startswith(cast.campaign.slug)] == [
        "aside",
        "beside",
        "zenith",
        "zenith",
    ]
    assert f"{beside.slug}: 3 events, all as they were written." in told
    own = "\n".join(line for line in told if line.startswith(cast.campaign.slug))
    for fault in ("not what was written", "cannot be computed again", "role is gm, the log gives player"):
        assert fault in own


def test_changed_dice_of_the_stored_roll_are_found(cast, evening):
    roll = Roll.objects.exclude(proof=None).first()
    Roll.objects.filter(pk=roll.pk).update(faces=[face % 10 + 1 for face in roll.faces])
    assert list(faults(cast.campaign)) == [f"Roll {roll.pk}: its dice are not those that the log tells."]


def test_a_seed_that_is_told_otherwise_is_found(cast, evening):
    event = Event.objects.filter(campaign=cast.campaign, kind="rolls.epoch_revealed").latest("seq")
    stored = event.stored
    stored.payload["seed"] = "00" * 32
    stored.save()
    assert any("the seed is not the one committed to" in fault for fault in faults(cast.campaign))


def test_a_changed_time_is_found(cast, evening, guard_away):
    one, other = rolled(cast.campaign, 0), rolled(cast.campaign, 1)
    Event.objects.filter(pk=one.pk).update(at=other.at)
    assert f"table {one.seq} (rolls.roll_made): the chain does not fit" in next(faults(cast.campaign))


def test_a_row_taken_out_is_found(cast, evening, guard_away):
    one = rolled(cast.campaign)
    Event.objects.filter(pk=one.pk).update(seq=10**6)
    missing = f"table {one.seq + 1} ("
    first = next(faults(cast.campaign))
    assert first.startswith(missing) and f"from number {one.seq} on, is missing" in first


def test_swapped_rows_are_found(cast, evening, guard_away):
    one, other = rolled(cast.campaign, 0), rolled(cast.campaign, 1)
    for event, seq in ((one, 10**6), (other, one.seq), (one, other.seq)):
        Event.objects.filter(pk=event.pk).update(seq=seq)
    assert f"table {one.seq} (rolls.roll_made): the chain does not fit" in next(faults(cast.campaign))


def test_a_log_cut_off_at_its_end_is_found(cast, evening):
    Stream.objects.filter(campaign=cast.campaign, name="table").update(seq=10**6)
    assert "its last event should be number 1000000" in next(faults(cast.campaign))


def test_a_name_that_was_erased_is_no_fault(cast, evening):
    forget(cast.player.member, "somebody")
    assert list(faults(cast.campaign)) == []


def test_a_seed_in_use_that_was_exchanged_is_found_when_it_is_told(cast, play, evening):
    SeedEpoch.objects.filter(pk=open_epoch(cast.campaign).pk).update(seed="ab" * 32)
    assert list(faults(cast.campaign)) == []
    tell_seed(play.gm, key=uuid4())
    assert "the seed is not the one committed to" in next(faults(cast.campaign))


def test_a_campaign_that_is_not_there_is_said_to_be_missing(db):
    with pytest.raises(CommandError, match="No such campaign"):
        call_command("check_log", "nowhere")


def test_a_site_on_which_nobody_plays_yet_has_no_fault(db, capsys):
    call_command("check_log")
    assert capsys.readouterr().out == "There are no campaigns yet.\n"


# Dice that were thrown again


def test_dice_that_were_thrown_again_are_computed_again_each_throw_by_its_own_proof(cast, rerolled):
    roll = Roll.objects.exclude(rerolls=[]).get(voided_at=None)
    assert [again["at"] for again in roll.rerolls] == [[0], [2, 0, 1]]
    assert len({proof["roll"] for proof in (roll.proof, *(again["proof"] for again in roll.rerolls))}) == 3
    assert list(faults(cast.campaign)) == []


def change_what_it_was(again):
    again["before"][0] = again["before"][0] % 10 + 1


def change_what_it_is(again):
    again["faces"][0] = again["faces"][0] % 10 + 1


def change_what_was_thrown(again):
    again["proof"]["faces"][0] = again["proof"]["faces"][0] % 10 + 1


def change_which_it_was(again):
    again["at"][0] += 3  # No die lies there; another one of the three can show the same.


CHANGES = [change_what_it_was, change_what_it_is, change_what_was_thrown, change_which_it_was]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("which", [0, 1])
def test_any_change_of_what_was_thrown_again_is_found(cast, rerolled, change, which):
    stored = Roll.objects.exclude(rerolls=[]).get(voided_at=None).event.stored
    change(stored.payload["rerolls"][which])
    stored.save()
    found = list(faults(cast.campaign))[1:]
    assert any("rolls.roll_corrected: " in fault for fault in found)
    assert any("its dice are not those that the log tells" in fault for fault in found)
