#!/usr/bin/env python3
"""The commands of a checkout: to serve it, and to test it. They need Python 3.11 with venv, and nothing else.

    python3 dev.py run [--port N]           serve Afterburn with a demo campaign on this machine
    python3 dev.py run --host 0.0.0.0       serve it without the demo to everyone on the same network
    python3 dev.py test                     every check, and the tests that tell whether a change is right
    python3 dev.py test --changed           the tests that enter what was changed since they last ran
    python3 dev.py test -- tests/rolls -k burn      only these (pytest's own arguments)
    python3 dev.py test-all                 every check, and every test once
    python3 dev.py test-all --both          the same, and all that use a database on SQLite and on PostgreSQL
    python3 dev.py bench                    every figure, written to docs/figures.md

Everything they install stays inside this folder, in `.venv` and `.cache`.
"""

from __future__ import annotations

import argparse
import os
import sys

if sys.version_info < (3, 11):
    sys.exit(f"Afterburn needs Python 3.11 or newer; this is {sys.version.split()[0]}.")

from tools import addresses, environment, serving


def main() -> None:
    parser = argparse.ArgumentParser(prog="dev.py", description="Serve Afterburn on this machine, or test it.")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="serve Afterburn, by default with a demo campaign and to this machine only")
    run.add_argument("--host", default=addresses.HOST, help="0.0.0.0 serves everyone on the same network")
    run.add_argument("--port", type=int, default=int(os.environ.get("PORT") or 8000))
    run.add_argument(
        "--demo",
        action=argparse.BooleanOptionalAction,
        help="with or without the demo; by default with it unless others can reach it",
    )
    test = commands.add_parser("test", help="every check and the quicker tests; or what pytest is told after --")
    test.add_argument(
        "--changed", action="store_true", help="only tests that enter what was changed since they last ran"
    )
    test.add_argument("pytest", nargs="*", metavar="-- pytest arguments")
    test_all = commands.add_parser("test-all", help="every check and every test")
    test_all.add_argument("--both", action="store_true", help="all that use a database on SQLite and on PostgreSQL")
    bench = commands.add_parser("bench", help="measure everything, and write docs/figures.md; or only the named parts")
    bench.add_argument("parts", nargs="*")
    chosen = parser.parse_args()

    os.chdir(environment.ROOT)
    if chosen.command == "run":
        serving.run(chosen.port, chosen.host, chosen.demo)
    elif chosen.command == "bench":
        environment.set_up("test")
        os.execv(environment.PYTHON, [str(environment.PYTHON), "-m", "bench", *chosen.parts])
    else:
        environment.set_up("test")
        if chosen.command == "test-all":
            asked = ["--both" if chosen.both else "--all"]
        elif chosen.pytest and chosen.changed:
            parser.error("what pytest is told stands alone: without --changed")
        else:
            asked = ["--changed"] if chosen.changed else chosen.pytest
        # From here on in .venv: what unpacks the browser is installed there.
        os.execv(environment.PYTHON, [str(environment.PYTHON), "-m", "tools.suite", *asked])


if __name__ == "__main__":
    try:
        main()
    except environment.Trouble as trouble:
        sys.exit(f"\n{trouble}")
    except KeyboardInterrupt:
        sys.exit(130)
