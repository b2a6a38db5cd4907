"""`manage.py sample [campaign | --none]`: choose the campaign that everyone may watch, without an account."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.live import notifications
from campaigns.models import Campaign
from campaigns.services.campaigns import sample, show_as_sample


class Command(BaseCommand):
    help = "Show, choose or remove the sample table. Its members see the change in their log."

    def add_arguments(self, parser: CommandParser) -> None:
        chosen = parser.add_mutually_exclusive_group()
        chosen.add_argument(
            "campaign", nargs="?", help="its address, as in /c/<address>/; without it, shows the current one"
        )
        chosen.add_argument("--none", action="store_true", help="remove the sample table")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["none"]:
            show_as_sample(None)
        elif options["campaign"]:
            campaign = Campaign.objects.filter(slug=options["campaign"], bringing="").first()
            if campaign is None:
                raise CommandError("No such campaign.")
            show_as_sample(campaign)
        # Sends what is queued before this process ends.
        notifications.close()
        now = sample()
        self.stdout.write(f"The sample table is {now.name}, /c/{now.slug}/." if now else "There is no sample table.")
