"""What characters look like."""

from __future__ import annotations

from django.db import models

from characters.models.characters import Character


class Portrait(models.Model):
    """A character's picture, as `campaigns.pictures.portrait` makes it: WebP of at most 512 by 512 pixels.

    It lies in the database, so that every process and every backup has it; and in a table of its own, so that nobody who reads
    characters reads pictures with them. Which one it is, its character knows: `Character.picture`.
    """

    character = models.OneToOneField(Character, primary_key=True, on_delete=models.CASCADE, related_name="+")
    image = models.BinaryField()
