"""Every form that a crawl finds, filled with what people type to break a site: refused in words, or kept as the words it is."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import uuid4

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.utils.html import escape

from campaigns.live.render import render_live
from campaigns.models import Event, Role
from tests.dom import Node, parse
from tests.flows.hostile import ELEMENTS, MARK, VALUES, harmless
from tests.flows.matrix import GET

pytestmark = pytest.mark.usefixtures("patience")

TYPED = ("", "text", "search", "email", "url", "number", "password", "date", "hidden")
KEPT = {"key", "csrfmiddlewaretoken", "expected", "client_seed"}
"""Fields that nobody types in: nonsense in them would stop a test before anything else is checked."""

LEAVES = ("logout", "/see-as/")
"""Forms after which the crawl would continue as someone else."""


@dataclass(frozen=True)
class Form:
    """Where a form goes, what stands in it, the fields in which something can be typed or chosen, and how much fits in some."""

    url: str
    given: tuple[tuple[str, str], ...]
    typed: tuple[str, ...]
    longest: tuple[tuple[str, int], ...]


def forms_on(page: str, at: str) -> Iterator[Form]:
    for node in parse(page).walk():
        url = node.attrs.get("hx-post") or (node.attrs.get("action") or at)
        if node.tag != "form" or not (node.attrs.get("hx-post") or (node.attrs.get("method") or "").lower() == "post"):
            continue
        if url.startswith("/") and not any(word in url for word in LEAVES):
            fields = [field for field in node.walk() if field.attrs.get("name") and _counts(field)]
            given = tuple((str(field.attrs["name"]), _value(field)) for field in fields)
            names = dict.fromkeys(str(field.attrs["name"]) for field in fields if _is_typed(field))
            longest = {str(field.attrs["name"]): _longest(field) for field in fields if _is_typed(field)}
            typed = tuple(name for name in names if name not in KEPT)
            yield Form(url, given, typed, tuple((name, longest[name]) for name in typed if longest[name]))


def _counts(field: Node) -> bool:
    """Return whether a browser would send the field."""
    if field.tag not in ("input", "select", "textarea", "button"):
        return False
    return field.attrs.get("type") not in ("checkbox", "radio") or "checked" in field.attrs


def _is_typed(field: Node) -> bool:
    return field.tag in ("textarea", "select") or (field.tag == "input" and (field.attrs.get("type") or "") in TYPED)


def _longest(field: Node) -> int:
    """Return how many characters a field takes; 0 for one that is no text, or does not say."""
    return int(field.attrs.get("maxlength") or 0) if field.attrs.get("type") != "hidden" else 0


def _value(field: Node) -> str:
    if field.tag == "select":
        options = [node for node in field.walk() if node.tag == "option"]
        chosen = next((node for node in options if "selected" in node.attrs), options[0] if options else None)
        return (chosen.attrs.get("value") or "") if chosen else ""
    return str(field) if field.tag == "textarea" else field.attrs.get("value") or ""


def crawled(client: Client, urls: list[str]) -> list[Form]:
    found: dict[tuple[str, tuple[str, ...]], Form] = {}
    for url in urls:
        answer = client.get(url)
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html") and not answer.streaming:
            for form in forms_on(answer.content.decode(), url):
                found.setdefault((form.url, form.typed), form)
    return list(found.values())


def sent(client: Client, form: Form, nasty: str, only: str = "") -> HttpResponse:
    """Send a form with something nasty in all that can be typed, or in one field of it."""
    odd = {name: nasty for name in form.typed if only in ("", name)}
    return client.post(form.url, {**dict(form.given), "key": str(uuid4()), **odd}, headers={"hx-request": "true"})


@pytest.fixture(params=["gm", "player"])
def person(request, cast):
    return getattr(cast, request.param)


@pytest.fixture
def forms(addresses, person) -> list[Form]:
    pages = ["/", "/profile/", "/c/new/", *(url for how, _, url in addresses.values() if GET in how.split())]
    return crawled(person.client, pages)


def test_every_form_refuses_or_keeps_as_words_whatever_is_typed_in_it(forms, cast, person):
    assert len(forms) > (100 if person is cast.gm else 40)
    last = Event.objects.latest("pk").pk
    for form in random.sample(forms, 12):
        for nasty, field in _tries(form):
            with transaction.atomic():
                answer = sent(person.client, form, nasty, field)
                told = Event.objects.filter(pk__gt=last).with_related().select_related("campaign")
                drawn = [render_live(event, role) for event in told for role in Role]
                transaction.set_rollback(True)
            assert answer.status_code < 500, (form.url, field, nasty)
            assert answer.status_code < 400 or answer.content, (form.url, field, nasty)
            if answer.get("Content-Type", "").startswith("text/html"):
                drawn.append(answer.content.decode())
            assert all(map(harmless, drawn)), (form.url, field, nasty)


LONG = (
    lambda most: "w" * most,
    lambda most: "https://" + ("a." * most)[: most - 8],
    lambda most: f"{'w' * (most - 5)}@a.de",
)
"""The longest words, address and address for mail of so many characters."""


def test_every_form_refuses_or_keeps_the_longest_texts_that_fit_in_it(forms, person):
    forms, taken = [form for form in forms if form.longest], 0
    for form in forms:
        for long in LONG:
            filled = {name: value or "1" for name, value in form.given} | {
                name: long(most) for name, most in form.longest
            }
            with transaction.atomic():
                answer = person.client.post(form.url, {**filled, "key": str(uuid4())}, headers={"hx-request": "true"})
                transaction.set_rollback(True)
            assert answer.status_code < 500, (form.url, form.longest)
            taken += answer.status_code < 400
    assert taken > len(forms) / 3


def _tries(form: Form) -> list[tuple[str, str]]:
    """Return nasty values for all fields at once, and one for a single field."""
    everywhere = [(nasty, "") for nasty in (random.choice(ELEMENTS), random.choice(VALUES))]
    return [*everywhere, *((random.choice(VALUES), name) for name in form.typed[:1])]


@pytest.mark.parametrize(
    "page",
    [
        f"<{MARK}></{MARK}>",
        f"<p {MARK}></p>",
        "<p onclick=x()></p>",
        "<script>x()</script>",
        "<a href=' JavaScript:x()'>go</a>",
        "<iframe srcdoc='<p>'></iframe>",
    ],
)
def test_the_check_notices_a_page_that_takes_words_for_html(page):
    assert not harmless(f"<main>{page}</main>")


def test_the_check_knows_words_from_elements():
    assert harmless("".join(f"<p>{escape(words)}</p>" for words in ELEMENTS))
