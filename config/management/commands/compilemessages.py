"""`manage.py compilemessages`: write the catalogues of all languages in the form in which Django reads them.

In place of Django's command of this name, which needs GNU gettext.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from config import catalogues


class Command(BaseCommand):
    help = "Compile the catalogues (locale/) of the site and of each ruleset."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        for home in catalogues.homes():
            for language in catalogues.languages():
                for domain in catalogues.DOMAINS:
                    path = home.po(language, domain)
                    if path.exists():
                        path.with_suffix(".mo").write_bytes(catalogues.compiled(catalogues.read(path, language)))
