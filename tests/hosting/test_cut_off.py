"""A server that is gone without a word, on a machine of its own (bench/network.py), and how soon PostgreSQL notices."""

from __future__ import annotations

import psycopg
import pytest

from bench import network
from bench.joining import SERVERS
from tools.postgres import postgres

HOLD = "SELECT pg_advisory_xact_lock(1)"


@pytest.mark.skipif(not network.is_there(), reason="only root can make networks")
def test_postgresql_lets_go_of_what_a_server_held_when_its_cable_was_pulled():
    with network.machines(("database", "server")) as (database, server), database.inside():
        # Without the tests' own limit.
        settings = SERVERS | {"idle_in_transaction_session_timeout": "0", "listen_addresses": database.address}
        with postgres(**settings) as url:
            network.let_in(url)
            with server.inside():
                holding = psycopg.connect(host=database.address, user="postgres", dbname="postgres")
            holding.execute(HOLD)
            server.cable("down")
            with psycopg.connect(url.replace("/afterburn", "/postgres")) as waiting:
                waiting.execute("SET lock_timeout = '60s'")
                waiting.execute(HOLD)
            holding.close()
