from typing import Any

from django.core.management.base import BaseCommand

from characters.sheets.exchange import text


class Command(BaseCommand):
    help = "Print the JSON Schema of sheets as files (docs/sheet.schema.json), with all rulesets that are installed."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(text())
