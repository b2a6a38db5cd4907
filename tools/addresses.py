"""Where `dev.py run` listens, and what people type to get there."""

from __future__ import annotations

import ipaddress
import socket

from tools.environment import Trouble

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

HOST = "127.0.0.1"


def address(host: str) -> Address:
    """Return the address of this machine that `--host` names. Raises Trouble if it is none."""
    try:
        return ipaddress.ip_address(HOST if host == "localhost" else host.strip("[]"))
    except ValueError:
        raise Trouble(f"{host} is no address; 0.0.0.0 is every one of this machine, {HOST} only itself.") from None


def typed(listening: Address) -> str:
    """Return the address that others type for it: for "every address" this machine's one in its network."""
    reached = _in_the_network(listening.version) if listening.is_unspecified else str(listening)
    return f"[{reached}]" if ":" in reached else reached


def refuse_busy(listening: Address, port: int) -> None:
    """Raise Trouble where no server can be started at that port."""
    if not 1 <= port <= 65535:
        raise Trouble(f"{port} is no port; choose one from 1024 to 65535.")
    with socket.socket(_family(listening.version)) as probe:
        # As uvicorn does: a port whose last connections are only fading away counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((str(listening), port))
        except OSError as error:
            host = "" if str(listening) == HOST else f"{listening}, "
            raise Trouble(
                f"Port {host}{port} cannot be used ({error.strerror}). Another one: python3 dev.py run --port {port + 1}"
            ) from error


def _in_the_network(version: int) -> str:
    """Return the address from which this machine would speak to the rest of the world. Connecting by UDP sends nothing."""
    with socket.socket(_family(version), socket.SOCK_DGRAM) as probe:
        try:
            # Addresses from networks reserved for examples.
            probe.connect(("192.0.2.1" if version == 4 else "2001:db8::1", 9))
        except OSError:
            raise Trouble("This machine is in no network, so nobody else could reach it.") from None
        return str(probe.getsockname()[0])


def _family(version: int) -> socket.AddressFamily:
    return socket.AF_INET if version == 4 else socket.AF_INET6
