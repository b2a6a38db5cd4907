"""`manage.py demo [--close]`: makes the demo campaigns and their people, each unless it is there already; or shuts them out."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from campaigns.models import Campaign
from campaigns.services.sample import sample, show_as_sample
from config.demo import harrow_story, people, signal_story
from config.demo.harrow import Harrow
from config.demo.signal import Signal
from rolls.services.fairness import tell_seed

SLUGS = {harrow_story.SLUG, signal_story.SLUG}


class Command(BaseCommand):
    help = f"Make the demo campaigns. Everybody in them has the password {people.PASSWORD}."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--close",
            action="store_true",
            help="make nothing; whoever is there from a demo cannot sign in until the next, and it is no sample table",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["close"]:
            people.shut_out()
            if (shown := sample()) and shown.slug in SLUGS:
                show_as_sample(None)
            return
        people.let_in()
        site_dice = settings.DICE_SOURCE
        for story, made in ((harrow_story, Harrow), (signal_story, Signal)):
            if Campaign.objects.filter(slug=story.SLUG).exists():
                self.stdout.write(f"{story.NAME} is there already.")
                continue
            demo = made(timezone.now())
            # This process makes the demo and nothing else.
            settings.DICE_SOURCE = "config.demo.dice.told_dice"
            demo.make()
            settings.DICE_SOURCE = site_dice
            # What visitors roll can be checked from the first roll on.
            demo.do(tell_seed, demo.gm)
            self.stdout.write(f"{story.NAME} is ready.")
        # A host may have chosen another.
        if sample() is None:
            show_as_sample(Campaign.objects.filter(slug=harrow_story.SLUG).first())
