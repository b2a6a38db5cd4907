"""`manage.py makemessages --locale fr`: write the translatable messages into the catalogues of a language.

It replaces Django's command of this name, which needs GNU gettext. A message that is no longer in the code is removed;
one that has changed only a little keeps its translation, marked `fuzzy`, which is not used until somebody has checked it.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from babel.messages.catalog import Message
from django.core.management.base import BaseCommand

from config import catalogues


class Command(BaseCommand):
    help = "Write what there is to translate into the catalogues (locale/) of the site and of each ruleset."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--locale", "-l", action="append", help="a language such as de; by default all")

    def handle(self, *args: Any, **options: Any) -> None:
        for home in catalogues.homes():
            for domain in catalogues.DOMAINS:
                template = catalogues.template(home, domain)
                for language in options["locale"] or catalogues.languages() if len(template) else []:
                    path = home.po(language, domain)
                    catalogue = catalogues.read(path, language)
                    # A date of its own for each run would be a change in every file.
                    catalogue.update(template, update_creation_date=False)
                    catalogue.obsolete.clear()
                    catalogues.write(path, catalogue)
                    missing = sum(
                        1 for message in catalogue if message.id and (message.fuzzy or not _is_translated(message))
                    )
                    self.stdout.write(f"{path}: {len(catalogue)} messages, {missing} to be translated")


def _is_translated(message: Message) -> bool:
    return all(message.string) if isinstance(message.string, (tuple, list)) else bool(message.string)
