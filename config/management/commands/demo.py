"""`manage.py demo`: makes the demo campaigns and their people, each unless it is there already."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from campaigns.models import Campaign
from config.demo import harrow_story, people, signal_story
from config.demo.harrow import Harrow
from config.demo.signal import Signal
from rolls.services.fair import tell_seed


class Command(BaseCommand):
    help = f"Make the demo campaigns. Everybody in them has the password {people.PASSWORD}."

    def handle(self, *args: Any, **options: Any) -> None:
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
