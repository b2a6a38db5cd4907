"""The nginx of deploy/nginx.conf, without its certificate, in front of server processes; for a bench, and gone after it."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.live_world import HOST, ROOT, Server, free_port, wait_for

CONF = """
daemon off;
pid {home}/pid;
error_log stderr crit;
worker_rlimit_nofile 8192;
events {{ worker_connections 4096; }}
http {{
client_body_temp_path {home}; proxy_temp_path {home}; fastcgi_temp_path {home}; uwsgi_temp_path {home}; scgi_temp_path {home};
{site}
}}
"""


def is_there() -> bool:
    """Return whether this machine has an nginx."""
    return shutil.which("nginx") is not None


@contextmanager
def nginx(servers: Sequence[Server], host: str = HOST, flags: str = "") -> Iterator[int]:
    """Yield the port of an nginx in front of these servers, each with these flags. Raises RuntimeError if it does not start."""
    port = free_port()
    site = (ROOT / "deploy/nginx.conf").read_text()
    upstream = "".join(f"    server {server.address}:{server.port}{flags};\n" for server in servers)
    site = re.sub(r"^    server \S+;\n", upstream, site, flags=re.MULTILINE)
    site = site.replace("listen 80;", f"listen {host}:{port};").replace("listen [::]:80;", "")
    with tempfile.TemporaryDirectory(prefix="afterburn-nginx-") as home:
        conf = Path(home) / "nginx.conf"
        conf.write_text(CONF.format(home=home, site=site))
        process = subprocess.Popen(["nginx", "-p", home, "-c", str(conf)])
        try:
            wait_for(port, host, host)
            yield port
        finally:
            process.terminate()
            process.wait()
