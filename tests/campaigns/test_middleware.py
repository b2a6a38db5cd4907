"""A database that is away is said so, in words and with 503, by pages and by forms; and so is what cannot be read, with 400."""

from unittest import mock
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile
from django.db import OperationalError
from django.urls import reverse

from tests.news import news

EXECUTE = "django.db.models.sql.compiler.SQLCompiler.execute_sql"


@pytest.fixture
def away(cast, monkeypatch):
    """Return a browser whose requests find no database; the test's own queries afterwards work."""
    client = cast.player.client
    plain = client.handler.get_response

    def without_database(request):
        with mock.patch(EXECUTE, side_effect=OperationalError) as client.asked:
            return plain(request)

    monkeypatch.setattr(client.handler, "get_response", without_database)
    return client


@pytest.mark.parametrize("path", ["/", "/profile/", "/c/new/", "/c/ashes/", "/c/ashes/members/", "/import/"])
def test_pages_say_so(away, path):
    answer = away.get(path)
    assert answer.status_code == 503
    assert "The database isn’t answering. Nothing was changed" in answer.content.decode()


def test_forms_say_so_and_keep_what_was_typed(away):
    form = {"voice": "player", "text": "I light it.", "key": uuid4()}
    answer = away.post(reverse("compose", args=["ashes"]), form, headers={"HX-Request": "true", "HX-Trigger": "say"})
    assert answer.status_code == 503
    assert answer["HX-Retarget"] == "#say-errors"
    assert "The database isn’t answering" in answer.content.decode()


def test_nobody_waits_for_it_a_second_time(away):
    away.get("/c/ashes/")
    assert away.asked.call_count == 1


@pytest.mark.parametrize("htmx", [True, False])
def test_what_is_too_much_to_be_sent_at_once_is_refused_unread(cast, htmx):
    headers = {"HX-Request": "true", "HX-Trigger": "say"} if htmx else {}
    form = {"voice": "player", "text": "x" * 6_000_000, "key": uuid4()}
    answer = cast.player.client.post(reverse("compose", args=["ashes"]), form, headers=headers)
    assert answer.status_code == 413
    assert "You can send up to 6 MB at once." in answer.content.decode()
    assert answer.wsgi_request._read_started is False
    assert answer.get("HX-Retarget") == ("#say-errors" if htmx else None)


@pytest.mark.parametrize("length", ["", "-1", "x", "9" * 100_000])
def test_a_size_that_is_no_number_does_no_harm(cast, length):
    assert cast.player.client.get("/", CONTENT_LENGTH=length).status_code in (200, 413)


# What cannot be read

FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=B"
PART = "--B\r\nContent-Disposition: form-data; {}\r\n\r\nhello\r\n--B--\r\n"
CODECS = [
    "hex",
    "base64",
    "zlib",
    "bz2",
    "rot13",
    "idna",
    "undefined",
    "punycode",
    "unicode_escape",
    "utf-7",
    "utf-16",
    "unknown",
]


@pytest.fixture
def player(cast):
    """Return a browser that gets our errors as status 500, as from a server."""
    cast.player.client.raise_request_exception = False
    return cast.player.client


def is_refused(answer, status, words):
    page = answer.content.decode()
    return (answer.status_code, words in page, "Your campaigns" in page) == (status, True, True)


@pytest.mark.parametrize("kind", [FORM, MULTIPART, "text/plain"])
@pytest.mark.parametrize("name", ["compose", "account_login", "profile"])
def test_another_encoding_than_utf_8_is_refused(player, name, kind):
    url = reverse(name, args=["ashes"] if name == "compose" else [])
    body = f"voice=player&text=hello&key={uuid4()}" if kind == FORM else PART.format('name="text"')
    for codec in CODECS if (name, kind) == ("compose", FORM) else CODECS[:1]:
        answer = player.generic("POST", url, body, f"{kind}; charset={codec}")
        assert is_refused(answer, 400, "an encoding other than UTF-8"), codec
    assert not news().exists()


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8"])
def test_utf_8_is_read_by_whichever_letters(player, charset):
    body = f"voice=player&text=h%C3%A9llo&key={uuid4()}"
    answer = player.generic("POST", reverse("compose", args=["ashes"]), body, f"{FORM}; charset={charset}")
    assert answer.status_code == 302
    assert news().get().payload["words"] == "héllo"


@pytest.mark.parametrize("head", ["name*=a; name*0=b", "name*=unknown''x", f"name*{'9' * 500}=x", "name*=utf-8''%00"])
def test_a_part_of_a_form_that_cannot_be_parsed_is_no_fault_of_ours(player, head):
    answer = player.generic("POST", reverse("compose", args=["ashes"]), PART.format(head), MULTIPART)
    assert answer.status_code in (400, 422)


def test_a_form_without_its_boundary_is_refused(player):
    answer = player.generic("POST", reverse("compose", args=["ashes"]), "x", "multipart/form-data")
    assert is_refused(answer, 400, "The request couldn’t be read.")


def test_too_many_fields_and_files_are_refused_on_a_page_of_ours(player):
    url, many = reverse("compose", args=["ashes"]), {f"field-{number}": "x" for number in range(1001)}
    assert is_refused(player.post(url, many), 400, "too many fields at once")
    assert is_refused(player.generic("POST", url, urlencode(many), FORM), 400, "too many fields at once")
    files = {f"file-{number}": ContentFile(b"x", "x") for number in range(101)}
    assert is_refused(player.post(url, files), 400, "too many files at once")


def test_too_much_beside_a_log_is_refused_on_a_page_of_ours(player):
    answer = player.post(reverse("campaign_import"), {"key": "x" * 6_100_000})
    assert is_refused(answer, 413, "That’s too much at once.")


def test_what_htmx_sends_is_refused_where_it_came_from(player):
    headers = {"HX-Request": "true", "HX-Trigger": "say"}
    answer = player.post(
        reverse("compose", args=["ashes"]), {f"field-{number}": "x" for number in range(1001)}, headers=headers
    )
    assert (answer.status_code, answer["HX-Retarget"]) == (400, "#say-errors")
    assert "<html" not in answer.content.decode()


@pytest.mark.parametrize("path", ["/", "/c/ashes/", "/c/ashes/log/", "/profile/", "/odds/arc/", "/accounts/email/"])
def test_an_address_with_too_many_fields_is_refused_on_a_page_of_ours(player, path):
    answer = player.get(path + "?" + "&".join(["a=1"] * 1001))
    assert answer.status_code == 200 or is_refused(answer, 400, "too many fields at once")


def test_a_host_that_is_not_ours_is_told_nothing(player):
    answer = player.get("/", headers={"host": "elsewhere.example"})
    assert answer.status_code == 400 and "Your campaigns" not in answer.content.decode()


NO_ID = ["say%0D%0ASet-Cookie: a=b", "say\n", "%0A", "<b>", "say x", "say,body", "é", "x" * 9000]
OTHERS = ["HX-Target", "HX-Trigger-Name", "HX-Current-URL", "HX-Prompt", "Triggering-Event"]


@pytest.mark.parametrize(
    ("name", "value", "where"),
    [*(("HX-Trigger", value, "#notice") for value in NO_ID), *((name, "x%0D%0Ay", "#say-errors") for name in OTHERS)],
)
def test_no_header_repeats_what_is_no_id_of_a_form_and_no_other_of_htmx_does_harm(player, name, value, where):
    encoded = {"HX-Request": "true", "HX-Trigger": "say", name: value, f"{name}-URI-AutoEncoded": "true"}
    answer = player.post(reverse("compose", args=["ashes"]), {}, headers=encoded)
    assert (answer.status_code, answer["HX-Retarget"]) == (422, where)
