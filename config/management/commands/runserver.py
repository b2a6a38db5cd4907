"""Stands in for `runserver` without DEBUG, when there is no Daphne (config/settings.py): Django's own would serve no sockets."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

NO_DEBUG = "runserver is for development and needs DEBUG=1: DEBUG=1 .venv/bin/python manage.py runserver"
ELSE = "To play, run `python3 dev.py run`; to host, see docs/hosting.md."


class Command(BaseCommand):
    help = "Serve the site while working on its code; needs DEBUG=1."
    requires_system_checks = []

    def run_from_argv(self, argv: list[str]) -> None:
        # Whatever Daphne's would be told, the answer is the same.
        super().run_from_argv(argv[:2])

    def handle(self, *args: Any, **options: Any) -> None:
        raise CommandError(f"{NO_DEBUG}\n{ELSE}")
