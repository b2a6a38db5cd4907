#!/usr/bin/env python3
"""The commands of a checkout: to serve it, and to test it. They need Python 3.11 with venv, and nothing else.

    python3 dev.py run [--port N]           serve Afterburn with a demo campaign on this machine
    python3 dev.py run --host 0.0.0.0       serve it without the demo to everybody in the same network
    python3 dev.py test                     every check and every test, of the longest a tenth, each commit another
    python3 dev.py test-all                 every one of them, and all that use a database on both kinds
    python3 dev.py durations                each test once, and note which take long
    python3 dev.py test -- tests/rolls -k burn      only these, quickly (pytest's own arguments)
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
    run.add_argument("--host", default=addresses.HOST, help="0.0.0.0 for everybody in the same network")
    run.add_argument("--port", type=int, default=int(os.environ.get("PORT") or 8000))
    run.add_argument(
        "--demo",
        action=argparse.BooleanOptionalAction,
        help="with or without the demo; by default with it unless others can reach it",
    )
    test = commands.add_parser("test", help="every check, and the tests in turn; or what pytest is told after --")
    test.add_argument("pytest", nargs="*", metavar="-- pytest arguments")
    commands.add_parser("test-all", help="every check and every test to its end, on each of the two databases")
    commands.add_parser("durations", help="every test once, and note in tests/durations.json which take long")
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
        whole = {"test-all": ["--twice"], "durations": ["--timed"]}
        asked = whole.get(chosen.command) or chosen.pytest
        # From here on in .venv: what unpacks the browser is installed there.
        os.execv(environment.PYTHON, [str(environment.PYTHON), "-m", "tools.suite", *asked])


if __name__ == "__main__":
    try:
        main()
    except environment.Trouble as trouble:
        sys.exit(f"\n{trouble}")
    except KeyboardInterrupt:
        sys.exit(130)
