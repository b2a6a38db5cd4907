"""`manage.py check_log [campaign]`: fold the log, link it, compute every roll again; with any fault the exit code is 1."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.models import Campaign, Event
from database.moment import as_of_one_moment
from rolls.queries.checking import faults


class Command(BaseCommand):
    help = "Check that the log of a campaign, or of every campaign, is unchanged. Names every fault."

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
        found = [self._faults_of(campaign) for campaign in campaigns]
        if total := sum(found):
            wrong = len(found) - found.count(0)
            raise CommandError(f"Faults in {wrong} of {len(found)} campaigns: {total}.", returncode=1)

    def _faults_of(self, campaign: Campaign) -> int:
        """Print a campaign's faults, or that it has none. Return how many there are."""
        count = 0
        # What is played between reading the log and what follows from it would look like a fault.
        with as_of_one_moment():
            for fault in faults(campaign):
                self.stdout.write(f"{campaign.slug}: {fault}")
                count += 1
            if not count:
                events = Event.objects.filter(campaign=campaign).count()
                self.stdout.write(f"{campaign.slug}: {events} events, all as they were written.")
        return count
