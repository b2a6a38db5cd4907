"""The web manifest and its icons."""

from __future__ import annotations

import re

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse
from PIL import Image

from config.views import GROUND


def test_a_device_finds_what_it_needs_to_keep_the_site(client):
    answer = client.get(reverse("manifest"))
    assert answer["Content-Type"] == "application/manifest+json"
    told = answer.json()
    assert (told["name"], told["start_url"], told["theme_color"]) == ("Afterburn", "/", GROUND)
    for icon in told["icons"]:
        with Image.open(finders.find(icon["src"].removeprefix("/static/"))) as drawn:
            assert icon["sizes"] == f"{drawn.width}x{drawn.height}" and drawn.format == "PNG"
    assert {icon["sizes"] for icon in told["icons"]} == {"192x192", "512x512"}


@pytest.mark.django_db
def test_every_page_names_it_and_its_own_icon(client):
    page = client.get(reverse("account_login")).content.decode()
    assert f'rel="manifest" href="{reverse("manifest")}"' in page
    assert finders.find(re.search(r'rel="apple-touch-icon"\s+href="/static/([^"]+)"', page)[1])
