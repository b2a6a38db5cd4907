"""`python -m bench.mutations --count 40 --seed 7`: change one random token of the rules, many times, and see whether a
test notices.

Each change is made alone, in a copy of the files that git knows. First all tests that need no browser run once there, and it is
noted which lines of the rules each of them enters, and how long it takes (bench/entering.py); with `--notes` that is kept for the
next time. For each change those run that enter its statement, the quick ones first, until one fails; for what stands in no
function, all of the same game as well. Prints the seed, what noticed each change, and the changes that nothing noticed; ends with
1 where fewer than `--wanted` in a hundred were noticed.
"""

from __future__ import annotations

import ast
import io
import os
import random
import subprocess
import sys
import tempfile
import tokenize
from argparse import ArgumentParser, Namespace
from bisect import bisect
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, groupby
from pathlib import Path
from queue import SimpleQueue

from bench import entering
from tools.databases import migrated_sqlite
from tools.environment import CACHE, PYTHON, ROOT, VENV

RULES = ("rulesets/*/rules/*.py", "scale/rules/*.py")
OTHERS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "+": "-",
    "-": "+",
    "*": "+",
    "//": "*",
    "and": "or",
    "or": "and",
    "not": "",
    "in": "not in",
    "is": "is not",
    "True": "False",
    "False": "True",
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "break": "continue",
    "continue": "break",
}
"""The replacement of each token; a whole number is replaced by the next one."""

ALL = ("tests", *(f"--ignore=tests/{name}" for name in ("bench", "hosting", "tools")))
AT_ONCE = 2
"""The number of changes that are tried in parallel, each in its own copy."""

RUNS = (5, 50)
"""The limits in seconds between three runs of the tests, quickest first; most changes are noticed in the first run."""


@dataclass(frozen=True)
class Change:
    """One token of a file, and its replacement."""

    path: str
    line: int
    column: int
    before: str
    after: str

    def applied(self, text: str) -> str:
        """Return the text of the file with this change."""
        lines = text.splitlines(keepends=True)
        line = lines[self.line - 1]
        lines[self.line - 1] = line[: self.column] + self.after + line[self.column + len(self.before) :]
        return "".join(lines)

    def __str__(self) -> str:
        text = (ROOT / self.path).read_text()
        now = self.applied(text).splitlines()[self.line - 1].strip()
        was = text.splitlines()[self.line - 1].strip()
        return f"{self.path}:{self.line}\n  - {was}\n  + {now}"


def changes(path: Path) -> Iterator[Change]:
    """Yield all changes of a file after which it still compiles, without those to type annotations."""
    text, name = path.read_text(), str(path.relative_to(ROOT))
    idle = _idle(ast.parse(text))
    tokens = [*tokenize.generate_tokens(io.StringIO(text).readline)]
    for before, token, following in zip(tokens, tokens[1:], tokens[2:], strict=False):
        after = OTHERS.get(token.string)
        unpacks = token.string == "*" and before.string in ("(", "[", "{", ",")
        if unpacks or (token.string == "is" and following.string == "not"):
            continue
        if token.type == tokenize.NUMBER and token.string.isdecimal():
            after = str(int(token.string) + 1)
        if after is None or token.type == tokenize.STRING or any(begin <= token.start < end for begin, end in idle):
            continue
        change = Change(name, *token.start, token.string, after)
        with suppress(SyntaxError):
            compile(change.applied(text), name, "exec")
            yield change


Span = tuple[tuple[int, int], tuple[int, int]]


def _idle(tree: ast.Module) -> list[Span]:
    """Return the spans without behaviour that a test could notice: annotations, decorators, imports, and messages."""
    nodes: list[ast.AST | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            nodes += node.decorator_list
        if isinstance(node, ast.FunctionDef):
            nodes.append(node.returns)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            nodes.append(node.annotation)
        elif isinstance(node, ast.keyword) and node.arg == "strict":
            # Of zip: it guards against a fault that is not there.
            nodes.append(node.value)
        elif isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
            nodes.append(node)
    return [
        ((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0))  # type: ignore[attr-defined]
        for node in nodes
        if node is not None
    ]


def chosen(count: int, seed: int) -> list[Change]:
    """Return so many random changes of all there are, each equally likely."""
    every = [change for pattern in RULES for path in sorted(ROOT.glob(pattern)) for change in changes(path)]
    return random.Random(seed).sample(every, min(count, len(every)))


class Copy:
    """A copy of the checkout in which one file at a time is changed and tests run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        names = [name for name in listed.split("\0") if name and (ROOT / name).exists()]
        packed = subprocess.run(
            ["tar", "--create", "--null", "--files-from=-"],
            cwd=ROOT,
            input="\0".join(names).encode(),
            capture_output=True,
            check=True,
        )
        subprocess.run(["tar", "--extract"], cwd=folder, input=packed.stdout, check=True)
        # Some tests run programs that are installed there.
        (folder / VENV.name).symlink_to(VENV)
        self._tests = folder / "mutations.txt"
        CACHE.mkdir(exist_ok=True)
        self._environment = os.environ | {"DATABASE_URL": "", "TEST_MIGRATED": str(migrated_sqlite())}

    def note(self, path: Path) -> None:
        """Note in a file which tests enter which lines. Raises SystemExit where tests fail before anything is changed."""
        self._environment[entering.NOTES] = str(path)
        failed = self._failed(["-p", "bench.entering", "-n", "2", *ALL], seconds=3600)
        if failed:
            sys.exit(f"Nothing is changed yet, and a test fails: {failed}")
        entering.combine(path)

    def notices(self, change: Change, notes: entering.Notes) -> str:
        """Return the test that noticed a change, as pytest names it; "" if none did."""
        file = self.folder / change.path
        text = file.read_text()
        file.write_text(change.applied(text))
        try:
            runs = in_runs(tests_for(change, text, notes), notes)
            return next(filter(None, (self._fails(run, 60 + 10 * sum(map(notes.seconds_of, run))) for run in runs)), "")
        finally:
            file.write_text(text)

    def has(self, tests: Iterable[str]) -> bool:
        return not self._fails(tests, 600, "--collect-only")

    def _fails(self, tests: Iterable[str], seconds: float, *options: str) -> str:
        self._tests.write_text("\n".join(tests))
        return self._failed(["-x", "-p", "no:randomly", *options, f"@{self._tests}"], seconds)

    def _failed(self, arguments: list[str], seconds: float) -> str:
        """Run tests for so many seconds at most: a change may make a loop without end, which counts as a failure."""
        command = [str(PYTHON), "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", *arguments]
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                env=self._environment,
                capture_output=True,
                text=True,
                check=False,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            return f"no end after {seconds:.0f} s"
        if not done.returncode:
            return ""
        named = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return named[0].split(" - ")[0] if named else f"pytest ended with {done.returncode}"


def tests_for(change: Change, text: str, notes: entering.Notes) -> list[str]:
    """Return the tests that could notice a change, likely and quick ones first.

    An import of a module's value enters nothing in its file: for such a change these are all tests of the same game,
    its rules first, and then the others that enter the file.
    """
    enter = notes.tests_that_enter(change.path, text, change.line)
    if entering.in_a_function(text, change.line):
        return enter
    rules = f"tests/{change.path.rpartition('/')[0]}/"
    game = [test for test in notes.seconds if test.startswith(rules.removesuffix("rules/"))]
    game.sort(key=lambda test: (not test.startswith(rules), notes.cost(test)))
    return [*dict.fromkeys([*game, *enter])]


def in_runs(tests: list[str], notes: entering.Notes) -> Iterator[list[str]]:
    """Split tests into the runs of RUNS, in order."""
    ends = accumulate(map(notes.seconds_of, tests))
    for _, run in groupby(zip(tests, ends, strict=True), key=lambda test: bisect(RUNS, test[1])):
        yield [test for test, _ in run]


def main() -> int:
    asked = _asked()
    print(f"seed {asked.seed}, {asked.count} changes of {' and '.join(RULES)}", flush=True)
    sample = chosen(asked.count, asked.seed)[asked.skip :]
    survived: list[Change] = []
    with tempfile.TemporaryDirectory(prefix="afterburn-mutations-") as name, ThreadPoolExecutor(AT_ONCE) as pool:
        folder = Path(name)
        free: SimpleQueue[Copy] = SimpleQueue()
        for number in range(AT_ONCE):
            (folder / str(number)).mkdir()
            free.put(Copy(folder / str(number)))
        notes = _notes(asked.notes or folder / "entering.notes", free)

        def noticed_by(change: Change) -> str:
            copy = free.get()
            try:
                return copy.notices(change, notes)
            finally:
                free.put(copy)

        for change, noticed in zip(sample, pool.map(noticed_by, sample), strict=True):
            print(f"{noticed or 'NOT NOTICED'}: {change}", flush=True)
            if not noticed:
                survived.append(change)
    share = 100 * (1 - len(survived) / len(sample)) if sample else 100
    print(f"\n{len(sample) - len(survived)} of {len(sample)} noticed ({share:.1f} %), seed {asked.seed}. Not noticed:")
    print("\n".join(map(str, survived)) or "none")
    return int(share < asked.wanted)


def _notes(path: Path, free: SimpleQueue[Copy]) -> entering.Notes:
    copy = free.get()
    if not path.exists():
        copy.note(path)
    notes = entering.read(path)
    if not copy.has(notes.seconds):
        sys.exit(f"{path} names tests that are no longer there: remove it, and it is made anew.")
    free.put(copy)
    return notes


def _asked() -> Namespace:
    parser = ArgumentParser(prog="python -m bench.mutations", description=__doc__)
    parser.add_argument("--count", type=int, default=40, help="how many changes")
    parser.add_argument(
        "--seed", type=int, default=random.SystemRandom().randrange(10**6), help="brings the same again"
    )
    parser.add_argument(
        "--skip", type=int, default=0, help="leave out so many of them, to go on where a run was stopped"
    )
    parser.add_argument("--wanted", type=float, default=95, help="in a hundred")
    parser.add_argument(
        "--notes", type=Path, help="a file that says which tests enter which lines; made where it is missing"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
