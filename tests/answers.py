"""What tests ask of answers and refusals."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext


def refusal(kind, operation, /, *args, **given):
    """Return the error of this kind with which an operation is refused."""
    with pytest.raises(kind) as refused:
        operation(*args, **given)
    return refused.value


def same_page(one, other):
    """Return whether two answers are equal, apart from the tokens and keys that every page gets anew."""
    return one.status_code == other.status_code and plain(one) == plain(other)


def alike(one, other):
    """Return whether the headers of two answers are equal, too."""
    return same_page(one, other) and one.headers == other.headers


def queries(client, url):
    """Return the number of queries that it takes to show a page."""
    with CaptureQueriesContext(connection) as asked:
        assert client.get(url).status_code == 200
    return len(asked)


def plain(answer):
    """Return the text of an answer without its tokens and keys, which are random and may spell anything."""
    fresh = r"\b[A-Za-z0-9]{64}\b|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"
    return re.sub(fresh, "", answer.content.decode())
