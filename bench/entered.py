"""`python -m bench.entered`: how many files one has to read to follow one operation through the code.

In a new SQLite file four things are done through the forms that browsers send: a roll that becomes a Major Burn, a field that is
written on a sheet, a page of the log, and a staged action of Forged in the Dark from its announcement to its end. Of each it says
how many Python files of the project were entered (a function of theirs ran, middleware and models included), and in how many
folders; with `--files` which.
"""

from __future__ import annotations

import os
import sys
import threading
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from uuid import uuid4

from bench.databases import new_databases, run_in

if TYPE_CHECKING:
    from bench.posting_world import World

ROOT = Path(__file__).parents[1]
OURS = ("campaigns", "characters", "config", "database", "people", "rolls", "rules", "rulesets", "scale")
ATTEMPTS = 200
"""The most rolls to try from −7 or +7; one in a few leads to a Major Burn."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m bench.entered", description="Count the files that a flow enters.")
    parser.add_argument("--files", action="store_true", help="name them")
    parser.add_argument(
        "--here", action="store_true", help="in the database that DATABASE_URL names, which has to be new"
    )
    asked = parser.parse_args(arguments)
    if asked.here:
        measure(asked)
        return
    for url in new_databases("sqlite"):
        run_in(url, "bench.entered", ["--here", *(["--files"] if asked.files else [])])


def measure(asked: Namespace) -> None:
    """Do each of these operations, and print which files it entered."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from bench.posting_world import World

    world = World()
    flows: dict[str, Callable[[World], set[Path]]] = {
        "a roll that becomes a Major Burn": _major_burn,
        "a field of a sheet": _field,
        "a page of the log": _log,
        "a staged action of Forged": _staged_action,
    }
    print(f"{'':36}{'files':>7}{'folders':>9}")
    for name, flow in flows.items():
        entered = flow(world)
        print(f"{name:36}{len(entered):>7}{len({path.parent for path in entered}):>9}")
        for path in sorted(entered) if asked.files else ():
            print(f"    {path}")


@contextmanager
def entered() -> Iterator[set[Path]]:
    """Collect the files of the project in which a function runs inside, in any thread."""
    seen: set[str] = set()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            seen.add(frame.f_code.co_filename)

    paths: set[Path] = set()
    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        yield paths
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    inside = (Path(path).relative_to(ROOT) for path in seen if path.startswith(f"{ROOT}{os.sep}"))
    paths |= {path for path in inside if path.parts[0] in OURS}


def _major_burn(world: World) -> set[Path]:
    from scale.models import Burn, Scale

    url, fields = world.sends["roll: storyteller"]()
    for _ in range(ATTEMPTS):
        Scale.objects.filter(campaign=world.campaign).update(value=7)
        with entered() as files:
            _post(world, url, fields)
        if Burn.objects.filter(major=True).exists():
            Burn.objects.filter(major=True).update(state=Burn.State.NARRATED)  # or it would stop what follows
            return files
    raise SystemExit("No roll became a Major Burn.")


def _field(world: World) -> set[Path]:
    with entered() as files:
        _post(world, *world.sends["a field of a sheet"]())
    return files


def _log(world: World) -> set[Path]:
    from django.urls import reverse

    with entered() as files:
        answer = world.client.get(reverse("log", args=[world.campaign.slug]))
    assert answer.status_code == 200
    return files


def _staged_action(world: World) -> set[Path]:
    """Return the files entered by a staged action, from its announcement to a consequence that is taken, by player and GM."""
    from django.test import Client
    from django.urls import reverse

    from campaigns.models import Membership, Role
    from rolls.models import Procedure

    gm = Client(headers={"hx-request": "true", "host": "127.0.0.1"})
    gm.force_login(Membership.objects.get(campaign=world.campaign, role=Role.GM).user)
    slug, character = world.campaign.slug, world.characters["forged"].pk

    for _ in range(ATTEMPTS):
        with entered() as files:
            _post(
                world,
                reverse("procedure_open", args=[slug, "forged", "action"]),
                {"character": character, "action": "skirmish", "reason": "through the door"},
            )
            procedure = Procedure.objects.get(campaign=world.campaign, kind="action", closed_at=None)
            url = reverse("procedure_act", args=[slug, procedure.pk])
            acts: list[tuple[Client, str, dict[str, Any]]] = [
                (gm, "set", {"position": "risky", "base": "standard"}),
                (world.client, f"roll:{character}", {}),
                (gm, "inflict", {"code": "harm_2", "words": "a cut", "attribute": "prowess", "last": "on"}),
                (world.client, "take_it:c1", {}),
            ]
            for by, act, fields in acts:
                procedure.refresh_from_db()
                if procedure.closed_at:
                    break  # a full success has no consequences
                _post(world, url, {"act": _offered(procedure, act), **fields}, by=by)
            else:
                return files
    raise SystemExit("No action had consequences.")


def _offered(procedure: Any, act: str) -> str:
    """Return the act as its button sends it: with the mark of its terms."""
    from rolls.queries.table import standing_of
    from rolls.registry import procedure_called
    from rules.acts import ActKey, Actor

    rules = procedure_called(procedure.system, procedure.kind)
    assert rules is not None
    offered = rules.find(standing_of(procedure, rules, is_gm=True), Actor(is_gm=True), ActKey.parse(act))
    return str(offered.key) if offered else act


def _post(world: World, url: str, fields: dict[str, Any], *, by: Any = None) -> None:
    body = urlencode({"key": uuid4(), "client_seed": "0" * 32} | fields)
    answer = (by or world.client).post(url, body, "application/x-www-form-urlencoded")
    if answer.status_code != 204:
        raise SystemExit(f"{url}: {answer.status_code} {answer.content.decode()[:400]}")


if __name__ == "__main__":
    main()
