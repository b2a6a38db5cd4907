"""`manage.py deliver` runs both workers, and neither without the other."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from notices import worker

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def signals_stay_as_they_are(monkeypatch):
    monkeypatch.setattr("signal.signal", lambda *_: None)


def test_it_ends_with_the_server_that_it_stands_beside():
    call_command("deliver", beside=-1)


def test_an_error_of_one_worker_ends_the_command_so_that_it_is_started_again(monkeypatch):
    def fail(known):
        raise RuntimeError("no table")

    monkeypatch.setattr(worker, "look", fail)
    with pytest.raises(RuntimeError, match="no table"):
        call_command("deliver")
