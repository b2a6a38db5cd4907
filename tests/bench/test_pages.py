import pytest
from django.test import override_settings

from bench import pages
from bench.pages_world import World
from campaigns.models import Event, Stream
from rolls.models import Roll
from tests.config.test_demo import demo  # noqa: F401

SOME = ("table", "session", "statistics")
PLAIN = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}


# There a demo is ready (tests/config/test_demo.py).
@pytest.mark.run_on("postgresql")
@pytest.mark.usefixtures("demo")
def test_the_demo_grows_and_its_pages_are_compared(capsys):
    with override_settings(STORAGES={"default": {"BACKEND": "django.core.files.storage.FileSystemStorage"}, **PLAIN}):
        world = World()
        rolls = Roll.objects.count()
        pages.measure(world, sizes=(100, 3 * world.events), tries=1, only=SOME)
    assert Roll.objects.count() > 2 * rolls
    for stream in Stream.objects.filter(campaign=world.campaign):
        numbers = list(Event.objects.filter(stream=stream).order_by("pk").values_list("seq", flat=True))
        assert numbers == list(range(1, stream.seq + 1))
    rows = [row for row in capsys.readouterr().out.splitlines() if row.startswith(("gm: ", "mo: "))]
    assert {row.split()[1] for row in rows} >= set(SOME)
