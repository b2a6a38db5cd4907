"""Programs that need root, systemd or the network, as an ordinary user can have them: they do what is left without those.

Started as `stand_ins.py <name> <arguments>` by the machine of machine.py, on its Python alone and without the project.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

PATIENCE = 60  # seconds


def systemd_environment(text: str) -> dict[str, str]:
    """Return an EnvironmentFile as systemd reads it: comments only on their own lines, quotes only around a whole value."""
    found = {}
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith(("#", ";")):
            name, _, value = line.partition("=")
            value = value.strip()
            quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
            found[name.strip()] = value[1:-1] if quoted else value
    return found


def unit(text: str) -> dict[str, list[str]]:
    """Return the settings of a unit: {"ExecStart": ["/srv/…", …], …}."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def main(name: str, *words: str) -> int:
    machine = json.loads(Path(__file__).with_name("machine.json").read_text())
    return globals()[f"_{name.replace('-', '_')}"](machine, list(words))


def _nothing(machine: dict, words: list[str]) -> int:
    return 0


_apt_get = _nginx = _certbot = _nothing


def _useradd(machine: dict, words: list[str]) -> int:
    """Make a home as useradd does, which is not empty."""
    home = Path(words[words.index("--home-dir") + 1])
    home.mkdir()
    (home / ".profile").write_text("# from /etc/skel\n")
    return 0


def _runuser(machine: dict, words: list[str]) -> int:
    """Run `runuser -u <user> -- <command>` as the current user."""
    assert words[0] == "-u" and words[2] == "--"
    os.environ |= machine["environment"]
    os.execvp(words[3], words[3:])
    return 1


def _install(machine: dict, words: list[str]) -> int:
    """Run install without owners, which only root can set."""
    kept = [word for before, word in zip(["", *words], words, strict=False) if {before, word}.isdisjoint({"-o", "-g"})]
    return subprocess.run(["/usr/bin/install", *kept], check=False).returncode


def _python3(machine: dict, words: list[str]) -> int:
    """Make a .venv with the project's packages instead of those that pip would fetch; pip compares them with the lock."""
    if words[:2] != ["-m", "venv"]:
        os.execv(machine["python"], [machine["python"], *words])
    home = Path(words[2])
    subprocess.run([machine["python"], "-m", "venv", "--without-pip", home], check=True)
    (packages,) = home.glob("lib/python*/site-packages")
    (packages / "project.pth").write_text(machine["packages"])
    pip = home / "bin" / "pip"
    pip.write_text(f'#!/bin/sh\nPIP_NO_INDEX=1 exec {home.resolve()}/bin/python -m pip "$@"\n')
    pip.chmod(0o755)
    return 0


def _curl(machine: dict, words: list[str]) -> int:
    """Send one request, with `-H 'Name: value'`, and repeat it while nobody listens; with `--max-time` not."""
    name, _, value = words[words.index("-H") + 1].partition(": ")
    status, text = answered(words[-1], {name: value}, 0 if "--max-time" in words else PATIENCE)
    if status == 200:
        print(text, end="")
        return 0
    print(status, text, file=sys.stderr)
    return 22 if status else 7


def answered(url: str, headers: dict[str, str], patience: float = PATIENCE) -> tuple[int, str]:
    """Return the status and the text of an answer; 0 if nobody listens for so many seconds."""
    deadline = time.monotonic() + patience
    while True:
        try:
            answer = urlopen(Request(url, headers=headers), timeout=PATIENCE)
            return answer.status, answer.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()
        except (URLError, ConnectionError) as error:
            if time.monotonic() > deadline:
                return 0, str(error)
            time.sleep(0.1)


def _systemctl(machine: dict, words: list[str]) -> int:
    """Starts and stops what the installed units say. Timers do not go off."""
    verb, name = words[0], words[-1]
    if name == "postgresql":
        return _postgresql(machine, verb)
    if verb == "restart":
        return _stop(machine, name) or _start(machine, name)
    if verb in ("start", "enable") and not name.endswith(".timer"):
        return _start(machine, name)
    if verb == "stop":
        return _stop(machine, name)
    if verb == "is-active":
        return 0 if _pid(machine, name).exists() else 3
    assert verb in ("daemon-reload", "reload", "enable"), words
    return 0


def _postgresql(machine: dict, verb: str) -> int:
    """Have pg_ctl do it, with the settings where Debian has them; to stop one that does not run is no failure."""
    conf, home = machine["postgresql_conf"], machine["postgresql"]
    options = f"-F -k {home} -c config_file={conf}/postgresql.conf -c hba_file={conf}/pg_hba.conf"
    verb = "stop" if verb == "disable" else verb
    command = ["pg_ctl", "-D", machine["data"], "-l", f"{home}/again.log", "-m", "fast", "-o", options, verb]
    code = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
    return 0 if verb == "stop" else code


def _start(machine: dict, name: str) -> int:
    said = unit((Path(machine["units"]) / f"{name}.service").read_text())
    file = systemd_environment(Path(said["EnvironmentFile"][0]).read_text())
    environment = {"PATH": "/usr/bin:/bin"} | machine["environment"] | file
    where = {"cwd": said["WorkingDirectory"][0], "env": environment}
    oneshot = said.get("Type") == ["oneshot"]
    for command in [*said.get("ExecStartPre", []), *(said["ExecStart"] if oneshot else [])]:
        if code := subprocess.run(shlex.split(command), check=False, **where).returncode:
            return code
    if not oneshot:
        with Path(machine["log"]).open("ab") as log:
            process = subprocess.Popen(
                shlex.split(said["ExecStart"][0]), stdout=log, stderr=log, start_new_session=True, **where
            )
        _pid(machine, name).write_text(f"{process.pid} {file.get('UVICORN_HOST', '127.0.0.1')}")
    return 0


def _stop(machine: dict, name: str) -> int:
    if _pid(machine, name).exists():
        process, host = _pid(machine, name).read_text().split()
        os.kill(int(process), signal.SIGTERM)
        _pid(machine, name).unlink()
        while _listens(host, machine["port"]):
            time.sleep(0.05)
    return 0


def _listens(host: str, port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0


def _pid(machine: dict, name: str) -> Path:
    return Path(machine["log"]).with_name(f"{name}.pid")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
