"""The dice of a log, computed again once their seeds are revealed (`fairdice/1`; docs/fairdice.md of Afterburn)."""

import hashlib
import hmac
from itertools import chain, count, repeat
from typing import Any

Fields = dict[str, Any]
# What reading raises where no server of Afterburn has written.
NONSENSE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)


def commitment(campaign: str, epoch: str, seed: str) -> str:
    """Return the commitment to a seed, which is published before its epoch begins, in hex."""
    return hashlib.sha256("\n".join(("fairdice/1", "commit", campaign, epoch, seed)).encode()).hexdigest()


def faces(campaign: str, proof: Fields, seed: str) -> list[int]:
    """Return the faces that a seed gives for a roll, as many as in its proof."""
    spec = [(int(many), int(die)) for many, die in (part.split("d") for part in proof["spec"].split(","))]
    if max(die for _, die in spec) > 256:
        raise ValueError("a byte decides between 256 faces at most")
    names = (str(proof[name]) for name in ("epoch", "actor", "roll", "client", "witness", "spec"))
    message = "\n".join(("fairdice/1", "roll", campaign, *names))
    key, blocks = bytes.fromhex(seed), (f"{message}\n{block}".encode() for block in count())
    source = (byte for block in blocks for byte in hmac.digest(key, block, "sha256"))
    sides = chain(*(repeat(die, many) for many, die in spec), repeat(spec[-1][1]))
    dice = (die for _, die in zip(proof["faces"], sides, strict=False))
    return [next(byte for byte in source if byte < 256 - 256 % die) % die + 1 for die in dice]


def standing(payload: Fields) -> list[int]:
    """Return a roll's faces with rerolled dice replaced; [] if the roll's own record of them differs."""
    now: list[int] = payload["proof"]["faces"]
    for again in payload.get("rerolls") or ():
        thrown = again["proof"]["faces"] if again["proof"] else [again["faces"][at] for at in again["at"]]
        placed = dict(enumerate(now))
        was = [placed.get(at) for at in again["at"]]
        placed |= zip(again["at"], thrown, strict=False)
        now = [*placed.values(), *thrown[len(again["at"]) :]][: len(again["faces"])]
        if (was, now) != (again["before"], again["faces"]):
            return []
    return now


class Dice:
    """The seeds and rolls of a log. Streams come in any order: all is checked once everything was read."""

    def __init__(self) -> None:
        self.checked = 0
        # Throws of rolls whose seed is not told yet, by their proofs, and seeds not looked at.
        self.waiting: list[tuple[Fields, Fields | None]] = []
        self._told: dict[tuple[str, str], Fields] = {}  # of seeds and witnesses, by kind and by epoch or roll

    def take(self, line: Fields) -> None:
        """Remember a line about dice; others are skipped."""
        kind, payload = line["kind"], line["payload"]
        if kind in ("rolls.epoch_committed", "rolls.epoch_revealed"):
            # The first is what counts: a server could commit to another seed, later on.
            self._told.setdefault((kind, payload["epoch"]), payload | {"in": (line["stream"], line["seq"])})
        elif kind in ("rolls.witness_asked", "rolls.witness_given"):
            self._told[kind, payload["roll"]] = payload
        if kind == "rolls.epoch_revealed":
            self.waiting.append((line, None))
        proofs = (payload.get("proof"), *(again["proof"] for again in payload.get("rerolls") or ()))
        self.waiting += [(line, proof) for proof in proofs if proof]

    def faults(self) -> list[str]:
        """Return the faults in the lines taken since the last call, in words. What cannot be known yet waits."""
        wrong, told, self.waiting = [], self.waiting, []
        for line, proof in told:
            seed = self._told.get(("rolls.epoch_revealed", (proof or line["payload"])["epoch"]), {}).get("seed", "")
            try:
                fault = self._fault(line, proof, seed)
            except NONSENSE as error:
                fault = f"its dice make no sense ({type(error).__name__})."
            if fault:
                wrong.append(f"{line['stream']} {line['seq']}: {fault}")
            elif not seed:
                self.waiting.append((line, proof))
            elif proof:
                self.checked += 1
        return wrong

    def _fault(self, line: Fields, proof: Fields | None, seed: str) -> str:
        committed = self._told.get(("rolls.epoch_committed", (proof or line["payload"])["epoch"]))
        # Times are no order: a clock may step back. What is in another stream was committed to, whenever that was.
        if committed is None or (committed["in"][0] == line["stream"] and committed["in"][1] > line["seq"]):
            return "nothing was committed to before."
        if not proof:
            right = commitment(line["campaign"], line["payload"]["epoch"], line["payload"]["seed"])
            return "" if right == committed["commitment"] else "the seed is not the one committed to."
        card = line["payload"].get("card") or {}
        shown = [die["face"] for die in card.get("dice", ()) if "face" in die]
        if shown and line["payload"].get("proof") and sorted(shown) != sorted(standing(line["payload"])):
            return "its card shows other dice than its proof."
        if seed and (not proof["faces"] or faces(line["campaign"], proof, seed) != proof["faces"]):
            return "the seed gives other dice."
        if line["kind"] == "rolls.roll_made" and not proof["blind"] and proof["witness"]:
            asked, given = (self._told.get((f"rolls.witness_{kind}", proof["roll"]), {}) for kind in ("asked", "given"))
            settled = all(asked.get(name) == proof[name] for name in ("epoch", "client", "spec"))
            if not settled or given.get("seed") != proof["witness"]:
                return "the log tells of no such witness."
        return ""
