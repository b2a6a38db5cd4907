"""The log of a campaign, followed stream by stream: its chains, and whether it still holds everything seen of it."""

import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from afterburn_witness.dice import NONSENSE, Dice, Fields

FORMAT = "afterburn-witness 1"
LINKED = ("campaign", "stream", "seq", "at", "kind", "actor", "commitment")

log = logging.getLogger("afterburn_witness")


def digest(before: str, value: Any) -> str:
    """Return SHA-256 of bytes in hex and of a value as canonical JSON, in hex."""
    plain = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(bytes.fromhex(before) + plain.encode()).hexdigest()


class Broken(ValueError):
    """A stream is not as it was seen, or not as any log is."""


class Witness:
    """Reads a campaign from its beginning, then continues. `seen` are the hashes that must still be there, by stream
    and number: those of its own file, of others' files, and those the server sent live.
    """

    def __init__(self, get: Callable[..., Any], slug: str, file: Path, others: Sequence[Path] = ()) -> None:
        self.slug, self._file = slug, file
        self._ask = lambda path, **query: get(f"/campaigns/{slug}{path}", **query)
        self.campaign, self.dice = "", Dice()
        self.heads: dict[str, tuple[int, str]] = {}  # as far as it was read and fits
        self.seen: dict[str, dict[int, str]] = {}
        self.kept: dict[str, tuple[int, str]] = {}  # the last that was told of, for its file
        self.faults: list[str] = []
        self._broken: set[str] = set()
        for path in (file, *others):
            if path != file or path.exists():
                self._open(path)
        self.say_again()

    def note(self, told: Fields) -> None:
        """Note an entry that the server sent live; it must be there unchanged when the stream is read."""
        with self._sense("what is sent live"):
            name, seq, here = str(told["stream"]), int(told["seq"]), str(told["hash"])
            if name not in self._broken:
                self.seen.setdefault(name, {})[seq] = here
                self.kept[name] = max(self.kept.get(name, (0, "")), (seq, here))

    def read(self) -> None:
        """Read on in every stream, check the new entries, and save them."""
        with self._sense("the list of streams"):
            told = {stream["name"]: (stream["seq"], stream["hash"]) for stream in self._ask("/streams")}
            for name in sorted(told.keys() | self.kept.keys(), key=lambda name: name == "table"):
                # The public stream comes last: rolls in the others are of seeds that it has committed to by then.
                with self._sense(f"stream {name}", name):
                    if name not in told:
                        raise Broken("is not there any more, or its reader may not read it any more.")
                    if name not in self._broken:
                        self._read_stream(name, *told[name])
        for fault in () if "table" in self._broken else self.dice.faults():
            self._fault(f"DICE: {fault}")
        self._save()

    def say_again(self) -> None:
        """Log all faults again."""
        for fault in self.faults:
            log.error("!!! %s", fault)

    def summary(self) -> str:
        """Return one line about what was checked."""
        entries = sum(seq for seq, _ in self.heads.values())
        dice = f"{self.dice.checked} rolls computed again, {len(self.dice.waiting)} whose seed is not told yet"
        return f"{self.slug}: {len(self.heads)} streams, {entries} entries, {dice}, {len(self.faults)} faults."

    def _read_stream(self, name: str, told: int, told_hash: str) -> None:
        seq, head = self.heads.get(name, (0, ""))
        seen = self.seen.setdefault(name, {})
        if not seen and (told, told_hash) == (seq, head):
            return
        seen.setdefault(told, told_hash)
        # Its last entry is read again, to be compared.
        end, last = max(seq, *seen), max(seq - 1, 0)
        while last < end:
            for line in (lines := self._ask(f"/streams/{quote(name)}/lines", after=last, limit=200)["items"]):
                self._take(name, line)
            if not lines or lines[-1]["seq"] <= last:
                raise Broken(f"WAS CUT: entry {end} has been told of, and the log ends with {min(last, told)}.")
            last = lines[-1]["seq"]
        self.seen[name], self.kept[name] = {}, self.heads[name]

    def _take(self, name: str, line: Fields) -> None:
        """Check one entry against the one before it and against earlier readings. Raises Broken."""
        self.campaign = self.campaign or line["campaign"]
        seq, head = self.heads.get(name, (0, digest("", ["afterburn chain 1", self.campaign, name])))
        number, here = line["seq"], line["hash"]
        if self.seen.get(name, {}).get(number, here) != here or (number == seq and here != head):
            raise Broken(f"WAS REWRITTEN or FORKED: entry {number} is another than the one that was seen.")
        if number == seq:
            return
        told = line["stream"], line["campaign"], number, here
        if told != (name, self.campaign, seq + 1, digest(head, [line[key] for key in LINKED])):
            raise Broken(f"DOES NOT HANG TOGETHER at entry {number}, after {seq}.")
        if not line["erased"] and digest(line["salt"], line["payload"]) != line["commitment"]:
            raise Broken(f"SAYS SOMETHING ELSE than what was written: entry {number}.")
        self.heads[name] = number, here
        self.dice.take(line)

    @contextmanager
    def _sense(self, said: str, stream: str = "") -> Iterator[None]:
        """Keep as a fault what breaks a stream, and what no server of Afterburn says."""
        try:
            yield
        except NONSENSE as error:
            self._broken.add(stream)
            what = str(error) if isinstance(error, Broken) else f"MAKES NO SENSE ({type(error).__name__})."
            with suppress(*NONSENSE):
                late = max(self.heads.get("table", (0, ""))[0] - 200, 0)
                lines = self._ask("/streams/table/lines", after=late, limit=200)["items"]
                at = [line["at"] for line in lines if line["kind"] == "campaigns.log_restored"][-1]
                what += f" The log tells of a backup that was restored at {at}: ask the host."
            self._fault(f"LOG: {said} {what}")

    def _fault(self, fault: str) -> None:
        fault = "".join(sign if sign.isprintable() else "?" for sign in fault)
        if fault not in self.faults:
            self.faults.append(fault)
            log.error("!!! %s", fault)

    def _open(self, path: Path) -> None:
        known = json.loads(path.read_text())
        if not isinstance(known, dict) or known.get("format") != FORMAT:
            raise ValueError(f"{path} is no file of this program.")
        if known["campaign"] != (self.campaign or known["campaign"]):
            raise ValueError(f"{path} is of another campaign.")
        self.campaign = known["campaign"]
        if path == self._file:
            self.kept, self.faults = dict(known["streams"]), known["faults"]
        for name, (seq, head) in known["streams"].items():
            with self._sense(f"stream {name}", name):
                if self.seen.setdefault(name, {}).setdefault(seq, head) != head:
                    raise Broken(f"WAS FORKED: {path} has seen another entry {seq}.")

    def _save(self) -> None:
        known = {"format": FORMAT, "campaign": self.campaign, "streams": self.kept, "faults": self.faults}
        beside = self._file.with_name(self._file.name + ".new")
        with beside.open("w") as file:
            json.dump(known, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self._file)
