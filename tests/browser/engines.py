"""The three engines that people have: Chromium, Firefox and WebKit, each driven by what it brings itself.

Playwright drives Firefox and WebKit only in builds of its own, which no registry of packages has. Those of a distribution
speak WebDriver: Firefox BiDi over a socket, WebKitGTK the classic one over HTTP. Both take the same pointer and key actions.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, Self
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, Error, Page
from websockets.sync.client import ClientConnection, connect

from tests.browser.servers import HOST, PATIENCE, free_port

CALL = 60
"""The seconds that one command may take, on a machine that has other things to do."""

# Whatever Firefox looks for by itself, it looks for at a port where nothing listens; this machine is never asked through a proxy.
PREFERENCES = {
    "network.proxy.type": 1,
    "network.proxy.http": HOST,
    "network.proxy.http_port": 9,
    "network.proxy.ssl": HOST,
    "network.proxy.ssl_port": 9,
}


class Missing(Exception):
    """An engine is not installed here; the message says which, and what installs it."""


def until(found: Callable[[], Any], what: str) -> Any:
    """Return what `found` returns once that is true. Raises AssertionError, with `what` was waited for, after PATIENCE."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if result := found():
            return result
        time.sleep(0.1)
    raise AssertionError(f"{PATIENCE} seconds without {what}")


@contextmanager
def running(command: Sequence[str], folder: Path, **environment: str) -> Iterator[None]:
    """Run a program that is at home in `folder`, where its log is; in the end it is ended with all that it has started."""
    with (folder / f"{Path(command[0]).name}.log").open("wb") as log:
        given = os.environ | {"HOME": str(folder)} | environment
        process = subprocess.Popen(command, env=given, stdout=log, stderr=log, start_new_session=True)
    try:
        yield
    finally:
        try:
            process.terminate()
            process.wait(CALL)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class Engine(ABC):
    """One window of one engine. Lengths are CSS pixels, and places are seen from the window's upper left corner."""

    NARROWEST = 0

    @classmethod
    @abstractmethod
    def opened(cls, browser: Browser, folder: Path) -> AbstractContextManager[Self]:
        """Yield an empty window; `browser` is Playwright's, `folder` an empty one. Raises Missing."""

    @abstractmethod
    def open(self, url: str) -> None: ...

    @abstractmethod
    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in the page, which JSON can hold; None while another page is on its way."""

    @abstractmethod
    def press(self, x: float, y: float) -> None:
        """Press and let go, which a driver may refuse in silence while a window is laid out."""

    @abstractmethod
    def type(self, words: str) -> None: ...

    @abstractmethod
    def resize(self, width: int, height: int) -> None: ...

    @abstractmethod
    def picture(self) -> bytes:
        """Return a PNG of what the window shows."""


class Chromium(Engine):
    def __init__(self, page: Page) -> None:
        self._page = page

    @classmethod
    @contextmanager
    def opened(cls, browser: Browser, folder: Path) -> Iterator[Self]:
        with browser.new_context() as context:
            yield cls(context.new_page())

    def open(self, url: str) -> None:
        self._page.goto(url)

    def evaluate(self, expression: str) -> Any:
        try:
            return self._page.evaluate(f"() => {expression}")
        except Error as error:
            if "context was destroyed" in str(error):
                return None
            raise

    def press(self, x: float, y: float) -> None:
        self._page.mouse.click(x, y)

    def type(self, words: str) -> None:
        self._page.keyboard.type(words)

    def resize(self, width: int, height: int) -> None:
        self._page.set_viewport_size({"width": width, "height": height})

    def picture(self) -> bytes:
        return self._page.screenshot()


class WebDriver(Engine):
    """An engine that performs the actions of the WebDriver standard."""

    @abstractmethod
    def _act(self, source: dict[str, Any]) -> None: ...

    def press(self, x: float, y: float) -> None:
        moves = {"type": "pointerMove", "x": round(x), "y": round(y)}
        press = [moves, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": press})

    def type(self, words: str) -> None:
        keys = [{"type": kind, "value": sign} for sign in words for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keys", "actions": keys})


class Firefox(WebDriver):
    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._numbers = itertools.count(1)
        self._call("session.new", capabilities={})
        # The window that it begins with never has the focus, and tells its page nothing of where that goes.
        self._window = self._call("browsingContext.create", type="window")["context"]
        self._call("browsingContext.activate", context=self._window)

    @classmethod
    @contextmanager
    def opened(cls, browser: Browser, folder: Path) -> Iterator[Self]:
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        if not program:
            raise Missing("Firefox (Debian’s package firefox-esr)")
        preferences = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items())
        (folder / "user.js").write_text("\n".join(preferences))
        options = ("--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0")
        with running([program, *options], folder):
            listens = folder / "WebDriverBiDiServer.json"
            address = json.loads(until(lambda: listens.exists() and listens.read_text(), "Firefox"))
            with connect(f"ws://{address['ws_host']}:{address['ws_port']}/session", max_size=None) as connection:
                yield cls(connection)

    def _call(self, method: str, **parameters: Any) -> Any:
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._connection.recv(timeout=CALL))
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open(self, url: str) -> None:
        self._call("browsingContext.navigate", context=self._window, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        asked = {"expression": f"JSON.stringify({expression})", "awaitPromise": False}
        answer = self._call("script.evaluate", target={"context": self._window}, **asked)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"].get("value", "null"))

    def press(self, x: float, y: float) -> None:
        try:
            super().press(x, y)
        except AssertionError as error:
            # The window is not ready for a pointer; a button that went down all the same is let go.
            if "synthesizeMouseAtPoint" not in str(error):
                raise
            self._call("input.releaseActions", context=self._window)

    def _act(self, source: dict[str, Any]) -> None:
        self._call("input.performActions", context=self._window, actions=[source])

    def resize(self, width: int, height: int) -> None:
        viewport = {"width": width, "height": height}
        self._call("browsingContext.setViewport", context=self._window, viewport=viewport)

    def picture(self) -> bytes:
        return base64.b64decode(self._call("browsingContext.captureScreenshot", context=self._window)["data"])


class WebKit(WebDriver):
    """Its window has a bar of its own, and is never narrower than that."""

    NARROWEST = 447

    def __init__(self, session: str) -> None:
        self._session = session

    @classmethod
    @contextmanager
    def opened(cls, browser: Browser, folder: Path) -> Iterator[Self]:
        windows = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
        if not (windows and shutil.which("WebKitWebDriver") and shutil.which("Xvfb")):
            raise Missing("WebKit (Debian’s packages webkit2gtk-driver and xvfb)")
        screen = ["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
        with running(screen, folder):
            log = folder / "Xvfb.log"
            number = until(lambda: re.search(r"(?m)^\d+$", log.read_text()), "a screen for WebKit")[0]
            port = free_port()
            with running(["WebKitWebDriver", f"--port={port}"], folder, DISPLAY=f":{number}", GDK_BACKEND="x11"):
                driver = f"http://{HOST}:{port}"
                until(lambda: _listens(driver), "WebKit’s driver")
                options = {"binary": str(windows[-1]), "args": ["--automation"]}
                wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
                session = f"{driver}/session/{_ask(f'{driver}/session', capabilities=wanted)['sessionId']}"
                try:
                    yield cls(session)
                finally:
                    _send(Request(session, method="DELETE"))

    def open(self, url: str) -> None:
        _ask(f"{self._session}/url", url=url)

    def evaluate(self, expression: str) -> Any:
        return _ask(f"{self._session}/execute/sync", script=f"return {expression}", args=[])

    def _act(self, source: dict[str, Any]) -> None:
        _ask(f"{self._session}/actions", actions=[source])

    def resize(self, width: int, height: int) -> None:
        _ask(f"{self._session}/window/rect", x=0, y=0, width=width, height=height)

    def picture(self) -> bytes:
        return base64.b64decode(_send(Request(f"{self._session}/screenshot")))


def _ask(url: str, /, **body: Any) -> Any:
    return _send(Request(url, json.dumps(body).encode()))


def _send(request: Request) -> Any:
    """Return what a driver answers. Raises AssertionError with its words where it fails."""
    try:
        with urlopen(request, timeout=CALL) as answer:
            return json.load(answer)["value"]
    except HTTPError as error:
        with error:
            raise AssertionError(f"{request.full_url}: {error.read().decode()}") from error


def _listens(driver: str) -> bool:
    try:
        return bool(_send(Request(f"{driver}/status")))
    except URLError:
        return False
