"""Pictures of the demo: portraits of its characters, covers of its campaigns, and pictures of its scenes.

They are WebP files in `pictures/`, named after what they show.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from django.utils.text import slugify
from PIL import Image

from campaigns.pictures import Portrayal, Upload

FOLDER = Path(__file__).with_name("pictures")


def portrait(name: str) -> Portrayal | None:
    """Return the portrait of a character; None for people without one."""
    image, icon = _read(slugify(name)), _read(f"{slugify(name)}-icon")
    return Portrayal(image, icon) if image and icon else None


def picture(name: str) -> Upload | None:
    """Return the cover of a campaign, or the picture of a scene; None if it has none."""
    full, small, icon = (_read(slugify(name) + part) for part in ("", "-small", "-icon"))
    return Upload(full, small, icon, *Image.open(BytesIO(full)).size) if full and small and icon else None


def _read(name: str) -> bytes | None:
    path = FOLDER / f"{name}.webp"
    return path.read_bytes() if path.exists() else None
