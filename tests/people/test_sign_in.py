"""Who may make an account, and the demo's doors."""

import re
import sys
from importlib import reload

import pytest
from django.urls import NoReverseMatch, clear_url_caches, reverse

from people.adapter import INVITED
from people.context import PEOPLE
from people.models import User
from tests.cast import person

pytestmark = pytest.mark.django_db

FORM = {"username": "ana", "password1": "lanterns-and-soot"}


def sign_up(client):
    client.post(reverse("account_signup"), FORM)
    return User.objects.filter(username="ana").exists()


def test_signing_up_and_signing_in_call_a_user_name_the_same(client, settings):
    settings.SIGNUP = "open"
    for door in ("account_signup", "account_login"):
        html = client.get(reverse(door)).content.decode()
        (field,) = re.findall(r'<input[^>]*name="(?:username|login)"[^>]*>', html)
        assert "Username" in html and "placeholder" not in field


def test_signing_up_says_who_is_signed_in_once(client, settings):
    settings.SIGNUP = "open"
    home = client.post(reverse("account_signup"), FORM, follow=True).content.decode()
    assert "ana" in home and "Successfully" not in home


def test_those_who_sign_up_one_after_the_other_have_different_colours(client, settings):
    settings.SIGNUP = "open"
    for name in ("ana", "ben", "cleo"):
        client.post(reverse("account_signup"), FORM | {"username": name})
        client.post(reverse("account_logout"))
    assert len(set(User.objects.values_list("colour", flat=True))) == 3


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("Europe/Kyiv", "Europe/Kyiv"),
        ("", "UTC"),
        ("Atlantis/Deep", "UTC"),
        ("../etc/passwd", "UTC"),
        ("x" * 500, "UTC"),
    ],
)
def test_a_new_account_has_the_time_zone_of_its_browser_where_there_is_such_a_one(client, settings, sent, kept):
    settings.SIGNUP = "open"
    client.post(reverse("account_signup"), FORM | {"time_zone": sent})
    assert User.objects.get(username="ana").time_zone == kept


@pytest.mark.parametrize(
    ("mode", "invited", "made"),
    [
        ("open", False, True),
        ("invite", False, False),
        ("invite", True, True),
        ("closed", False, False),
        ("closed", True, False),
    ],
)
def test_who_may_make_an_account(client, settings, mode, invited, made):
    settings.SIGNUP = mode
    session = client.session
    if invited:
        session[INVITED] = True
        session.save()
        client.cookies["sessionid"] = session.session_key
    assert sign_up(client) is made


# the demo


@pytest.fixture
def with_demo(settings):
    """Start the server with DEMO=1."""
    settings.DEMO = True
    _load_urls()
    yield
    settings.DEMO = False
    _load_urls()


def _load_urls():
    for module in ("people.urls", "config.urls"):
        if module in sys.modules:
            reload(sys.modules[module])
    clear_url_caches()


@pytest.fixture
def demo_people(db):
    return [person(username, name) for username, name, _ in PEOPLE]


def test_with_the_demo_there_is_a_button_for_each_person(with_demo, client):
    page = client.get(reverse("account_login")).content.decode()
    for username, name, words in PEOPLE:
        assert f'name="username" value="{username}"' in " ".join(page.split())
        assert name in page
        assert str(words) in page


def test_a_button_signs_in(with_demo, client, demo_people):
    answer = client.post("/demo/sign-in/", {"username": "iva"})
    assert (answer.status_code, answer.url) == (302, "/")
    assert client.get(reverse("profile")).context["user"].username == "iva"


def test_it_signs_in_nobody_else(with_demo, client, demo_people):
    person("admin")
    for form in ({"username": "admin"}, {"username": ""}, {}):
        assert client.post("/demo/sign-in/", form).status_code == 404
    assert "_auth_user_id" not in client.session


def test_it_signs_in_nobody_who_is_not_there(with_demo, client, db):
    assert client.post("/demo/sign-in/", {"username": "gm"}).status_code == 404


def test_looking_signs_nobody_in(with_demo, client, demo_people):
    assert client.get("/demo/sign-in/?username=gm").status_code == 405


def test_without_the_demo_there_is_no_such_door(client, demo_people):
    assert client.post("/demo/sign-in/", {"username": "gm"}).status_code == 404
    with pytest.raises(NoReverseMatch):
        reverse("demo_sign_in")
    assert "Try it out" not in client.get(reverse("account_login")).content.decode()
