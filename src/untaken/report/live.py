"""--serve: the page of a campaign while it goes on, for browsers on this machine only.

The server reads the campaign's folder, as `untaken report` does, and knows nothing of the campaign beside it. It
listens on the loopback address. Its address has a secret part, since other users of the machine can connect, too.
Requests that name another host are refused: a page elsewhere could have its own name lead here (DNS rebinding).
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from untaken.errors import CampaignError, UsageError
from untaken.model.program import ProgramMap
from untaken.report.campaign_folder import read_campaign
from untaken.report.page import LIVE_POLICY, page
from untaken.report.page_data import page_data
from untaken.suite.corpus import Recipe

LOOPBACK = "127.0.0.1"
READ_SECONDS = 2.0  # between two looks at the folder, at least: campaigns write that often
ICON = "/favicon.ico"  # browsers ask for one, and call it an error if there is no answer
BEGINNING = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="1">'
    '<meta name="color-scheme" content="light dark">'
    "<title>untaken</title><p>The campaign begins.</p></html>"
)
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": LIVE_POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class LiveData:
    """What the page shows now: read again when somebody asks and the last time was a while ago."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._read = 0.0
        self._known: dict[str, Any] | None = None
        self._program: tuple[object, ProgramMap] | None = None

    def current(self) -> dict[str, Any] | None:
        """None: there is nothing to be shown yet."""
        with self._lock:
            now = time.monotonic()
            if now - self._read >= READ_SECONDS:
                self._known = self._look() or self._known
                self._read = time.monotonic()
            return self._known

    def _look(self) -> dict[str, Any] | None:
        try:
            recipe = Recipe.read(self._folder)
            path = Path(recipe.directory) / recipe.program
            built = path, path.stat().st_mtime_ns
            program = self._program[1] if self._program is not None and self._program[0] == built else None
            campaign = read_campaign(self._folder, program)
        except (CampaignError, OSError):
            return None
        self._program = built, campaign.program
        return page_data(campaign)


class LiveServer(ThreadingHTTPServer):
    """Serves the page of one campaign's folder."""

    daemon_threads = True

    def __init__(self, folder: Path, port: int) -> None:
        super().__init__((LOOPBACK, port), _Handler)
        self.data = LiveData(folder)
        self.secret = secrets.token_urlsafe(12)

    @property
    def hosts(self) -> set[str]:
        """What a browser on this machine calls us."""
        return {f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost")}

    @property
    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.server_port}/{self.secret}/"


class _Handler(BaseHTTPRequestHandler):
    """The page, and its data for a page that is open already."""

    server: LiveServer
    server_version = "untaken"
    sys_version = ""
    timeout = 30  # seconds: a connection that says nothing is not kept

    def do_GET(self) -> None:
        """`/SECRET/` is the page, `/SECRET/data` what has changed since it was sent."""
        if self.headers.get("Host") not in self.server.hosts:
            return self._send(403, "text/plain", "this is served to browsers on this machine only\n")
        if self.path == ICON:
            return self._send(204, "image/x-icon", "")
        known = self.server.data.current() if self.path.startswith(f"/{self.server.secret}/") else None
        match self.path.removeprefix(f"/{self.server.secret}/"):
            case "":
                return self._send(200, "text/html", BEGINNING if known is None else page(known, live=True))
            case "data" if known is not None:
                return self._send(200, "application/json", json.dumps({**known, "sources": None}))
            case _:
                return self._send(404, "text/plain", "there is nothing here: use the address that was printed\n")

    def _send(self, status: int, kind: str, text: str) -> None:
        content = text.encode(errors="replace")
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": f"{kind}; charset=utf-8"}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """The terminal is the campaign's."""


@contextmanager
def served(folder: Path, port: int, note: Callable[[str], None]) -> Iterator[None]:
    """Serves a folder meanwhile. Port 0 is any that is free."""
    try:
        server = LiveServer(folder, port)
    except OSError as error:
        why = f"cannot serve on port {port} ({error.strerror})"
        raise UsageError(f"{why}: choose another one with --serve-port") from None
    thread = threading.Thread(target=server.serve_forever, name="untaken --serve", daemon=True)
    thread.start()
    note(f"the campaign can be watched at {server.address}")
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
