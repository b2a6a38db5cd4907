"""`.venv/bin/python -m tests.released`: keep what this version makes of a database, as a part of the commit that releases it.

It refuses where the version of pyproject.toml has its files already.
"""

from __future__ import annotations

import lzma
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.released import FOLDER, SUFFIXES, version
from tools.databases import manage, migrated_postgres
from tools.environment import ROOT
from tools.postgres import postgres


def main() -> None:
    if there := [path.name for path in FOLDER.glob(f"{version()}.*")]:
        sys.exit(
            f"{', '.join(there)}: kept already. What a released version left is never made anew; is the number higher?"
        )
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/played.sqlite3"
        manage("migrate", "--verbosity=0", DATABASE_URL=url)
        _keep("sqlite", lzma.compress(_backup(url, Path(folder) / "sqlite"), preset=9))
        with postgres() as server:
            migrated_postgres(server)
            _keep("postgresql", _backup(server, Path(folder) / "postgresql"))


def _backup(url: str, file: Path) -> bytes:
    """Return a backup of the database of `url`, which is migrated and empty, after everything has happened there."""
    settings = {"DJANGO_SETTINGS_MODULE": "tests.settings", "DATABASE_URL": url, "TEST_DICE": f"{file}.dice"}
    command = [sys.executable, "-m", "tests.released.play", str(file)]
    subprocess.run(command, cwd=ROOT, env=os.environ | settings, check=True)
    return file.read_bytes()


def _keep(vendor: str, content: bytes) -> None:
    file = FOLDER / f"{version()}{SUFFIXES[vendor]}"
    with file.open("xb") as made:  # hosts have what an older one of the name holds
        made.write(content)
    print(f"{file.relative_to(ROOT)}: {len(content) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
