"""The site's scripts in Node, which comes with the tests' own browser (tools/chromium.py)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tools.javascript import node

SCRIPTS = Path(__file__).parents[2] / "static" / "js"
WORDS = Path(__file__).parents[1] / "javascript" / "words.js"


def run(function: str, given: Any, script: str) -> Any:
    """Return the result of a JavaScript function of one script's exports and of `given`."""
    program = f"""
        import {{ readFileSync }} from "node:fs";
        import {json.dumps(WORDS.as_uri())};
        import * as script from {json.dumps((SCRIPTS / script).as_uri())};
        const given = JSON.parse(readFileSync(0, "utf8"));
        process.stdout.write(JSON.stringify(({function})(script, given)));
    """
    command = [node(), "--input-type=module", "--eval", program]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
