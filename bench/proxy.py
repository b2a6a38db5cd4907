"""An nginx in front of several server processes, as deploy/nginx.conf sets one up for one; for a bench, and gone after it."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.live_world import HOST, free_port, wait_for

CONF = """
daemon off;
pid {home}/pid;
error_log stderr crit;
worker_rlimit_nofile 8192;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {home}; proxy_temp_path {home}; fastcgi_temp_path {home}; uwsgi_temp_path {home}; scgi_temp_path {home};
    map $http_upgrade $connection_header {{ default upgrade; "" close; }}
    upstream afterburn {{ least_conn; {servers} }}
    server {{
        listen {host}:{port};
        location / {{
            proxy_pass http://afterburn;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $connection_header;
            proxy_connect_timeout 1s;
            proxy_read_timeout 10m;
        }}
    }}
}}
"""


def is_there() -> bool:
    """Return whether this machine has an nginx."""
    return shutil.which("nginx") is not None


@contextmanager
def nginx(ports: Sequence[int]) -> Iterator[int]:
    """Yield the port of an nginx in front of the servers at these ports. Raises RuntimeError if it does not start."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="afterburn-nginx-") as home:
        conf = Path(home) / "nginx.conf"
        servers = " ".join(f"server {HOST}:{upstream} max_fails=0;" for upstream in ports)
        conf.write_text(CONF.format(home=home, host=HOST, port=port, servers=servers))
        process = subprocess.Popen(["nginx", "-p", home, "-c", str(conf)])
        try:
            wait_for(port)
            yield port
        finally:
            process.terminate()
            process.wait()
