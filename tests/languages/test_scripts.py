"""The script that has the words of all others."""

from __future__ import annotations

import pytest
from django.urls import reverse

from languages import scripts
from languages.scripts import ScriptCatalogue, early_script


def test_browsers_keep_it_whoever_is_signed_in(client):
    answer = client.get(early_script("de").address)
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert "immutable" in answer["Cache-Control"]
    assert "Cookie" not in answer.get("Vary", "")
    assert not answer.cookies


def test_it_has_the_words_of_its_language_and_what_holds_early_presses(client):
    german, english = (client.get(early_script(language).address).content.decode() for language in ("de", "en-gb"))
    assert "Link kopiert." in german and "Link kopiert." not in english
    assert all("gettext" in script and "DOMContentLoaded" in script for script in (german, english))


def test_its_address_changes_when_a_catalogue_changes(monkeypatch):
    before = scripts._made("de").address
    monkeypatch.setattr(ScriptCatalogue, "get_catalog", lambda self: {"Copied": "Abgeschrieben"})
    assert scripts._made("de").address != before


def test_a_page_of_another_version_gets_words_that_are_not_kept(client):
    answer = client.get(f"{scripts.PREFIX}de.{'0' * 12}.js")
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize("name", ["xx.000000000000.js", "de.js", "../de.000000000000.js", "de.000000000000.css"])
def test_there_are_no_other_addresses(client, name):
    assert client.get(scripts.PREFIX + name).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "address"), [("de", "de"), ("tlh", "en-gb")])
def test_a_page_names_it_in_its_own_language(client, language, address):
    page = client.get(reverse("account_login"), HTTP_ACCEPT_LANGUAGE=language).content.decode()
    assert f'<script src="{early_script(address).address}"></script>' in page


def test_words_of_django_itself_are_not_in_it():
    assert all("/django/" not in path for path in ScriptCatalogue().get_paths(None))
