"""What the log of a server says of requests, in both formats; and no addresses."""

import io
import json
import logging
import logging.config
import os
import subprocess
import sys
from datetime import datetime, timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import path, reverse

import config.urls
from config.settings import BASE_DIR
from tools.serving import UVICORN_FLAGS

pytestmark = pytest.mark.django_db

TOKEN = "aSecretOfAnInvitation"


def fails(request, token):
    raise LookupError("It broke.")


urlpatterns = [
    *config.urls.urlpatterns,
    path("fails/<str:token>/", fails),
    path("gone/<str:token>/", lambda request, token: HttpResponse(status=410)),
]


@pytest.fixture(params=["text", "json"])
def form(request):
    return request.param


@pytest.fixture
def log(form, settings):
    """Yield what a server logs, in that form."""
    console = next(handler for handler in logging.root.handlers if handler.get_name() == "console")
    written, stream, before = io.StringIO(), console.stream, console.formatter
    told = dict(settings.LOGGING["formatters"][form])
    console.setFormatter(logging.config.DictConfigurator({}).configure_formatter(told))
    console.setStream(written)
    yield written
    console.setStream(stream)
    console.setFormatter(before)


@pytest.fixture
def browser():
    return Client(raise_request_exception=False, enforce_csrf_checks=True)


@pytest.mark.parametrize(("address", "status"), [("fails", 500), ("gone", 410), ("nowhere", 404)])
def test_an_answer_that_is_logged_names_the_route_and_not_the_address(log, browser, settings, address, status):
    settings.ROOT_URLCONF = __name__
    assert browser.get(f"/{address}/{TOKEN}/").status_code == status
    assert TOKEN not in log.getvalue()
    assert ("an address that is not there" if status == 404 else f"/{address}/<str:token>/") in log.getvalue()


def refusing(get_response):
    return lambda request: HttpResponse(status=503)


def test_what_is_refused_before_it_is_looked_up_is_logged_with_its_route(log, browser, settings):
    settings.MIDDLEWARE, settings.ROOT_URLCONF = [f"{__name__}.refusing"], __name__
    assert browser.get(f"/fails/{TOKEN}/").status_code == 503
    assert "/fails/<str:token>/" in log.getvalue()
    assert TOKEN not in log.getvalue()


def test_a_form_without_its_token_is_logged_without_the_address(log, browser):
    assert browser.post(reverse("join", args=[TOKEN])).status_code == 403
    assert "CSRF" in log.getvalue()
    assert TOKEN not in log.getvalue()


def test_a_wrong_host_name_is_one_short_line(log, browser):
    assert browser.get("/", headers={"host": "evil.example"}).status_code == 400
    assert browser.get("/", headers={"host": "e" * 5000}).status_code == 400
    one, other = log.getvalue().splitlines()
    assert "WARNING" in one
    assert "evil.example" in one and "ALLOWED_HOSTS" in one
    assert len(other) < 600


@pytest.mark.parametrize("form", ["json"])
def test_in_json_the_request_is_told_by_its_route(log, browser):
    browser.post(reverse("join", args=[TOKEN]))
    assert json.loads(log.getvalue())["request"] == "POST /join/<str:token>/"


SOCKETS = [('%s - "WebSocket %s" 403', ()), ('%s - "WebSocket %s" %d', (404,))]
ROUTES = {
    "/c/ashes/live/": "/c/<slug:slug>/live/",
    f"/c/ashes/live/{TOKEN}/": "/c/<slug:slug>/live/<str:token>/",
    f"/c/ashes/live/a%2D{TOKEN}/": "/c/<slug:slug>/live/<str:token>/",
    f"/watch/{TOKEN}/": "an address that is not there",
}


@pytest.mark.parametrize(("words", "status"), SOCKETS)
@pytest.mark.parametrize("address", ROUTES)
def test_a_line_of_a_socket_says_its_route_and_neither_whose_it_is_nor_what_its_address_asks_for(
    log, words, status, address
):
    logging.getLogger("uvicorn.error").info(words, "203.0.113.7:4711", f"{address}?token={TOKEN}", *status)
    assert "203.0.113.7" not in log.getvalue() and TOKEN not in log.getvalue()
    assert f"WebSocket {ROUTES[address]}" in log.getvalue().replace('\\"', '"')


def test_sockets_that_open_and_close_are_lines_of_debugging_alone(log):
    server = logging.getLogger("uvicorn.error")
    opened = ('%s - "WebSocket %s" [accepted]', "203.0.113.7:4711", "/c/ashes/live/?token=secret")
    for words in (opened, ("connection open",), ("connection closed",)):
        server.info(*words)
    assert log.getvalue() == ""
    before = server.level
    server.setLevel(logging.DEBUG)
    server.info(*opened)
    server.setLevel(before)
    assert (
        "DEBUG" in log.getvalue()
        and "WebSocket /c/<slug:slug>/live/" in log.getvalue()
        and "secret" not in log.getvalue()
    )


def test_times_are_told_with_their_zone(log, form):
    logging.getLogger("afterburn").info("Now")
    told = json.loads(log.getvalue())["asctime"] if form == "json" else log.getvalue().split()[0]
    assert datetime.fromisoformat(told).utcoffset() == timedelta(0)


@pytest.mark.parametrize("form", ["json"])
def test_a_traceback_is_part_of_its_line(log, browser, settings):
    settings.ROOT_URLCONF = __name__
    browser.get(f"/fails/{TOKEN}/")
    (line,) = log.getvalue().splitlines()
    assert "LookupError: It broke." in json.loads(line)["exc_info"]


def run(*words, **environment):
    """Return the status and all output of a program, of a site with LOG_FORMAT=json."""
    plain = {"PATH": os.environ["PATH"], "ENV_FILE": os.devnull, "SECRET_KEY": "s" * 50, "LOG_FORMAT": "json"}
    done = subprocess.run(
        [sys.executable, *words], cwd=BASE_DIR, env=plain | environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "environment", "status"),
    [
        (("manage.py", "check"), {"INVOCATION_ID": "1", "DATABASE_URL": "sqlite://:memory:"}, 0),
        (("manage.py", "housekeeping"), {"INVOCATION_ID": "1", "DATABASE_URL": "sqlite://:memory:"}, 1),
        (("manage.py", "check"), {"INVOCATION_ID": "1", "SIGNUP": "maybe"}, 1),
        (("-m", "uvicorn", "config.asgi:application", *UVICORN_FLAGS), {"DATABASE_URL": "sqlite:////nowhere/x"}, 1),
        (("-m", "uvicorn", "config.asgi:application", *UVICORN_FLAGS), {"SIGNUP": "maybe"}, 1),
    ],
)
def test_a_unit_writes_json_to_the_last_line_whatever_happens(words, environment, status):
    returned, said = run(*words, **environment)
    lines = [json.loads(line) for line in said.splitlines()]
    assert returned == status and lines and all(line["levelname"] and line["asctime"] for line in lines)
