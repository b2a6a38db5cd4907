"""Who signs out leaves no pages behind in the browser."""

import pytest
from django.urls import reverse

from tests.cast import PASSWORD, person

pytestmark = pytest.mark.django_db

LETS_GO = "Clear-Site-Data"


@pytest.fixture
def ana():
    return person("ana").client


def test_signing_out_lets_go_of_what_the_back_button_would_show(ana):
    answer = ana.post(reverse("account_logout"))
    assert answer.status_code == 302
    assert answer[LETS_GO] == '"cache"'


def test_so_does_deleting_the_account(ana):
    answer = ana.post(reverse("profile_delete"), {"password": PASSWORD})
    assert answer.status_code == 302
    assert answer[LETS_GO] == '"cache"'


def test_so_does_a_session_that_has_ended_elsewhere(ana):
    ana.session.flush()
    assert ana.get("/")[LETS_GO] == '"cache"'


def test_nothing_else_does(ana, client):
    for answer in (ana.get("/"), ana.get(reverse("account_logout")), client.get(reverse("account_login"))):
        assert LETS_GO not in answer
