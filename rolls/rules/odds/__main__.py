"""`python -m rolls.rules.odds`: a question about odds a line, as JSON, and its answer a line; `lines.py` has the forms.

An answer leaves as soon as its question is in, so that a bot can keep this open. The exit code is 1 if any line was refused.
"""

import json
import sys

from rolls.rules.odds.lines import answers


def main() -> int:
    refused = False
    for answer in answers(sys.stdin.buffer):
        refused = refused or "error" in answer
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return int(refused)


if __name__ == "__main__":
    sys.exit(main())
