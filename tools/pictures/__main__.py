"""Take every picture: `.venv/bin/python -m tools.pictures`. It makes a demo for that and serves it until all are taken."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from tests.browser.servers import Site
from tests.examples.installing import LANTERNS, install
from tools import chromium
from tools.databases import migrated_sqlite
from tools.environment import CACHE, Trouble
from tools.pictures import documentation, front
from tools.pictures.studio import Studio

SETTINGS = "tools.pictures.settings"
COLLECT = ("collectstatic", "--noinput", "--verbosity=0")


def main() -> None:
    program = chromium.chromium()
    CACHE.mkdir(exist_ok=True)
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        os.environ |= {"TEST_DICE": f"{folder}/dice", "SECRET_KEY": "only for pictures"}
        browser = playwright.chromium.launch(executable_path=program, args=chromium.FLAGS)
        url = f"sqlite:///{shutil.copy(migrated_sqlite(), folder / 'demo.sqlite3')}"
        site = Site(url, folder, SETTINGS)
        site.manage("demo")
        site.manage(*COLLECT)
        with site.serve() as address:
            studio = Studio(browser, address)
            front.take(studio)
            documentation.take(studio)
        # On the same site, as a host would: installed when there is a demo already.
        site = Site(url, folder, SETTINGS, install(LANTERNS, folder / "installed"))
        site.manage("migrate", "--verbosity=0")
        site.manage(*COLLECT)
        site.run("-m", "tools.pictures.lanterns")
        with site.serve() as address:
            documentation.take_lanterns(Studio(browser, address))
        browser.close()


if __name__ == "__main__":
    try:
        main()
    except Trouble as trouble:
        sys.exit(f"\n{trouble}")
