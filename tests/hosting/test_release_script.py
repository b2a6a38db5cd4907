"""deploy/afterburn-release, with a real Git and stand-ins for all it calls: it finds a release, and stops the site only for what
cannot fail any more; whatever fails all the same, what ran before runs again."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.environment import ROOT

AFTERBURN = """#!/bin/sh
# Stands in for manage.py. Files called fail-<command> have it fail.
echo "$(cat {code}/release) $*" >> {home}/commands
[ ! -e {home}/fail-$1 ] || {{ cat {home}/fail-$1 >&2; exit 1; }}
[ $1 != backup ] || {{
    name=$2
    [ ! -d $2 ] || {{
        [ ! -e {home}/fail-real-backup ] || exit 1
        name=$2/afterburn-$(wc -l < {home}/commands).backup
    }}
    touch $name
    echo "$name: 0.1 MB."
}}
"""
SYSTEMCTL = """#!/bin/sh
echo "systemctl $*" >> {home}/commands
case $1 in
    is-active) [ -e {home}/running ] ;;
    stop) rm -f {home}/running ;;
    start) [ -e {home}/fail-start-$(cat {code}/release) ] || touch {home}/running ;;
esac
"""
PROGRAMS = {
    "runuser": 'shift 3; exec "$@"',
    "systemctl": SYSTEMCTL,
    "curl": "[ -e {home}/running ] && echo ready",
    "python": "[ ! -e {home}/fail-pip ]",
}
UNITS = ("afterburn.service", "afterburn-nightly.service", "afterburn-nightly.timer", "afterburn-deliver.service")


class Host:
    """A clone in which three commits are called Release 0.1.0, others nearly so, and then come 0.2.0 and 0.3.0."""

    def __init__(self, home: Path) -> None:
        self.home, self.code, self.origin = home, home / "srv" / "code", home / "origin"
        for folder in (
            home / "srv",
            self.origin / "deploy",
            home / "sbin",
            home / "units",
            home / "backups",
            home / "etc",
        ):
            folder.mkdir(parents=True)
        for name, text in PROGRAMS.items():
            self._program(home / "sbin" / name, text)
        self._make_origin()
        git(home, "clone", "--quiet", str(self.origin), str(self.code))
        shutil.copy(self.code / "deploy/afterburn", home / "sbin")
        (self.code / ".venv/bin").mkdir(parents=True)
        (self.code / ".venv/bin/python").symlink_to(home / "sbin/python")
        (home / "running").touch()
        (home / "etc/afterburn.env").write_text("SITE_URL=https://table.example.org\n")

    def _make_origin(self) -> None:
        git(self.origin, "init", "--quiet", "--initial-branch=main")
        self._program(self.origin / "deploy/afterburn", AFTERBURN)
        for name in UNITS:
            (self.origin / "deploy" / name).touch()
        (self.origin / ".gitignore").write_text(".venv\n")
        for subject in (
            *("Release 0.1.0", "Release 0.1.0", "Release 0.1.0"),
            *("Release 0.1.0 once more, perhaps", "Prepare Release 0.1.0", "Release 0.1.01", "Go on"),
        ):
            self.release(subject)

    def release(self, subject: str) -> None:
        (self.origin / "release").write_text(subject.removeprefix("Release "))
        git(self.origin, "add", "--all")
        git(self.origin, "commit", "--quiet", "--allow-empty", "-m", subject)

    def _program(self, file: Path, text: str) -> None:
        text = text.replace("{home}", str(self.home)).replace("{code}", str(self.code))
        text = text.replace("{{", "{").replace("}}", "}")
        file.write_text(text if text.startswith("#!") else f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)

    def run(self, *words: str, answer: str = "yes\n") -> subprocess.CompletedProcess[str]:
        program = (ROOT / "deploy/afterburn-release").read_text()
        for there, here in (
            *(("/srv/afterburn/", f"{self.home}/srv/"), ("/var/backups/afterburn", f"{self.home}/backups")),
            *(("/usr/local/sbin/", f"{self.home}/sbin/"), ("/etc/systemd/system/", f"{self.home}/units/")),
            ("/etc/afterburn.env", f"{self.home}/etc/afterburn.env"),
        ):
            program = program.replace(there, here)
        (self.home / "program").write_text(program)
        environment = {"PATH": f"{self.home}/sbin:{os.environ['PATH']}", "AFTERBURN_PATIENCE": "0"}
        command = ["/bin/sh", str(self.home / "program"), *words]
        return subprocess.run(
            command, env=os.environ | environment, input=answer, capture_output=True, text=True, check=False
        )

    def find(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.run("find", *words)

    @property
    def commands(self) -> list[str]:
        return (self.home / "commands").read_text().splitlines()

    @property
    def installed(self) -> str:
        return (self.code / "release").read_text()

    @property
    def runs(self) -> bool:
        return (self.home / "running").exists()

    def fail(self, what: str, words: str = "It is full.") -> None:
        (self.home / f"fail-{what}").write_text(words)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


@pytest.fixture
def at_one(host: Host) -> Host:
    """Return a host on which Release 1 runs, and Release 2 can be had."""
    host.release("Release 1")
    installed = host.run("upgrade", "1")
    assert installed.returncode == 0, installed.stderr
    (host.home / "backups/upgrades").unlink()
    (host.home / "commands").unlink()
    host.release("Release 2")
    return host


def git(where: Path, *words: str) -> str:
    who = {f"GIT_{one}_{what}": "tests@example.org" for one in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    nobodys = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(
        ["git", *words], cwd=where, env=os.environ | who | nobodys, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_of_several_with_one_subject_it_is_the_newest_and_no_other_subject_will_do(host):
    assert host.find("0.1.0").stdout.strip() == git(host.code, "rev-parse", "HEAD~4")


def test_a_tag_goes_before(host):
    git(host.code, "tag", "v0.1.0", "HEAD~6")
    assert host.find("0.1.0").stdout.strip() == git(host.code, "rev-parse", "HEAD~6")


def test_the_newest_is_that_of_the_highest_number(host):
    git(host.code, "tag", "v0.10.0", "HEAD")
    git(host.code, "tag", "v0.9.0", "HEAD~1")
    assert host.find().stdout.strip() == git(host.code, "rev-parse", "HEAD")


def test_a_commit_will_do_and_what_is_none_is_said(host):
    commit = git(host.code, "rev-parse", "HEAD~2")
    assert host.find(commit[:12]).stdout.strip() == commit
    nothing = host.find("7.7.7")
    assert nothing.returncode == 1 and "There is no release, tag or commit 7.7.7" in nothing.stderr


def test_an_upgrade_is_ready_before_the_site_stops_for_its_backup(at_one):
    done = at_one.run("upgrade")
    assert done.returncode == 0 and done.stdout == "ready\n", done.stderr
    assert at_one.installed == "2" and at_one.runs
    assert [line for line in at_one.commands if "daemon" not in line and "active" not in line] == [
        "2 collectstatic --noinput --verbosity 0",
        "2 migrate --plan",
        f"1 backup {at_one.home}/backups/rehearsal",
        "systemctl stop afterburn",
        f"1 backup {at_one.home}/backups",
        "2 migrate --verbosity 0",
        "systemctl start --no-block afterburn",
    ]
    assert not (at_one.home / "backups/rehearsal").exists()


@pytest.mark.parametrize("what", ["fetch", "pip", "collectstatic", "migrate", "backup"])
def test_what_fails_before_the_stop_changes_nothing_and_leaves_the_site_up(at_one, what):
    at_one.fail(what)
    if what == "fetch":
        at_one.origin.rename(at_one.home / "away")
    done = at_one.run("upgrade", "2" if what != "fetch" else "1")
    assert done.returncode != 0 and "Nothing was changed: what ran before is still running." in done.stderr
    assert at_one.installed == "1" and at_one.runs
    assert not (at_one.home / "srv/next").exists()
    stopped = at_one.home / "commands"
    assert not stopped.exists() or "systemctl stop afterburn" not in at_one.commands
    assert not (at_one.home / "backups/upgrades").exists()


def test_a_disk_that_fills_between_rehearsal_and_backup_has_the_site_run_again(at_one):
    at_one.fail("real-backup")
    done = at_one.run("upgrade")
    assert done.returncode != 0 and "What ran before runs again" in done.stderr and "Release 1" in done.stderr
    assert at_one.installed == "1" and at_one.runs


def migrations_fail(host: Host) -> None:
    """Have them fail, but the rehearsal of them succeed."""
    program = host.origin / "deploy/afterburn"
    program.write_text(program.read_text() + '[ "$*" != "migrate --verbosity 0" ] || exit 1\n')
    host.release("Release 3")


def test_where_the_migrations_fail_the_older_release_runs_again_if_it_can(at_one):
    migrations_fail(at_one)
    done = at_one.run("upgrade")
    assert done.returncode != 0 and "What ran before runs again" in done.stderr
    assert at_one.installed == "1" and at_one.runs and (at_one.home / "backups/upgrades").read_text() == ""


def test_where_they_have_changed_the_database_the_way_back_is_said_and_works(at_one):
    migrations_fail(at_one)
    at_one.fail("start-1")
    done = at_one.run("upgrade")
    assert done.returncode != 0 and "To put everything back: afterburn-release back" in done.stderr
    assert at_one.installed == "3" and not at_one.runs
    (at_one.home / "fail-start-1").unlink()
    assert at_one.run("back").returncode == 0
    assert at_one.installed == "1" and at_one.runs


def test_a_new_service_that_does_not_answer_is_said_to_with_what_to_do(at_one):
    at_one.fail("start-2")
    done = at_one.run("upgrade")
    assert done.returncode == 1
    assert "Release 2" in done.stderr and "doesn't answer. Why: journalctl -u afterburn" in done.stderr
    assert "afterburn-release back" in done.stderr
    (patience,) = re.findall(r"AFTERBURN_PATIENCE:-(\d+)", (ROOT / "deploy/afterburn-release").read_text())
    assert int(patience) <= 60


def test_an_older_commit_and_the_same_one_are_no_upgrade(at_one):
    older = at_one.run("upgrade", "0.1.01")
    assert older.returncode == 1 and "is older than what is installed" in older.stderr
    same = at_one.run("upgrade", "1")
    assert same.returncode == 0 and "Release 1" in same.stdout and "is installed already" in same.stdout
    assert at_one.installed == "1" and at_one.runs


def test_going_back_twice_never_offers_the_same_backup_again(at_one):
    at_one.run("upgrade")
    at_one.release("Release 3")
    at_one.run("upgrade")
    first, second = at_one.run("back"), at_one.run("back")
    assert "Release 2" in first.stdout and "Release 1" in second.stdout and at_one.installed == "1"
    restored = [line.split()[-1] for line in at_one.commands if " restore " in line]
    assert len({*restored}) == 2
    none = at_one.run("back")
    assert none.returncode == 1 and "No upgrade is known to go back from" in none.stderr and at_one.runs


def test_the_way_back_is_tried_again_as_it_was_if_its_backup_cannot_be_restored(at_one):
    at_one.run("upgrade")
    at_one.fail("restore", "It is damaged.")
    program = at_one.home / "srv/previous/deploy/afterburn"
    program.write_text(program.read_text().replace("fail-$1", "fail-old-$1"))
    (at_one.home / "fail-restore").rename(at_one.home / "fail-old-restore")
    done = at_one.run("back")
    assert done.returncode != 0 and "What ran before runs again" in done.stderr and "Release 2" in done.stderr
    assert at_one.installed == "2" and at_one.runs
    assert [line.partition(" restore ")[0] for line in at_one.commands if " restore " in line] == ["1", "2"]
    assert len((at_one.home / "backups/upgrades").read_text().splitlines()) == 1


def test_without_a_yes_nothing_happens(at_one):
    at_one.run("upgrade")
    done = at_one.run("back", answer="no\n")
    assert done.returncode == 1 and "Nothing was changed" in done.stderr and at_one.installed == "2"


def test_a_database_without_accounts_is_upgraded_and_comes_back_empty(at_one):
    at_one.fail("backup", "CommandError: Nobody has an account in the database afterburn, so there is nothing to keep.")
    assert at_one.run("upgrade").returncode == 0 and at_one.installed == "2"
    back = at_one.run("back")
    assert back.returncode == 0 and "an empty database" in back.stdout and at_one.installed == "1"
    assert "2 make_empty --force" in at_one.commands and not [line for line in at_one.commands if " restore " in line]


def test_what_0_2_0_remembered_of_its_upgrade_is_known(at_one):
    file = at_one.home / "backups/afterburn-before.backup"
    file.touch()
    (at_one.home / "backups/before-upgrade").write_text(f"{git(at_one.code, 'rev-parse', 'HEAD~1')}\n{file}\n")
    at_one.run("upgrade")
    assert "Release 1" in at_one.run("back").stdout
    assert "Go on" in at_one.run("back").stdout and f"0.1.01 restore {file}" not in at_one.commands
    assert f"Go on restore {file}" in at_one.commands


def test_a_second_server_gets_the_code_alone_and_also_an_older_one(at_one):
    assert at_one.run("code", "2").returncode == 0 and at_one.installed == "2" and at_one.runs
    assert at_one.run("code", "1").returncode == 0 and at_one.installed == "1" and at_one.runs
    assert not [line for line in at_one.commands if " backup " in line or " restore " in line]


def test_a_second_server_that_was_stopped_for_it_is_not_said_to_run(at_one):
    (at_one.home / "running").unlink()
    at_one.fail("pip")
    done = at_one.run("code", "2")
    assert done.returncode != 0 and "Nothing was changed. The site is stopped." in done.stderr
    assert at_one.installed == "1" and not at_one.runs
