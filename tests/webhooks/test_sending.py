"""Where requests may go: never to what only the server can reach, however an address or a name puts it."""

from __future__ import annotations

import socket
import socketserver
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.utils.http import http_date

from webhooks import sending
from webhooks.sending import Target, is_own, is_public, post

Speak = Callable[[socket.socket], None]
TAKEN = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nthere"


@pytest.fixture
def receiver() -> Iterator[Callable[[Speak], str]]:
    """`receiver(speak)` starts a server that handles each connection with `speak`, and returns its address."""
    servers = []

    def serve(speak: Speak) -> str:
        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                speak(self.request)

        server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads, server.block_on_close = True, False
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}/hook?to=table"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def own_network(settings):
    settings.WEBHOOK_NETWORKS = ["127.0.0.0/8"]


def answering(with_what: bytes, asked: list[bytes] | None = None) -> Speak:
    def speak(connection: socket.socket) -> None:
        request = connection.recv(65536)
        while b"{}" not in request:
            request += connection.recv(65536)
        if asked is not None:
            asked.append(request)
        connection.sendall(with_what)

    return speak


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
        *("192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "fc00::1", "fd12::1", "fe80::1", "fe80::1%eth0", "ff02::1", "2001:db8::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:1::1"),
        *("fec0::1", "192.88.99.1", "3fff::1", "5f00::1", "168.63.129.16", "::ffff:168.63.129.16", "64:ff9b::808:808"),
    ],
)
def test_what_is_not_of_the_open_internet_is_not_asked(address):
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "162.159.128.233", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_what_is_of_the_open_internet_may_be_asked(address):
    assert is_public(ip_address(address))


def test_a_host_may_open_networks_of_its_own(settings):
    settings.WEBHOOK_NETWORKS = ["192.168.1.0/24", "fd00::/8"]
    assert (
        is_own(ip_address("192.168.1.7")) and is_own(ip_address("::ffff:192.168.1.7")) and is_own(ip_address("fd12::1"))
    )
    assert not is_own(ip_address("192.168.2.7")) and not is_own(ip_address("127.0.0.1"))


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "[::1]", "localhost", "2130706433", "0x7f.1", "127.1", "[::ffff:7f00:1]"]
)
def test_this_machine_is_reached_by_none_of_its_names(host, receiver):
    asked: list[bytes] = []
    port = receiver(answering(TAKEN, asked)).rpartition(":")[2]
    for scheme in ("http", "https"):
        assert post(f"{scheme}://{host}:{port}", b"{}", {}).fault in (sending.PRIVATE, sending.UNKNOWN_NAME)
    assert asked == []


def test_a_name_is_looked_up_once_and_the_checked_address_is_the_one_that_is_asked(monkeypatch, own_network):
    """A name that resolves to one machine when checked and to another when used would pass any check before."""
    answers = [[(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", 80))]]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers.pop(0))
    assert post("https://rebinding.example.org/", b"{}", {}).fault == sending.PRIVATE
    assert answers == []


def test_of_several_addresses_only_those_are_asked_that_may_be(monkeypatch, receiver, settings):
    settings.WEBHOOK_NETWORKS = ["127.0.0.1"]
    asked: list[bytes] = []
    port = int(receiver(answering(TAKEN, asked)).split(":")[2].partition("/")[0])
    places = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in ("127.0.0.2", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: places)
    assert post(f"http://two.example.org:{port}/", b"{}", {}).status == 200
    assert f"Host: two.example.org:{port}".encode() in asked[0]


def test_a_public_address_is_asked_with_encryption_alone(monkeypatch):
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_, **__: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("8.8.8.8", 80))]
    )
    assert post("http://plain.example.org/", b"{}", {}).fault == sending.UNENCRYPTED


def test_what_is_sent_and_what_is_answered(own_network, receiver):
    asked: list[bytes] = []
    answer = post(receiver(answering(TAKEN, asked)), b"{}", {"Content-Type": "application/json"})
    assert (answer.status, answer.text, answer.fault, answer.is_taken) == (200, "there", "", True)
    assert asked[0].startswith(b"POST /hook?to=table HTTP/1.1\r\n") and asked[0].endswith(b"\r\n\r\n{}")


def test_a_redirect_is_not_followed(own_network, receiver):
    asked: list[bytes] = []
    elsewhere = receiver(answering(TAKEN, asked))
    moved = f"HTTP/1.1 307 Moved\r\nLocation: {elsewhere}\r\nContent-Length: 0\r\n\r\n".encode()
    answer = post(receiver(answering(moved)), b"{}", {})
    assert (answer.status, answer.fault, answer.is_taken) == (307, sending.REDIRECT, False)
    assert asked == []


def test_of_a_long_answer_the_beginning_is_read(own_network, receiver):
    long = b"HTTP/1.1 500 No\r\nContent-Length: 100000000\r\n\r\n" + b"\x00\xff" + b"x" * 100_000
    answer = post(receiver(answering(long)), b"{}", {})
    assert answer.status == 500 and len(answer.text) == 1000 and "\x00" not in answer.text


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        *(("5", 6), ("0.4", 1), ("0000000000005", 6), ("Fri, 31 Dec", 0), ("²", 0)),
        *(("999999", 3600), ("9999999999", 3600), ("9" * 5000, 3600)),
    ],
)
def test_how_long_a_receiver_wants_us_to_wait_is_bounded(own_network, receiver, header, seconds):
    assert post(receiver(answering(busy(header))), b"{}", {}).wait == seconds


@pytest.mark.parametrize(
    "header",
    ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Fri, 31 Feb 2200 00:00:00 GMT", "Fri, 31 Dec"],
)
def test_a_moment_that_is_over_and_one_that_never_comes_are_not_waited_for(own_network, receiver, header):
    assert post(receiver(answering(busy(header))), b"{}", {}).wait == 0


def test_a_receiver_names_the_moment_until_which_we_wait(own_network, receiver):
    moment = int(time.time()) + 600
    address, before = receiver(answering(busy(http_date(moment)))), time.time()
    waited = post(address, b"{}", {}).wait
    assert moment - time.time() <= waited <= moment - before + 1


def test_a_moment_far_away_is_waited_for_as_long_as_a_large_number(own_network, receiver):
    assert post(receiver(answering(busy("Fri, 31 Dec 9999 23:59:59 GMT"))), b"{}", {}).wait == sending.LONGEST_WAIT


def busy(retry_after: str) -> bytes:
    return f"HTTP/1.1 429 Busy\r\nRetry-After: {retry_after}\r\nContent-Length: 0\r\n\r\n".encode("latin-1")


def test_what_is_no_http_is_said_to_be_none(own_network, receiver):
    assert post(receiver(answering(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")), b"{}", {}).fault == sending.NOT_HTTP


def test_whoever_answers_drop_by_drop_is_cut_off(own_network, receiver, monkeypatch):
    monkeypatch.setattr(sending, "SECONDS", 0.3)
    over = threading.Event()

    def drip(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while not over.wait(0.02):
            connection.sendall(b"X-More: 1\r\n")

    try:
        assert post(receiver(drip), b"{}", {}).fault == sending.TOO_SLOW
    finally:
        over.set()


def test_whoever_is_silent_is_cut_off(own_network, receiver, monkeypatch):
    monkeypatch.setattr(sending, "SECONDS", 0.2)
    over = threading.Event()
    try:
        assert post(receiver(lambda _: over.wait()), b"{}", {}).fault == sending.TOO_SLOW
    finally:
        over.set()


def test_all_addresses_of_a_name_have_one_deadline_together(monkeypatch, settings):
    settings.WEBHOOK_NETWORKS = ["127.0.0.0/8"]
    waited: list[float] = []

    class Silent(socket.socket):
        """Waits for as long as it may, on a clock of the test's own."""

        def connect(self, place: object) -> None:
            waited.append(self.gettimeout() or 0)
            raise TimeoutError

    monkeypatch.setattr(socket, "socket", Silent)
    monkeypatch.setattr(sending.time, "monotonic", lambda: sum(waited))
    places = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (f"127.0.0.{number}", 80)) for number in range(1, 30)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: places)
    assert post("http://many.example.org/", b"{}", {}).fault == sending.TOO_SLOW
    assert sum(waited) == sending.SECONDS


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        *((f"https://{host}/", sending.PRIVATE) for host in ("127.0.0.1", "[::1]", "10.0.0.1", "2130706433", "0x7f.1")),
        *((f"https://{host}/", sending.PRIVATE) for host in ("localhost", "table.localhost", "168.63.129.16")),
        *((f"http://{host}/", sending.UNENCRYPTED) for host in ("8.8.8.8", "example.org")),
        *((f"https://{host}/", "") for host in ("8.8.8.8", "[2606:4700::1111]", "example.org")),
    ],
)
def test_what_will_never_be_sent_to_is_known_before_it_is_looked_up(address, fault, monkeypatch):
    found = socket.getaddrinfo

    def without_asking(*asked, **how):
        assert how["flags"] == socket.AI_NUMERICHOST
        return found(*asked, **how)

    monkeypatch.setattr(socket, "getaddrinfo", without_asking)
    assert sending.never_sent(Target.of(address)) == fault


def test_where_a_host_opens_networks_of_its_own_names_may_lead_there(settings):
    settings.WEBHOOK_NETWORKS = ["192.168.1.0/24", "127.0.0.0/8"]
    for address in ("http://bot.lan/", "http://192.168.1.7/", "http://localhost:3000/"):
        assert sending.never_sent(Target.of(address)) == ""
    assert sending.never_sent(Target.of("http://10.0.0.1/")) == sending.PRIVATE


@pytest.fixture
def certificate(tmp_path) -> Path:
    """Return a self-signed certificate of receiver.example.org, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "receiver.example.org")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(
        issuer_name=name,
        subject_name=name,
        public_key=key.public_key(),
        serial_number=1,
        not_valid_before=now - timedelta(days=1),
        not_valid_after=now + timedelta(days=1),
    )
    names = x509.SubjectAlternativeName([x509.DNSName("receiver.example.org")])
    signed = made.add_extension(names, critical=False).sign(key, hashes.SHA256())
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = tmp_path / "receiver.pem"
    path.write_bytes(signed.public_bytes(serialization.Encoding.PEM) + private)
    return path


@pytest.mark.parametrize(("name", "is_trusted"), [("receiver", True), ("receiver", False), ("another", True)])
def test_a_certificate_has_to_be_of_the_name_and_of_somebody_who_is_trusted(
    own_network, receiver, certificate, monkeypatch, name, is_trusted
):
    ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ours.load_cert_chain(certificate)
    asked: list[bytes] = []

    def speak(connection: socket.socket) -> None:
        with suppress(ssl.SSLError), ours.wrap_socket(connection, server_side=True) as encrypted:
            answering(TAKEN, asked)(encrypted)

    port = int(receiver(speak).split(":")[2].partition("/")[0])
    place = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [place])
    if is_trusted:
        trust = ssl.create_default_context(cafile=str(certificate))
        monkeypatch.setattr(sending, "_trust", lambda: trust)
    answer = post(f"https://{name}.example.org:{port}/", b"{}", {})
    if name == "receiver" and is_trusted:
        assert answer.status == 200 and f"Host: receiver.example.org:{port}".encode() in asked[0]
    else:
        assert answer.fault == sending.UNTRUSTED and asked == []


@pytest.mark.parametrize(
    "address",
    [
        *("", "discord.com", "//discord.com/", "ftp://example.org/", "file:///etc/passwd", "https://"),
        *("https://user:word@example.org/", "https://user@example.org/", "https://example.org:99999/", "https://[::1/"),
        *(
            "https://example.org/a b",
            "https://example.org/\r\nHost: other",
            "https://exa mple.org/",
            "https://example.org/ü",
            f"https://{'a.' * 130}org/",
            f"https://{'ü.' * 60}org/",
        ),
    ],
)
def test_what_is_no_address_of_the_web_is_refused(address):
    with pytest.raises(ValueError):
        Target.of(address)


def test_names_in_other_letters_are_asked_for_as_the_web_writes_them():
    assert Target.of("https://bücher.example/x?y=1#z") == Target("https", "xn--bcher-kva.example", 443, "/x?y=1")
    assert Target.of("https://example.org:8443").host_header == "example.org:8443"
    assert Target.of("https://[2606:4700::1111]/").host_header == "[2606:4700::1111]"
