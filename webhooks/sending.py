"""One HTTP request to a typed address: which addresses are allowed, and how long and how much we read.

A name is looked up once, each of its addresses is checked, and the connection goes to the very address that was checked,
so that a name cannot mean another machine a moment later. Redirects are not followed. Nothing here queries the database.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPResponse
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Timer
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.http import parse_http_date_safe
from django.utils.translation import gettext_noop

from campaigns.text import FORBIDDEN
from webhooks.models import Delivery

SECONDS: Final = 10
"""The limit for a whole attempt, however many addresses a name has and however slow the answer."""
CONNECT_SECONDS: Final = 5
LONGEST_WAIT: Final = 3600
"""Seconds that a receiver may have us wait before the next request."""
LONGEST_HOST: Final = 253
"""The longest name that there can be."""

REFUSED: Final = [
    ip_network(network)
    for network in (
        "168.63.129.16/32",  # a cloud's services for its own machines, at an address of the Internet
        "192.88.99.0/24",  # relays of 6to4
        "64:ff9b::/96",  # IPv4 behind a translator, perhaps one of this network
        "3fff::/20",  # documentation
        "5f00::/16",  # inside of a provider's network
        "fec0::/10",  # sites, as fc00::/7 is now
    )
]
"""Networks that are none of the open Internet, though ipaddress (of Python 3.11, too) calls them global."""

# Stored in English with each delivery, and translated when read (Delivery.fault_words).
PRIVATE: Final = gettext_noop("The name leads to a private or reserved address. Nothing is sent there.")
UNENCRYPTED: Final = gettext_noop("Nothing is sent without encryption. Use an address that starts with https://.")
UNKNOWN_NAME: Final = gettext_noop("The host name wasn’t found.")
NO_CONNECTION: Final = gettext_noop("Couldn’t connect.")
UNTRUSTED: Final = gettext_noop("The certificate couldn’t be verified.")
TOO_SLOW: Final = gettext_noop("No answer within 10 seconds.")
NOT_HTTP: Final = gettext_noop("The answer wasn’t HTTP.")
REDIRECT: Final = gettext_noop("The answer was a redirect, which isn’t followed.")


class Unreachable(Exception):
    """There is no address that may be contacted; its text says why."""


@dataclass(frozen=True)
class Target:
    """An address, taken apart."""

    scheme: str
    host: str
    port: int
    path: str

    @classmethod
    def of(cls, address: str) -> Target:
        """Return the target of an address. Raises ValueError for one that is not of the web, or has a user name."""
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
            raise ValueError(address)
        host = parts.hostname.encode("idna").decode() if not parts.hostname.isascii() else parts.hostname
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        if len(host) > LONGEST_HOST or not all(33 <= ord(letter) < 127 for letter in host + path):
            raise ValueError(address)
        return cls(parts.scheme, host, parts.port or {"http": 80, "https": 443}[parts.scheme], path)

    @property
    def host_header(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == {"http": 80, "https": 443}[self.scheme] else f"{host}:{self.port}"


@dataclass(frozen=True)
class Answer:
    """The result of a request: a status and how the text begins, or None and in words what went wrong."""

    status: int | None = None
    text: str = ""
    fault: str = ""
    wait: int = 0
    """Seconds after which the receiver wants the next request at the earliest."""

    @property
    def is_taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        """Return whether the receiver says that it will never take anything again."""
        return self.status == 410


def is_own(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is in a network that the host allows for webhooks (WEBHOOK_NETWORKS)."""
    address = getattr(address, "ipv4_mapped", None) or address
    return any(address in ip_network(network, strict=False) for network in settings.WEBHOOK_NETWORKS)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is one of the open Internet: not of this machine, a private network, a link, a group or
    a tunnel to any of them.
    """
    address = getattr(address, "ipv4_mapped", None) or address
    tunnelled = getattr(address, "sixtofour", None) or getattr(address, "teredo", None)
    refused = address.is_multicast or address.is_reserved or tunnelled or any(address in one for one in REFUSED)
    return address.is_global and not refused


def never_sent(target: Target) -> str:
    """Return why nothing will ever be sent to a target, whatever its name leads to; "" if something may be.

    Names are not looked up: that may take seconds, and a name may lead elsewhere tomorrow.
    """
    here = target.host.rpartition(".")[2] == "localhost"
    try:
        ((*_, place), *_more) = socket.getaddrinfo(
            "127.0.0.1" if here else target.host, None, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST
        )
    except (OSError, UnicodeError):
        return "" if target.scheme == "https" or settings.WEBHOOK_NETWORKS else UNENCRYPTED
    return _fault(ip_address(place[0]), target)


def post(address: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send one POST and return the result. It takes at most SECONDS, if the name is looked up within them."""
    try:
        target = Target.of(address)
        with _connected(target, time.monotonic() + SECONDS) as connection:
            connection.request("POST", target.path, body, {"Host": target.host_header, **headers})
            with connection.getresponse() as response:
                return _read(response)
    except Unreachable as error:
        return Answer(fault=str(error))
    except ssl.SSLCertVerificationError:
        return Answer(fault=UNTRUSTED)
    except HTTPException:
        return Answer(fault=NOT_HTTP)
    except TimeoutError:
        return Answer(fault=TOO_SLOW)
    except (OSError, ValueError):
        return Answer(fault=NO_CONNECTION)


def _read(response: HTTPResponse) -> Answer:
    text = FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", response.read(Delivery.ANSWER).decode(errors="replace"))
    fault = ""
    if 300 <= response.status < 400:
        fault = REDIRECT
    return Answer(response.status, text[: Delivery.ANSWER], fault, _wait(response.getheader("Retry-After") or ""))


def _wait(asked: str) -> int:
    """Return the seconds of a Retry-After, a number or a date, at most LONGEST_WAIT; 0 for the past and anything else."""
    number = asked.partition(".")[0]
    if number.isdecimal():
        # A number of any length: as an int it might be refused.
        seconds = float(number.lstrip("0")[:10] or 0)
    elif (moment := parse_http_date_safe(asked)) is not None and moment > time.time():
        seconds = moment - time.time()
    else:
        return 0
    return min(int(seconds) + 1, LONGEST_WAIT)


@contextmanager
def _connected(target: Target, until: float) -> Iterator[HTTPConnection]:
    """Give a connection to a checked address of the target; it ends at `until`, whatever is being sent or read."""
    raw = _socket(target, until)
    # A second handle of the same connection: TLS takes the first one over.
    guard = raw.dup()
    late: list[bool] = []

    def end() -> None:
        late.append(True)
        guard.shutdown(socket.SHUT_RDWR)

    timer = Timer(max(0, until - time.monotonic()), end)
    timer.daemon = True
    timer.start()
    connection = HTTPConnection(target.host, target.port)
    try:
        raw.settimeout(SECONDS)
        connection.sock = raw
        if target.scheme == "https":
            connection.sock = _trust().wrap_socket(raw, server_hostname=target.host)
        yield connection
        if late:
            # It ended in the middle of an answer, which may look like the end of one.
            raise TimeoutError
    except (OSError, HTTPException) as error:
        if late:
            raise TimeoutError from error
        raise
    finally:
        timer.cancel()
        connection.close()
        guard.close()


@cache
def _trust() -> ssl.SSLContext:
    """Return the context with trusted certificates, kept because reading them takes a while."""
    return ssl.create_default_context()


def _socket(target: Target, until: float) -> socket.socket:
    """Return a socket that is connected to one of the target's addresses. Raises Unreachable, and TimeoutError at `until`."""
    try:
        entries = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable(UNKNOWN_NAME) from None
    fault = PRIVATE
    for family, kind, protocol, _, place in entries:
        if refused := _fault(ip_address(place[0]), target):
            fault = refused if fault == PRIVATE else fault
            continue
        if (left := until - time.monotonic()) <= 0:
            raise TimeoutError
        connection = socket.socket(family, kind, protocol)
        connection.settimeout(min(CONNECT_SECONDS, left))
        try:
            connection.connect(place)
        except OSError:
            connection.close()
            fault = NO_CONNECTION
        else:
            return connection
    raise Unreachable(fault)


def _fault(address: IPv4Address | IPv6Address, target: Target) -> str:
    """Return why nothing is sent to this address of the target; "" if something may be."""
    if is_own(address) or (is_public(address) and target.scheme == "https"):
        return ""
    return UNENCRYPTED if is_public(address) else PRIVATE
