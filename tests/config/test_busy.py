"""A process that has enough to do says so at once, to those whose requests it does not begin, and to nobody else."""

import json
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from config import middleware
from config.middleware import PlacesMiddleware

PATIENCE = 20
BEGUN, REFUSED = 204, 503


class Site:
    """An application that answers when it is told to, behind its places."""

    def __init__(self):
        self.begun, self.answers = SimpleQueue(), Event()
        self.app = PlacesMiddleware(self._answer)
        self.people = ThreadPoolExecutor(20)

    def _answer(self, request):
        self.begun.put(request.path)
        assert self.answers.wait(PATIENCE)
        return HttpResponse(status=BEGUN)

    def ask(self, path, method="GET", **headers):
        return self.app(RequestFactory().generic(method, path, headers=headers))

    def holds(self, *paths):
        """Let others ask for these, and wait until all are begun."""
        asked = [self.people.submit(self.ask, path) for path in paths]
        assert sorted(self.begun.get(timeout=PATIENCE) for _ in paths) == sorted(paths)
        return asked


@pytest.fixture
def site(settings, monkeypatch):
    """Four places, nobody may wait, and tables of different names never share a half."""
    settings.REQUESTS_AT_ONCE, settings.REQUESTS_WAITING = 4, 0
    numbers = {}
    monkeypatch.setattr(middleware, "hash", lambda table: numbers.setdefault(table, len(numbers)), raising=False)
    one = Site()
    yield one
    one.answers.set()
    one.people.shutdown()


def test_what_finds_no_place_is_answered_at_once_and_never_begun(site):
    site.holds("/c/one/", "/c/one/", "/c/two/", "/c/two/")
    late = site.ask("/c/three/rolls/", "POST")
    assert late.status_code == REFUSED and 3 <= int(late["Retry-After"]) <= 8
    assert "Nothing was changed" in late.content.decode()
    assert site.begun.empty()


def test_it_is_said_in_the_language_of_the_browser(site):
    site.holds("/c/one/", "/c/one/", "/c/two/", "/c/two/")
    assert '<html lang="de">' in site.ask("/c/three/", accept_language="de").content.decode()


def test_who_waits_comes_in_when_another_is_answered(settings, site, monkeypatch):
    settings.REQUESTS_WAITING = 4
    monkeypatch.setattr(middleware, "LONGEST_WAIT", PATIENCE)
    site.app = PlacesMiddleware(site._answer)
    site.holds("/c/one/", "/c/one/", "/c/two/", "/c/two/")
    waits = site.people.submit(site.ask, "/c/three/")
    site.answers.set()
    assert waits.result(PATIENCE).status_code == BEGUN


def test_nobody_waits_long(settings, site, monkeypatch):
    settings.REQUESTS_WAITING = 4
    monkeypatch.setattr(middleware, "LONGEST_WAIT", 0)
    site.app = PlacesMiddleware(site._answer)
    site.holds("/c/one/", "/c/one/", "/c/two/", "/c/two/")
    assert site.ask("/c/three/").status_code == REFUSED
    site.answers.set()


def test_a_table_that_is_held_up_leaves_half_of_the_places_to_the_others(site):
    site.holds("/c/held/", "/c/held/")
    assert site.ask("/c/held/rolls/", "POST").status_code == REFUSED
    site.holds("/c/other/", "/accounts/login/")


def test_what_programs_ask_takes_no_place_of_the_people_at_their_table(site):
    rolls = "/api/v1/campaigns/held/rolls"
    site.holds(rolls, rolls)
    answer = site.ask(rolls)
    assert (answer.status_code, answer["Content-Type"]) == (REFUSED, "application/problem+json")
    assert json.loads(answer.content)["status"] == REFUSED
    site.holds("/c/held/rolls/", "/c/held/")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_questions_about_its_health_are_answered_all_the_same(site, path):
    site.holds("/c/one/", "/c/one/", "/c/two/", "/c/two/")
    site.holds(path)


def test_a_long_answer_leaves_its_place_before_it_is_read(site):
    site.app = PlacesMiddleware(lambda request: StreamingHttpResponse(iter(["a", "log"])))
    answers = [site.ask("/c/one/log/export/") for _ in range(5)]
    assert [b"".join(answer) for answer in answers] == [b"alog"] * 5


def test_what_fails_leaves_its_place(site):
    def fails(request):
        raise OSError("as it happens")

    site.app = PlacesMiddleware(fails)
    for _ in range(5):
        with pytest.raises(OSError, match="as it happens"):
            site.ask("/c/one/")


def test_only_a_page_that_was_looked_for_comes_again_by_itself(site):
    site.holds("/c/one/", "/c/one/", "/c/two/", "/c/two/")
    pages = [site.ask("/c/three/", method).content.decode() for method in ("GET", "POST")]
    assert ['http-equiv="refresh"' in page for page in pages] == [True, False]


def test_a_crowd_is_one_line_in_the_log(site, caplog):
    site.holds("/c/one/", "/c/one/", "/c/two/", "/c/two/")
    for _ in range(5):
        site.ask("/c/three/")
    assert [record.name for record in caplog.records] == ["config.middleware"]


def test_the_site_stands_behind_it(settings, db):
    settings.REQUESTS_AT_ONCE = settings.REQUESTS_WAITING = 0
    assert Client().get("/accounts/login/").status_code == REFUSED
    assert Client().get("/healthz").status_code == 200
