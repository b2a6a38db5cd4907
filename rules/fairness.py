"""`fairdice/1`: dice that anyone can compute once the seed is revealed, and that nobody could choose before
(docs/fairdice.md).

The server commits to a seed before the first roll of an epoch; every roll mixes it with what the browser made up for this roll;
when the epoch ends the seed is told. Nothing here makes anything up: seeds, ids and faces come in from outside.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count, islice, repeat
from typing import Any, Final

from rules.dice import Die

NAME: Final = "fairdice/1"
_SPEC: Final = re.compile(r"([0-9]{1,3})d([0-9]{1,3})")


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """The text from which a roll's dice are computed, besides the seed.

    `actor` is the number of the membership that rolls, `client_seed` and `witness_seed` are 32 hex digits or "", `spec`
    the dice in the order in which they fall, such as "5d10", or until 0.2.1 "2d6,1d8".
    """

    campaign: str
    epoch: str
    actor: str
    roll: str
    client_seed: str
    witness_seed: str
    spec: str

    def __str__(self) -> str:
        return "\n".join(
            (
                *(NAME, "roll", self.campaign, self.epoch, self.actor),
                *(self.roll, self.client_seed, self.witness_seed, self.spec),
            )
        )


def commit(campaign: str, epoch: str, seed: str) -> str:
    """Return the commitment to a seed (64 hex digits), in hex, which is published before its epoch begins."""
    return _commitment("commit", campaign, epoch, seed)


def commit_blind(campaign: str, epoch: str, secret: str) -> str:
    """Return the commitment to the secret that an epoch's blind rolls are mixed with; as `commit`."""
    return _commitment("blind", campaign, epoch, secret)


def _commitment(what: str, campaign: str, epoch: str, secret: str) -> str:
    return hashlib.sha256("\n".join((NAME, what, campaign, epoch, secret)).encode()).hexdigest()


def blind_seed(secret: str, *, roll: str, client_seed: str) -> str:
    """Return the witness seed of a roll that its own roller must not see, 32 hex digits.

    The roller knows everything else that goes into the dice, and would know the faces as soon as the seed is revealed.
    """
    message = "\n".join((NAME, "blind", roll, client_seed)).encode()
    return hmac.digest(bytes.fromhex(secret), message, "sha256")[:16].hex()


def sides_of(spec: str) -> tuple[int, ...]:
    """Return the sides of each die of a spec, in order. Raises ValueError for an invalid spec, OutOfRange for dice that
    do not exist.
    """
    sides: list[int] = []
    for part in spec.split(","):
        if not (match := _SPEC.fullmatch(part)):
            raise ValueError(f"no dice: {spec!r}")
        sides.extend([Die(int(match[2])).sides] * int(match[1]))
    if not sides:
        raise ValueError(f"no dice: {spec!r}")
    return tuple(sides)


def without_end(spec: str) -> Iterator[int]:
    """Yield the sides of each die of a spec in order, and then of dice like the last one, which a rule may add."""
    sides = sides_of(spec)
    yield from sides
    yield from repeat(sides[-1])


def faces(seed: str, message: Message) -> Iterator[int]:
    """Yield the faces of a roll, without end."""
    source = _bytes(bytes.fromhex(seed), str(message))
    for sides in without_end(message.spec):
        yield _face(source, sides)


def _bytes(seed: bytes, message: str) -> Iterator[int]:
    for block in count():
        yield from hmac.digest(seed, f"{message}\n{block}".encode(), "sha256")


def _face(source: Iterator[int], sides: int) -> int:
    # The bytes above the last full round would favour the low faces.
    limit = 256 - 256 % sides
    return next(byte for byte in source if byte < limit) % sides + 1


def message_of(campaign: str, proof: Mapping[str, Any]) -> Message:
    """Return the message of a roll from its proof in events: {"epoch", "actor", "roll", "client", "witness", "spec", …}."""
    return Message(
        campaign=campaign,
        epoch=proof["epoch"],
        actor=str(proof["actor"]),
        roll=proof["roll"],
        client_seed=proof["client"],
        witness_seed=proof["witness"],
        spec=proof["spec"],
    )


def fits(campaign: str, proof: Mapping[str, Any], seed: str) -> bool:
    """Return whether the seed gives the proof's `faces`, in the order in which they fell."""
    told_faces = proof["faces"]
    return bool(told_faces) and list(islice(faces(seed, message_of(campaign, proof)), len(told_faces))) == told_faces


def throws(told: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the proofs of all throws of a roll: the first (`proof`) and its `rerolls`. Throws that cannot be checked
    have none.
    """
    proofs = (told.get("proof"), *(again["proof"] for again in told.get("rerolls") or ()))
    return [proof for proof in proofs if proof]


def standing_faces(told: Mapping[str, Any]) -> list[int] | None:
    """Return the faces of a roll with a proof, with rerolled dice replaced; None if the roll's own record of them
    differs. Additional dice of a reroll come last; of all dice, as many are returned as the rules took.
    """
    faces: list[int] = told["proof"]["faces"]
    for again in told.get("rerolls") or ():
        placed, places, now = dict(enumerate(faces)), again["at"], again["faces"]
        if [placed.get(at) for at in places] != again["before"]:
            return None
        if again["proof"]:
            thrown = again["proof"]["faces"]
            placed |= zip(places, thrown, strict=False)
            if [*placed.values(), *thrown[len(places) :]][: len(now)] != now:
                return None
        faces = now
    return faces


def rightly_blind(proof: Mapping[str, Any], secret: str) -> bool:
    """Return whether a roll's witness seed is the one that the epoch's secret gives."""
    return hmac.compare_digest(blind_seed(secret, roll=proof["roll"], client_seed=proof["client"]), proof["witness"])
