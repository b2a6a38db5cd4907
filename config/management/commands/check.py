"""`manage.py check`: Django's, which also fails where a package of rules was left out.

That is no error of the checks themselves, which other commands run as well: the site and its housekeeping go on without it.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import check

from config.checks import left_out


class Command(check.Command):
    def handle(self, *app_labels: Any, **options: Any) -> None:
        """Run the checks; raise CommandError for packages that were left out, even where all else is well."""
        super().handle(*app_labels, **options)
        packages = {} if options["list_tags"] else left_out()
        if packages:
            raise CommandError("; ".join(f"{package} is left out: {wrong}" for package, wrong in packages.items()))
