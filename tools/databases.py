"""Databases of tests that are made once and copied: one whose tables are there and empty, and one with the demo in it."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from tools.environment import CACHE, PYTHON, ROOT, Trouble
from tools.serving import collect_static

STATIC = CACHE / "static"  # as in tests/browser/settings.py


def migrated_sqlite() -> Path:
    """Return the file of an SQLite database whose tables are there and empty: kept until a migration, a setting or a package
    changes."""
    CACHE.mkdir(exist_ok=True)
    path = CACHE / f"migrated-{_digest()}.sqlite3"
    if not path.exists():
        for old in CACHE.glob("migrated-*"):
            old.unlink()
        # Under a name of this process's own until it is whole: another may be making it, too.
        unfinished = CACHE / f"unfinished-{os.getpid()}.sqlite3"
        manage("migrate", "--verbosity=0", DATABASE_URL=f"sqlite:///{unfinished}")
        unfinished.replace(path)
    return path


def migrated_postgres(url: str) -> str:
    """Make the same on the server of `url`, as the database that `url` names; return its name."""
    server, _, name = url.rpartition("/")
    _create(server, name)
    manage("migrate", "--verbosity=0", DATABASE_URL=url)
    return name


def with_demo(url: str) -> str:
    """Copy the database of `url`, which has tables, and add the demo and tables to play at; return the copy's name.
    Static files are collected too: browser tests start from both.
    """
    server, _, name = url.rpartition("/")
    _create(server, f"{name}_demo", template=name)
    browsers = {"DJANGO_SETTINGS_MODULE": "tests.browser.settings", "DATABASE_URL": f"{server}/{name}_demo"}
    manage("demo", "--verbosity=0", **browsers)
    python("-m", "tests.browser.world", **browsers)
    collect_static(STATIC, lambda *words: manage(*words, **browsers))
    return f"{name}_demo"


def manage(*words: str, **environment: str) -> None:
    """Run a command of `manage.py` with the tests' settings. Raises Trouble where it fails."""
    python("manage.py", *words, **environment)


def python(*words: str, **environment: str) -> None:
    """Run a Python process with the tests' settings. Raises Trouble where it fails."""
    tests = {"DJANGO_SETTINGS_MODULE": "tests.settings", "ENV_FILE": os.devnull, "SECRET_KEY": "only for tests"}
    done = subprocess.run(
        [str(PYTHON), *words],
        cwd=ROOT,
        env=os.environ | tests | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Trouble(f"`{' '.join(words)}` failed:\n{done.stdout}{done.stderr}")


def _digest() -> str:
    """Return a digest of everything that determines the tables."""
    ours = (path for folder in ("*", "rulesets/*") for path in ROOT.glob(f"{folder}/migrations/*.py"))
    read = sorted([*ours, ROOT / "config/settings.py", ROOT / "requirements/test.txt", Path(__file__)])
    return hashlib.sha256(b"\0".join(str(path).encode() + path.read_bytes() for path in read)).hexdigest()[:16]


def _create(server: str, name: str, template: str = "template1") -> None:
    # Installed with the site, and this module is also imported before that.
    import psycopg
    from psycopg import sql

    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        words = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        connection.execute(words.format(sql.Identifier(name), sql.Identifier(template)))
