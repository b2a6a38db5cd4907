"""fairdice/1: anyone computes the same dice, and no face is favoured."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from rules.errors import OutOfRange
from rules.fairness import (
    Message,
    blind_seed,
    commit,
    commit_blind,
    faces,
    fits,
    message_of,
    rightly_blind,
    sides_of,
    standing_faces,
    throws,
)

SEED = "5e" * 32
MESSAGE = Message(
    campaign="0f0e0d0c-0b0a-4908-8706-050403020100",
    epoch="3",
    actor="7",
    roll="00010203-0405-4607-8809-0a0b0c0d0e0f",
    client_seed="c1" * 16,
    witness_seed="",
    spec="5d10",
)


def first(count: int, message: Message = MESSAGE, seed: str = SEED) -> list[int]:
    return list(islice(faces(seed, message), count))


def test_the_message_is_the_lines_that_are_written_down():
    assert str(MESSAGE).split("\n") == [
        "fairdice/1",
        "roll",
        "0f0e0d0c-0b0a-4908-8706-050403020100",
        "3",
        "7",
        "00010203-0405-4607-8809-0a0b0c0d0e0f",
        "c1" * 16,
        "",
        "5d10",
    ]


def test_a_commitment_is_the_hash_of_campaign_epoch_and_seed():
    text = f"fairdice/1\ncommit\n{MESSAGE.campaign}\n3\n{SEED}".encode()
    assert commit(MESSAGE.campaign, "3", SEED) == hashlib.sha256(text).hexdigest()
    assert commit_blind(MESSAGE.campaign, "3", SEED) != commit(MESSAGE.campaign, "3", SEED)


def test_faces_are_read_byte_by_byte_from_numbered_blocks():
    blocks = [hmac.digest(bytes.fromhex(SEED), f"{MESSAGE}\n{i}".encode(), "sha256") for i in range(3)]
    taken = [byte for block in blocks for byte in block if byte < 250]
    assert first(60) == [byte % 10 + 1 for byte in taken][:60]


def test_a_d6_skips_what_is_above_its_last_full_round_and_a_d8_nothing():
    for spec, sides, limit in (("1d6", 6, 252), ("1d8", 8, 256)):
        message = replace(MESSAGE, spec=spec)
        blocks = [hmac.digest(bytes.fromhex(SEED), f"{message}\n{i}".encode(), "sha256") for i in range(20)]
        read = [byte % sides + 1 for block in blocks for byte in block if byte < limit]
        assert first(500, message) == read[:500]


def test_dice_of_several_kinds_fall_in_order_and_added_ones_are_like_the_last():
    rolled = first(4000, replace(MESSAGE, spec="3d20,1d4"))
    assert max(rolled[3:]) == 4
    assert sides_of("2d6,1d8") == (6, 6, 8)
    # The same values are in tests/javascript/fairness.test.js and tests/examples/test_witness_dice.py.
    assert first(8, replace(MESSAGE, spec="2d6,1d20,1d4")) == [2, 3, 17, 2, 3, 3, 3, 1]


def test_all_faces_fall_about_equally_often():
    for sides in (4, 6, 8, 10, 12, 100):
        found = Counter(first(sides * 1000, replace(MESSAGE, spec=f"1d{sides}")))
        assert set(found) == set(range(1, sides + 1))
        # The seed is fixed above, so this is one number and no chance: five deviations of a fair die.
        assert max(abs(count - 1000) for count in found.values()) < 5 * 1000**0.5


@pytest.mark.parametrize(
    "change",
    [
        {"campaign": "other"},
        {"epoch": "4"},
        {"actor": "8"},
        {"roll": "other"},
        {"client_seed": "c2" * 16},
        {"witness_seed": "c1" * 16},
        {"spec": "6d10"},
    ],
)
def test_each_part_of_the_message_changes_the_dice(change):
    assert first(30, replace(MESSAGE, **change)) != first(30)


def test_another_seed_gives_other_dice_and_the_same_gives_the_same():
    assert first(30, seed="5f" * 32) != first(30)
    assert first(30) == first(30)


@pytest.mark.parametrize("spec", ["", "d10", "5d", "5x10", "5d10,", "5d10 ", "0d10", "٥d10"])
def test_what_is_no_spec_is_refused(spec):
    with pytest.raises(ValueError, match="no dice"):
        sides_of(spec)


def test_a_die_that_is_not_made_is_refused():
    with pytest.raises(OutOfRange):
        sides_of("1d101")


def proof(**more):
    told = {"epoch": "3", "actor": 7, "roll": MESSAGE.roll, "client": "c1" * 16, "witness": "", "spec": "5d10"}
    return told | {"faces": first(5)} | more


def test_a_proof_fits_only_the_dice_that_fell():
    assert message_of(MESSAGE.campaign, proof()) == MESSAGE
    assert fits(MESSAGE.campaign, proof(), SEED)
    fell = first(5)
    assert not fits(MESSAGE.campaign, proof(faces=[fell[0] % 10 + 1, *fell[1:]]), SEED)
    assert not fits(MESSAGE.campaign, proof(actor=8), SEED)
    assert not fits(MESSAGE.campaign, proof(), "5f" * 32)
    assert not fits(MESSAGE.campaign, proof(faces=[]), SEED)


def test_a_blind_roll_is_mixed_with_what_its_roller_does_not_know():
    secret = "b1" * 32
    blind = blind_seed(secret, roll=MESSAGE.roll, client_seed="c1" * 16)
    assert len(bytes.fromhex(blind)) == 16
    assert rightly_blind(proof(witness=blind), secret)
    assert not rightly_blind(proof(witness=blind), "b2" * 32)
    assert first(30, replace(MESSAGE, witness_seed=blind)) != first(30)


AGAIN = [
    {"at": [1], "before": [3], "faces": [10, 10, 4], "proof": {"faces": [10, 4]}},
    {"at": [2, 0], "before": [4, 10], "faces": [2, 10], "proof": {"faces": [6, 2]}},
]
"""A further die falls with a ten, and the last is no more once there is one less."""


def test_dice_that_were_thrown_again_stand_in_the_places_of_the_former():
    assert standing_faces({"proof": {"faces": [10, 3]}}) == [10, 3]
    assert standing_faces({"proof": {"faces": [10, 3]}, "rerolls": AGAIN[:1]}) == [10, 10, 4]
    assert standing_faces({"proof": {"faces": [10, 3]}, "rerolls": AGAIN}) == [2, 10]
    assert throws({"proof": {"faces": [10, 3]}, "rerolls": AGAIN}) == [
        {"faces": [10, 3]},
        {"faces": [10, 4]},
        {"faces": [6, 2]},
    ]


@pytest.mark.parametrize("change", [{"at": [0]}, {"at": [7]}, {"before": [4]}, {"faces": [10, 9, 4]}, {"faces": [10]}])
def test_a_throw_that_does_not_follow_from_the_one_before_is_found(change):
    assert standing_faces({"proof": {"faces": [10, 3]}, "rerolls": [AGAIN[0] | change, AGAIN[1]]}) is None


def test_a_throw_that_nobody_can_check_is_taken_as_it_is_told():
    unproved = {"at": [1], "before": [3], "faces": [10, 5], "proof": None}
    assert standing_faces({"proof": {"faces": [10, 3]}, "rerolls": [unproved]}) == [10, 5]
