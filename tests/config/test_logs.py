"""What the log of a server says of requests, in both formats; and no addresses."""

import io
import json
import logging
import logging.config

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import path, reverse

import config.urls

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
    """What a server writes, in that form."""
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
