"""`manage.py demo`: makes the campaign "Ashes over Harrow" and its people, unless it is there already."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from campaigns.models import Campaign
from config.demo import story
from config.demo.play import Demo


class Command(BaseCommand):
    help = f"Make the demo campaign “{story.NAME}”. Everybody in it has the password {story.PASSWORD}."

    def handle(self, *args: Any, **options: Any) -> None:
        if Campaign.objects.filter(slug=story.SLUG).exists():
            self.stdout.write(f"{story.NAME} is there already.")
            return
        # This process makes the demo and nothing else.
        settings.DICE_SOURCE = "config.demo.dice.told_dice"
        Demo(timezone.now()).make()
        self.stdout.write(f"{story.NAME} is ready.")
