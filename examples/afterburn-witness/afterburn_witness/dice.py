"""The dice of a log, computed again once their seeds are revealed (`fairdice/1`; docs/fairdice.md of Afterburn)."""

import hashlib
import hmac
from itertools import count
from typing import Any

Fields = dict[str, Any]


def commitment(campaign: str, epoch: str, seed: str) -> str:
    """Return the commitment to a seed, which is published before its epoch begins, in hex."""
    return hashlib.sha256("\n".join(("fairdice/1", "commit", campaign, epoch, seed)).encode()).hexdigest()


def faces(campaign: str, proof: Fields, seed: str) -> list[int]:
    """Return the faces that a seed gives for a roll, as many as in its proof."""
    sides = [int(die) for many, die in (part.split("d") for part in proof["spec"].split(",")) for _ in range(int(many))]
    names = ("epoch", "actor", "roll", "client", "witness", "spec")
    message = "\n".join(("fairdice/1", "roll", campaign, *(str(proof[name]) for name in names)))
    key, blocks = bytes.fromhex(seed), (f"{message}\n{block}".encode() for block in count())
    source = (byte for block in blocks for byte in hmac.digest(key, block, "sha256"))
    asked = zip(sides + sides[-1:] * len(proof["faces"]), proof["faces"], strict=False)
    return [next(byte for byte in source if byte < 256 - 256 % die) % die + 1 for die, _ in asked]


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
            self._told.setdefault((kind, payload["epoch"]), payload | {"at": line["at"]})
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
            epoch = (proof or line["payload"])["epoch"]
            committed = self._told.get(("rolls.epoch_committed", epoch))
            seed = self._told.get(("rolls.epoch_revealed", epoch), {}).get("seed", "")
            if committed is None or committed["at"] > line["at"]:
                fault = "nothing was committed to before."
            elif not proof:
                kept = commitment(line["campaign"], epoch, line["payload"]["seed"]) == committed["commitment"]
                fault = "" if kept else "the seed is not the one committed to."
            else:
                fault = self._fault(line, proof, seed)
            if fault:
                wrong.append(f"{line['stream']} {line['seq']}: {fault}")
            elif not seed:
                self.waiting.append((line, proof))
            elif proof:
                self.checked += 1
        return wrong

    def _fault(self, line: Fields, proof: Fields, seed: str) -> str:
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
