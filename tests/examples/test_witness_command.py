"""The example of a witness as a command: a process of its own that asks a server over HTTP."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from uuid import uuid4

import pytest
from afterburn_witness import __main__ as command
from django.db import connection

from campaigns.models import Event
from campaigns.services.members import revoke_token
from campaigns.services.play import say, whisper
from tests.answers import refusal
from tests.api.callers import calls, token_of
from tests.campaigns.live.test_rollbacks import unguarded
from tests.examples.installing import EXAMPLES
from tests.examples.rewriting import cut
from tests.examples.witnesses import witness


def run(address, token, file, *more):
    """Run the command as a player does, in a separate process."""
    asked = [sys.executable, "-m", "afterburn_witness", address, "--once", "--file", str(file), *more]
    own = {"PYTHONPATH": str(EXAMPLES / "afterburn-witness"), "AFTERBURN_TOKEN": token, "PATH": os.environ["PATH"]}
    return subprocess.run(asked, env=own, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.django_db(transaction=True)
def test_its_exit_code_says_whether_the_log_is_as_it_was(cast, live_server, tmp_path):
    file, caller = tmp_path / "seen.json", calls(cast.player, writes=False)
    whisper(cast.gm.member, "Meet me at the well.", to=[cast.player.member], key=uuid4())
    say(cast.player.member, "I never said this.", key=uuid4())
    done = run(live_server.url, caller.token, file)
    assert done.returncode == 0, done.stderr
    assert f"{cast.campaign.slug}: 2 streams" in done.stderr and "0 faults" in done.stderr
    with connection.cursor() as cursor, unguarded(cursor):
        cut(cast.campaign)
    for _ in range(2):
        done = run(live_server.url, caller.token, file)
        assert done.returncode == 1 and "!!! LOG: stream table WAS CUT" in done.stderr
    revoke_token(cast.player.member, token_of(caller).pk, key=uuid4())
    done = run(live_server.url, caller.token, file)
    assert done.returncode == 2 and "ENDED: HTTP Error 401" in done.stderr
    assert caller.token not in file.read_text() + done.stderr


class Talking:
    """A server whose streams of events say these things, one stream after the other; then the token does not work any more."""

    def __init__(self, *streams):
        self.streams = list(streams)

    def messages(self, path):
        if not self.streams:
            raise HTTPError(path, 401, "Unauthorized", {}, None)
        for said in self.streams.pop(0):
            if isinstance(said, Exception):
                raise said
            yield said() if callable(said) else said


BEAT = ("beat", {"heads": {}, "paused": ""})


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(command.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(command, "AGAIN", 0)


@pytest.mark.django_db
def test_it_reads_with_every_beat_and_goes_on_after_a_broken_connection(cast, tmp_path, at_once):
    watching = witness(cast.player, tmp_path / "seen.json")

    def happens():
        say(cast.player.member, "the lamp", key=uuid4())
        last = Event.objects.filter(campaign=cast.campaign, stream__name="table").latest("seq")
        return "event", {"stream": "table", "seq": last.seq, "hash": last.hash}

    before = watching.heads["table"][0]
    with pytest.raises(HTTPError):
        command.follow(Talking([happens, OSError("reset")], [happens, BEAT], [("end", {"status": 503})]), watching)
    assert watching.heads["table"][0] == before + 2 and watching.faults == []


@pytest.mark.django_db
def test_it_goes_on_saying_what_was_found(cast, tmp_path, at_once, caplog):
    watching = witness(cast.player, tmp_path / "seen.json")
    with pytest.raises(HTTPError):
        command.follow(
            Talking([("event", {"stream": "table", "seq": 10**6, "hash": "ab"}), BEAT, BEAT, BEAT]), watching
        )
    assert caplog.text.count("entry 1000000 has been told of") == 4  # once as it was found


class Handler(BaseHTTPRequestHandler):
    """Answers by the path: a redirect, too much at once and then something, and a stream of two events."""

    def do_GET(self):
        asked = self.server.asked  # type: ignore[attr-defined]
        asked.append((self.path, self.headers["Authorization"]))
        if self.path.endswith("/moved"):
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
        elif self.path.endswith("/busy") and len(asked) == 1:
            self.send_response(429)
            self.send_header("Retry-After", "7")
        else:
            self.send_response(200)
        self.end_headers()
        if self.path.endswith("/stream"):
            self.wfile.write(b'retry: 3000\n\nid: table=1\nevent: event\ndata: {"seq": 1}\n\nevent: beat\ndata: {}\n\n')
        else:
            self.wfile.write(b'["here"]')

    def log_message(self, *args):
        """Log nothing on stderr."""


@pytest.fixture
def stand_in():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.asked = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def asking(stand_in):
    return command.Server(f"http://127.0.0.1:{stand_in.server_port}/c/ashes/", "secret")


def test_it_brings_the_token_nowhere_else(stand_in):
    with pytest.raises(HTTPError) as refusal:
        asking(stand_in).get("/moved")
    refusal.value.close()
    assert stand_in.asked == [("/api/v1/moved", "Bearer secret")]


def test_it_waits_as_long_as_the_server_asks(stand_in, monkeypatch):
    waited = []
    monkeypatch.setattr(command.time, "sleep", waited.append)
    assert asking(stand_in).get("/busy") == ["here"] and waited == [7]


def test_it_reads_what_a_stream_says(stand_in):
    assert list(asking(stand_in).messages("/stream")) == [("event", {"seq": 1}), ("beat", {})]


@pytest.mark.parametrize("arguments", [["https://table.example"], []])
def test_it_says_what_it_needs(arguments, monkeypatch, capsys):
    monkeypatch.delenv("AFTERBURN_TOKEN", raising=False)
    monkeypatch.setattr(sys, "argv", ["afterburn_witness", *arguments])
    assert refusal(SystemExit, command.main).code == 2 and "afterburn_witness: error" in capsys.readouterr().err
