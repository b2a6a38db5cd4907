"""Dates and times, written alike wherever they stand."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import override


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
@pytest.mark.parametrize("name", ["TIME_FORMAT", "DATETIME_FORMAT", "SHORT_DATETIME_FORMAT"])
def test_a_time_has_24_hours_in_every_language(language, name):
    with override(language):
        assert date_format(datetime(2026, 11, 29, 14, 0), name).split(", ")[-1] == "14:00"
