import socket
import stat

import pytest

from tools import serving
from tools.environment import Trouble


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
        other.bind((serving.HOST, 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(Trouble, match=rf"^Port {port} cannot be used .* --port {port + 1}$"):
            serving.run(port)


@pytest.mark.parametrize("port", [0, 65536, -1])
def test_what_is_no_port_is_refused(port):
    with pytest.raises(Trouble, match="is no port"):
        serving.run(port)
