"""Random throws, commitments and payload, with what Python makes of each: what a browser has to agree with."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

from campaigns import chain
from rules.fairness import blind_seed, commit, commit_blind, faces, message_of

LETTERS = 'aZ0 _-"\\/\n\t\x00\x1f\x7fäß√é😀\u2028\ud7ff\uffff'


def vectors(count: int, seed: int) -> list[dict[str, Any]]:
    """Return `count` vectors, the same for the same seed."""
    chance = random.Random(seed)
    return [_vector(chance) for _ in range(count)]


def _vector(chance: random.Random) -> dict[str, Any]:
    def digits(count: int) -> str:
        return chance.randbytes(count // 2).hex()

    spec = ",".join(f"{chance.randint(1, 20)}d{chance.randint(2, 100)}" for _ in range(chance.randint(1, 3)))
    proof = {
        "epoch": str(chance.randint(1, 999)),
        "actor": chance.randint(1, 10**6),
        "roll": digits(32),
        "client": chance.choice(("", digits(32))),
        "witness": chance.choice(("", digits(32))),
        "spec": spec,
    }
    campaign, secret, salt = digits(32), digits(64), digits(32)
    payload = {_text(chance): _value(chance, 3) for _ in range(chance.randint(0, 4))}
    return {
        "campaign": campaign,
        "proof": proof,
        "secret": secret,
        "salt": salt,
        "payload": payload,
        "faces": list(islice(faces(secret, message_of(campaign, proof)), chance.randint(1, 80))),
        "commit": commit(campaign, proof["epoch"], secret),
        "commit_blind": commit_blind(campaign, proof["epoch"], secret),
        "blind_seed": blind_seed(secret, roll=proof["roll"], client_seed=proof["client"]),
        "commitment": chain.commit(salt, payload),
    }


def _text(chance: random.Random) -> str:
    return "".join(chance.choice(LETTERS) for _ in range(chance.randint(0, 8)))


def _value(chance: random.Random, depth: int) -> Any:
    kind = chance.randint(0, 5 if depth else 3)
    if kind == 0:
        return chance.choice((None, True, False))
    if kind == 1:
        return chance.randint(-(2**53) + 1, 2**53 - 1)
    if kind in (2, 3):
        return _text(chance)
    if kind == 4:
        return [_value(chance, depth - 1) for _ in range(chance.randint(0, 4))]
    return {_text(chance): _value(chance, depth - 1) for _ in range(chance.randint(0, 4))}


COMPUTED = """(fair, given) => given.map((one) => {
    const { campaign, proof, secret } = one;
    return {
        ...one,
        faces: fair.faces(campaign, proof, secret, one.faces.length),
        commit: fair.commit(campaign, proof.epoch, secret),
        commit_blind: fair.commitBlind(campaign, proof.epoch, secret),
        blind_seed: fair.blindSeed(secret, proof),
        commitment: fair.commitment(one.salt, one.payload),
    };
})"""
"""The same vectors as JavaScript computes them: a function of what fairness.js exports, and of them."""
