"""The example of a witness: chains and dice, of logs that were falsified in each way of tests/damage.py and further ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from afterburn_witness.dice import commitment, faces, standing
from afterburn_witness.log import Witness

from campaigns.models import Event, Role, Viewer
from campaigns.queries.log_lines import in_batches, lines_of
from tests.damage import DAMAGES, change_a_face, change_a_seed, link_anew
from tests.rolls.conftest import play
from tests.rolls.evening import evening, rerolled
from tests.rolls.queries.test_checking import CHANGES
from tests.rules.test_fairness import AGAIN

__all__ = ["evening", "play", "rerolled"]


def count_anew(lines):
    numbers: dict[str, int] = {}
    for line in lines:
        line["seq"] = numbers[line["stream"]] = numbers.get(line["stream"], 0) + 1


class Lines:
    """A server that tells these lines, and no others."""

    def __init__(self, lines):
        self.lines = lines

    def get(self, path, after="0", **_query):
        if path.endswith("/streams"):
            last = {line["stream"]: line for line in self.lines}
            return [{"name": name, "seq": line.get("seq"), "hash": line["hash"]} for name, line in last.items()]
        stream = path.split("/")[-2].replace("%3A", ":")
        return {"items": [line for line in self.lines if line["stream"] == stream][int(after) :], "next": None}


def read_for_the_first_time(lines, file, server=Lines):
    """Return a witness that never saw another log of this campaign."""
    watching = Witness(server(lines).get, "ashes", file)
    watching.read()
    return watching


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "seen.json"


@pytest.fixture
def lines(cast, evening):
    return whole_log(cast)


def whole_log(cast):
    """Return the log as its GM reads it."""
    seen = Event.objects.seen_by(Viewer(cast.campaign, cast.gm.member, Role.GM))
    return list(lines_of(in_batches(seen.select_related("stream", "stored", "actor")), cast.campaign))


def test_dice_of_several_kinds_are_computed_as_the_server_does():
    """tests/rules/test_fairness.py has the same faces."""
    campaign, roll = "0f0e0d0c-0b0a-4908-8706-050403020100", "00010203-0405-4607-8809-0a0b0c0d0e0f"
    proof = {"epoch": "3", "actor": 7, "roll": roll, "client": "c1" * 16, "witness": "", "spec": "2d6,1d20,1d4"}
    fell = [2, 3, 17, 2, 3, 3, 3, 1]
    assert faces(campaign, proof | {"faces": fell}, "5e" * 32) == fell


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_log_that_was_changed_is_found_by_who_reads_it_for_the_first_time(lines, damage, file):
    damage(lines)
    watching = read_for_the_first_time(lines, file)
    assert watching.faults


@pytest.mark.parametrize("damage", [change_a_face, change_a_seed])
def test_dice_that_do_not_fit_are_found_in_a_chain_that_was_linked_anew(lines, damage, file):
    damage(lines)
    link_anew(lines)
    watching = read_for_the_first_time(lines, file)
    assert watching.faults and all(fault.startswith("DICE: ") for fault in watching.faults)


def test_a_card_that_shows_other_dice_than_its_proof_is_found(lines, file):
    card = next(line["payload"]["card"] for line in lines if line["payload"].get("proof"))
    card["dice"][0]["face"] = card["dice"][0]["face"] % 10 + 1
    link_anew(lines)
    watching = read_for_the_first_time(lines, file)
    assert "its card shows other dice than its proof" in watching.faults[0]


def test_a_second_commitment_does_not_take_the_place_of_the_first(lines, file):
    at, committed = next((at, line) for at, line in enumerate(lines) if line["kind"] == "rolls.epoch_committed")
    epoch = committed["payload"]["epoch"]
    told = next(line for line in lines if line["kind"] == "rolls.epoch_revealed" and line["payload"]["epoch"] == epoch)
    told["payload"]["seed"] = "00" * 32
    again = json.loads(json.dumps(committed))
    again["payload"]["commitment"] = commitment(again["campaign"], epoch, "00" * 32)
    lines.insert(at + 1, again)
    count_anew(lines)
    link_anew(lines)
    watching = read_for_the_first_time(lines, file)
    assert watching.faults


def test_dice_need_a_commitment_before_them(lines, file):
    kept = [line for line in lines if line["kind"] != "rolls.epoch_committed"]
    count_anew(kept)
    link_anew(kept)
    watching = read_for_the_first_time(kept, file)
    assert watching.faults and all("nothing was committed to before" in fault for fault in watching.faults)


def test_a_clock_that_stepped_back_is_no_fault(lines, file):
    for line in lines:
        if line["kind"] == "rolls.epoch_committed":
            line["at"] = "2999-01-01T00:00:00+00:00"
    link_anew(lines)
    assert read_for_the_first_time(lines, file).faults == []


# what no server of Afterburn says


def roll_of(lines):
    return next(line["payload"]["proof"] for line in lines if line["payload"].get("proof"))


def seed_of(lines):
    return next(line["payload"] for line in lines if line["kind"] == "rolls.epoch_revealed")


NONSENSE = {
    "a salt that is no hex": lambda lines: lines[-1].update(salt="no hex"),
    "a salt that is none": lambda lines: lines[-1].update(salt=None),
    "an entry without a field": lambda lines: lines[-1].pop("commitment"),
    "an entry without a number": lambda lines: lines[-1].pop("seq"),
    "a number that is text": lambda lines: lines[-1].update(seq=str(lines[-1]["seq"])),
    "an entry that is none": lambda lines: lines[-1].update(payload=None, erased=True),
}
NO_DICE = {
    "a seed that is no hex": lambda lines: seed_of(lines).update(seed="no hex"),
    "a seed that is none": lambda lines: seed_of(lines).update(seed=None),
    "a die without sides": lambda lines: roll_of(lines).update(spec="1d0"),
    "a die with more sides than a byte": lambda lines: roll_of(lines).update(spec="1d300"),
    "more dice than there is memory": lambda lines: roll_of(lines).update(spec=f"{10**15}d10", faces=[11]),
    "no dice": lambda lines: roll_of(lines).update(spec="many"),
    "faces that are none": lambda lines: roll_of(lines).update(faces=7),
}


def faults_kept(watching, file):
    """Return its faults, which are in its file, too."""
    assert watching.faults == json.loads(file.read_text())["faults"]
    return watching.faults


@pytest.mark.parametrize("change", NONSENSE.values(), ids=NONSENSE)
def test_an_entry_that_makes_no_sense_is_a_fault_of_its_stream_alone(lines, file, change):
    last = lines[-1]["stream"]
    change(lines)
    watching = read_for_the_first_time(lines, file)
    (fault,) = faults_kept(watching, file)
    assert fault.startswith(f"LOG: stream {last} ")
    assert {line["stream"] for line in lines} - {last} <= watching.heads.keys()


@pytest.mark.parametrize("change", NO_DICE.values(), ids=NO_DICE)
def test_dice_that_make_no_sense_are_a_fault_beside_which_others_are_computed(lines, file, change):
    change(lines)
    link_anew(lines)
    watching = read_for_the_first_time(lines, file)
    faults = faults_kept(watching, file)
    assert faults and all(fault.startswith("DICE: ") for fault in faults)
    assert watching.dice.checked or "seed" in faults[0]


class NoLines(Lines):
    """Says that a stream goes on, and never what with."""

    def get(self, path, **query):
        said = super().get(path, **query)
        return said if path.endswith("/streams") else {"items": [], "next": "7"}


class LastLineForEver(Lines):
    """Says that a stream goes on, always with the same line."""

    def get(self, path, **query):
        said = super().get(path, **query)
        return said if path.endswith("/streams") else {"items": self.lines[:1], "next": "1"}


class NoAnswers(Lines):
    """Answers with what no route answers."""

    def get(self, path, **query):
        return [7]


@pytest.mark.parametrize("server", [NoLines, LastLineForEver, NoAnswers])
def test_a_server_that_never_comes_to_an_end_or_makes_no_sense_is_a_fault(lines, file, server):
    assert faults_kept(read_for_the_first_time(lines, file, server), file)


@pytest.mark.parametrize("told", [None, 7, {}, {"stream": "table", "seq": "many", "hash": ""}])
def test_what_is_sent_live_and_makes_no_sense_is_a_fault(lines, file, told):
    watching = read_for_the_first_time(lines, file)
    watching.note(told)
    watching.read()
    (fault,) = faults_kept(watching, file)
    assert "what is sent live MAKES NO SENSE" in fault


def test_a_list_of_streams_that_names_another_end_than_the_lines_is_a_fault(lines, file):
    class TwoAnswers(Lines):
        def get(self, path, **query):
            said = super().get(path, **query)
            return [one | {"hash": "ab" * 32} for one in said] if path.endswith("/streams") else said

    assert "WAS REWRITTEN or FORKED" in faults_kept(read_for_the_first_time(lines, file, TwoAnswers), file)[0]


def test_a_name_of_a_stream_cannot_hide_a_fault_in_a_terminal(lines, file):
    class Escaping(Lines):
        def get(self, path, **query):
            return [{"name": "\x1b[2J", "seq": 1, "hash": ""}] if path.endswith("/streams") else {"items": []}

    (fault,) = faults_kept(read_for_the_first_time(lines, file, Escaping), file)
    assert fault.isprintable()


def test_a_witnessed_roll_needs_the_entry_of_its_witness(lines, file):
    roll = next(line for line in lines if line["kind"] == "rolls.roll_made" and line["stream"] == "table")
    proof, told = roll["payload"]["proof"], [line for line in lines if line["kind"] == "rolls.epoch_revealed"]
    seed = next(line["payload"]["seed"] for line in told if line["payload"]["epoch"] == proof["epoch"])
    proof["witness"] = "ab" * 16
    proof["faces"] = faces(roll["campaign"], proof, seed)
    for die, face in zip(roll["payload"]["card"]["dice"], proof["faces"], strict=False):
        die["face"] = face
    link_anew(lines)
    watching = read_for_the_first_time(lines, file)
    assert any("the log tells of no such witness" in fault for fault in watching.faults)


def test_dice_that_were_thrown_again_are_computed_again(cast, rerolled, file):
    watching = read_for_the_first_time(whole_log(cast), file)
    assert not watching.faults and not watching.dice.waiting


def test_they_take_their_places_as_on_the_server():
    assert standing({"proof": {"faces": [10, 3]}, "rerolls": AGAIN}) == [2, 10]


@pytest.mark.parametrize("change", CHANGES)
def test_whoever_changes_dice_that_were_thrown_again_is_found(cast, rerolled, file, change):
    lines = whole_log(cast)
    change(next(line["payload"]["rerolls"][-1] for line in reversed(lines) if line["payload"].get("rerolls")))
    link_anew(lines)
    watching = read_for_the_first_time(lines, file)
    assert watching.faults and all(fault.startswith("DICE: ") for fault in watching.faults)
