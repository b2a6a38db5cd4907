import os
import socket
import stat

import pytest

from tools import addresses, serving
from tools.environment import Trouble

LAN = "192.168.1.5"
SET = ("SITE_URL", "HTTPS", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "DEMO", "PORT")


@pytest.fixture
def served(monkeypatch, capsys):
    """`served(**asked)` returns what `run` set, the commands it gave, the server's command, and what it printed."""
    managed, became = [], []
    for name in ("set_up", "write_env", "collect_static", "refuse_busy"):
        monkeypatch.setattr(serving, name, lambda *_: None)
    monkeypatch.setattr(serving, "_manage", lambda *words: managed.append(words))
    monkeypatch.setattr(addresses, "_in_the_network", lambda version: LAN if version == 4 else "fd00::5")
    monkeypatch.setattr(os, "umask", lambda _: 0)
    monkeypatch.setattr(os, "execv", lambda _, command: became.extend(command))
    monkeypatch.setattr(serving.subprocess, "Popen", lambda command, cwd: managed.append((*command[2:],)))
    monkeypatch.setattr(os, "environ", {"PATH": os.environ["PATH"]})

    def run(environment=(), **asked):
        os.environ |= dict(environment)
        serving.run(8123, **asked)
        return {name: os.environ.get(name) for name in SET}, managed, " ".join(became), capsys.readouterr().out

    return run


def test_by_itself_only_this_machine_is_served_and_has_the_demo(served):
    found, managed, server, said = served()
    assert found == dict.fromkeys(SET) | {"DEMO": "1", "PORT": "8123"}
    assert ("demo",) in managed and ("deliver", f"--beside={os.getpid()}") in managed
    assert "--host 127.0.0.1 --port 8123" in server
    assert "http://127.0.0.1:8123/ " in said and serving.DEMO_PASSWORD in said and "network" not in said


def test_an_evening_among_friends_has_the_address_to_type_and_no_demo(served):
    found, managed, server, said = served(host="0.0.0.0")
    assert found == {
        "SITE_URL": f"http://{LAN}:8123",
        "HTTPS": "0",
        "ALLOWED_HOSTS": f"{LAN},127.0.0.1,localhost",
        "CSRF_TRUSTED_ORIGINS": "http://127.0.0.1:8123,http://localhost:8123",
        "DEMO": "0",
        "PORT": "8123",
    }
    assert ("demo", "--close") in managed and ("demo",) not in managed
    assert "--host 0.0.0.0 --port 8123" in server
    assert f"http://{LAN}:8123/ " in said and serving.DEMO_PASSWORD not in said and "Everybody in this network" in said


@pytest.mark.parametrize(
    ("environment", "asked", "demo"),
    [
        ({}, {"host": "0.0.0.0", "demo": True}, True),
        ({"DEMO": "1"}, {"host": "0.0.0.0"}, True),
        ({"DEMO": "1"}, {"host": "0.0.0.0", "demo": False}, False),
        ({"DEMO": "0"}, {}, False),
        ({}, {"demo": False}, False),
        ({}, {"host": "localhost"}, True),
    ],
)
def test_there_is_a_demo_where_it_is_asked_for(served, environment, asked, demo):
    found, managed, _, _ = served(environment, **asked)
    assert found["DEMO"] == ("1" if demo else "0")
    assert (("demo",) in managed, ("demo", "--close") in managed) == (demo, not demo)


def test_an_address_of_ipv6_is_typed_in_brackets(served):
    found, _, server, said = served(host="::")
    assert found["SITE_URL"] == "http://[fd00::5]:8123" and found["ALLOWED_HOSTS"].startswith("[fd00::5],")
    assert "--host :: " in server and "http://[fd00::5]:8123/" in said


def test_one_address_of_several_can_be_chosen(served):
    assert served(host="10.1.2.3")[0]["SITE_URL"] == "http://10.1.2.3:8123"


def test_an_address_that_the_environment_gives_stands(served):
    found, _, _, said = served({"SITE_URL": "http://party.local:8123/"}, host="0.0.0.0")
    assert found["ALLOWED_HOSTS"].startswith("party.local,") and "http://party.local:8123/ " in said


def test_what_is_no_address_is_refused():
    with pytest.raises(Trouble, match=r"^table\.example is no address; 0\.0\.0\.0 is"):
        serving.run(8000, "table.example")


def test_a_machine_without_a_network_says_so(monkeypatch):
    def nowhere(*_):
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", nowhere)
    with pytest.raises(Trouble, match="in no network"):
        addresses.typed(addresses.address("0.0.0.0"))


def test_the_secret_is_its_owners_alone_and_stays_what_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(serving, "ROOT", tmp_path)
    serving.write_env()
    first = (tmp_path / ".env").read_text()
    assert stat.S_IMODE((tmp_path / ".env").stat().st_mode) == 0o600
    assert len(first.split("SECRET_KEY=")[1]) > 50

    serving.write_env()
    assert (tmp_path / ".env").read_text() == first


def test_a_busy_port_is_said_in_one_line_before_anything_is_done():
    with socket.socket() as other:
        other.bind((addresses.HOST, 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(Trouble, match=rf"^Port {port} cannot be used .* --port {port + 1}$"):
            serving.run(port)


@pytest.mark.parametrize("port", [0, 65536, -1])
def test_what_is_no_port_is_refused(port):
    with pytest.raises(Trouble, match="is no port"):
        serving.run(port)
