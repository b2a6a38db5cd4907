"""`manage.py check_log [campaign]`: fold the log, link it, compute every roll again; at the first fault the exit code is 1."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.models import Campaign, Event
from rolls.queries.checking import faults


class Command(BaseCommand):
    help = "Check that the log of a campaign, or of every campaign, is unchanged. Names the first fault."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", nargs="?", help="its address, as in /c/<address>/; by default all are checked")

    def handle(self, *args: Any, **options: Any) -> None:
        campaigns = Campaign.objects.order_by("slug")
        if options["campaign"]:
            campaigns = campaigns.filter(slug=options["campaign"])
            if not campaigns:
                raise CommandError("No such campaign.")
        elif not campaigns:
            self.stdout.write("There are no campaigns yet.")
        for campaign in campaigns:
            for fault in faults(campaign):
                raise CommandError(f"{campaign.slug}: {fault}", returncode=1)
            count = Event.objects.filter(campaign=campaign).count()
            self.stdout.write(f"{campaign.slug}: {count} events, all as they were written.")
