"""`python -m rulesets.odds`: a question about odds a line, as JSON, and its answer a line (rules/questions.py).

It answers for every ruleset whose package has an `odds` module with a QUESTION, also for those that are installed beside this
project, and needs nothing but Python. An answer leaves as soon as its question is in, so that a bot can keep this open. The exit
code is 1 if any line was refused.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from importlib.util import find_spec

from rules.questions import Question, answers
from rulesets.discovery import packages


def questions() -> dict[str, type[Question]]:
    """Return the questions about odds, by the name of the ruleset."""
    by_name = {}
    for name, package in packages().items():
        if find_spec(f"{package}.odds"):
            asked = getattr(import_module(f"{package}.odds"), "QUESTION", None)
            if asked is not None:
                by_name[name] = asked
    return by_name


def main() -> int:
    refused, known = False, questions()
    for answer in answers(sys.stdin.buffer, known):
        refused = refused or "error" in answer
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return int(refused)


if __name__ == "__main__":
    sys.exit(main())
