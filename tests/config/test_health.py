import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder


def test_a_process_that_answers_is_alive_without_a_database(client):
    assert client.get("/healthz").content == b"alive\n"


@pytest.mark.django_db
def test_a_site_with_its_database_is_ready(client):
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (200, b"ready\n")
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_a_site_that_waits_for_a_migration_is_not_ready(client):
    MigrationRecorder.Migration.objects.filter(app="people").delete()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"the database waits for its migrations\n")


def test_a_site_without_its_database_is_not_ready(client, monkeypatch):
    def away(*_):
        raise OperationalError("connection refused at 10.0.0.7")

    monkeypatch.setattr("config.views.MigrationExecutor", away)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"the database does not answer\n")


def test_a_load_balancer_is_not_sent_to_https(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_nobody_may_post_there(client, path):
    assert client.post(path).status_code == 405


@pytest.mark.django_db(transaction=True)
def test_a_site_whose_database_cannot_be_written_is_not_ready(client):
    """This happens when root has restored it, or a replica has taken over."""
    sqlite = connection.vendor == "sqlite"
    locked, free = (
        ("PRAGMA query_only = ON", "PRAGMA query_only = OFF")
        if sqlite
        else ("SET default_transaction_read_only = on", "SET default_transaction_read_only = off")
    )
    with connection.cursor() as cursor:
        cursor.execute(locked)
        try:
            answer = client.get("/readyz")
        finally:
            cursor.execute(free)
    assert (answer.status_code, answer.content) == (503, b"the database cannot be written\n")
    assert client.get("/readyz").status_code == 200


@pytest.mark.django_db
def test_asking_leaves_nothing_behind(client):
    client.get("/readyz")
    assert not Session.objects.exists()


@pytest.mark.django_db
def test_asking_writes_nothing_into_the_log(client, caplog):
    client.get("/readyz")
    assert caplog.messages == []
