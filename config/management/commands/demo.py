"""`manage.py demo`: makes the demo campaigns and their people, each unless it is already there. With --sample the sample table
alone, as whose people nobody can sign in; with --close shuts them out."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from campaigns.live import notifications
from campaigns.models import Campaign
from campaigns.services.campaigns import sample, show_as_sample
from config.demo import harrow, people, signal
from config.demo.harrow import Harrow
from config.demo.signal import Signal
from rolls.services.fairness import tell_seed

SLUGS = {harrow.SLUG, signal.SLUG}


PUBLIC = (
    f"People reach this site by HTTPS, and everyone knows the demo’s password ({people.PASSWORD}): nothing was made. "
    "`demo --sample` makes the sample table, which anyone can watch, without accounts that anyone can sign in to."
)


class Command(BaseCommand):
    help = (
        f"Make the demo campaigns. Everyone in them has the password {people.PASSWORD}: never use it on a public site."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        ways = parser.add_mutually_exclusive_group()
        ways.add_argument(
            "--sample",
            action="store_true",
            help="make only the sample table: anyone can watch it, and no one can sign in as its people",
        )
        ways.add_argument(
            "--close",
            action="store_true",
            help="make nothing: no one can sign in as the demo’s people any more, and there is no sample table",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["close"]:
            people.shut_out()
            if (shown := sample()) and shown.slug in SLUGS:
                show_as_sample(None)
            # Sends what is queued before this process ends.
            notifications.close()
            return
        if options["sample"]:
            if taken := people.of_their_own():
                raise CommandError(
                    f"Someone here has the user name {taken[0]}, which the demo needs: nothing was made."
                )
            people.shut_out()
        elif settings.HTTPS:
            raise CommandError(PUBLIC)
        self._make(sample_alone=options["sample"])
        if not options["sample"]:
            people.let_in()

    def _make(self, *, sample_alone: bool) -> None:
        site_dice = settings.DICE_SOURCE
        stories = ((harrow, Harrow), (signal, Signal))
        for story, made in stories[:1] if sample_alone else stories:
            if Campaign.objects.filter(slug=story.SLUG).exists():
                self.stdout.write(f"{story.NAME} is already there.")
                continue
            demo = made(timezone.now())
            # This process makes the demo and nothing else.
            settings.DICE_SOURCE = "config.demo.harrow.told_dice"
            demo.make()
            settings.DICE_SOURCE = site_dice
            # What visitors roll can be checked from the first roll on.
            demo.do(tell_seed, demo.gm)
            self.stdout.write(f"{story.NAME} is ready.")
        # A host may have chosen another.
        if sample() is None:
            show_as_sample(Campaign.objects.filter(slug=harrow.SLUG).first())
