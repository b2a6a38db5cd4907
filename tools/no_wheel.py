"""The build backend of pyproject.toml: tells anyone who asks pip for a wheel that there is none."""

from __future__ import annotations

from typing import NoReturn

WHY = """
Afterburn is a site that is run from its checkout, with templates, static files and manage.py beside the code: there is no wheel.
  To play:  python3 dev.py run
  To host:  docs/hosting.md
"""


def _refuse(*_: object, **__: object) -> NoReturn:
    raise SystemExit(WHY)


build_wheel = build_editable = build_sdist = prepare_metadata_for_build_wheel = prepare_metadata_for_build_editable = (
    _refuse
)
