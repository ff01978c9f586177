"""Gets the sources of Debian packages, without root and without touching the system's package lists.

The mirrors are the ones that this machine's apt is configured with; a private configuration asks them for sources
and keeps lists and downloads in a folder of its own.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

CONFIGURATION = Path("/etc/apt")
SECONDS = 600


class CannotFetch(Exception):
    """Why the sources are not to be had here."""


@dataclass(frozen=True, slots=True)
class Mirror:
    address: str
    suite: str
    components: str
    signed_by: str

    def stanza(self) -> str:
        lines = ["Types: deb-src", f"URIs: {self.address}", f"Suites: {self.suite}", f"Components: {self.components}"]
        return "\n".join([*lines, *([f"Signed-By: {self.signed_by}"] if self.signed_by else [])]) + "\n"


def fetch(package: str, folder: Path) -> Path:
    """The unpacked sources of a package; kept in the folder for the next time."""
    target = folder / package
    if target.is_dir():
        return target
    for tool in ("apt-get", "dpkg-source"):
        if shutil.which(tool) is None:
            raise CannotFetch(f"{tool} is not here: this needs Debian or Ubuntu, with the package dpkg-dev")
    downloads = folder / f"{package}.download"
    downloads.mkdir(parents=True, exist_ok=True)
    apt = private_apt(folder / "apt")
    try:
        run([*apt, "source", "--download-only", package], downloads, f"apt-get source {package} failed")
        description = next(downloads.glob("*.dsc"), None)
        if description is None:
            raise CannotFetch(f"apt-get source {package} brought no .dsc file")
    except CannotFetch:
        return released(package, apt, downloads, target)
    # Some of Debian's patches are C that only newer compilers take, so the sources stay as they were released.
    unpack = ["dpkg-source", "--no-check", "--skip-patches", "-x", description.name, str(target)]
    run(unpack, downloads, f"cannot unpack {package}")
    return target


def released(package: str, apt: list[str], downloads: Path, target: Path) -> Path:
    """The sources alone, where a mirror lacks Debian's part: old versions of that are dropped sooner."""
    run([*apt, "source", "--download-only", "--tar-only", package], downloads, f"apt-get source {package} failed")
    archive = next((path for path in sorted(downloads.iterdir()) if ".tar." in path.name), None)
    if archive is None:
        raise CannotFetch(f"apt-get source {package} brought no archive")
    target.mkdir()
    run(["tar", "-xf", archive.name, "-C", str(target), "--strip-components=1"], downloads, f"cannot unpack {package}")
    return target


def private_apt(folder: Path) -> list[str]:
    """An apt-get command with lists of its own, up to date."""
    for needed in ("state/lists/partial", "cache/archives/partial"):
        (folder / needed).mkdir(parents=True, exist_ok=True)
    sources = folder / "private.sources"
    sources.write_text("\n".join(mirror.stanza() for mirror in debian_mirrors()))
    command = ["apt-get", "-q", "-o", f"Dir::Etc::sourcelist={sources}", "-o", "Dir::Etc::sourceparts=-"]
    command += ["-o", f"Dir::State={folder}/state", "-o", f"Dir::Cache={folder}/cache", "-o", "APT::Sandbox::User="]
    run([*command, "update"], folder, "apt-get update failed: is the mirror reachable?")
    return command


def run(command: list[str], folder: Path, failure: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode:
        raise CannotFetch(f"{failure}\n{done.stderr.strip()[-600:]}")


def debian_mirrors() -> list[Mirror]:
    """The configured mirrors of the distribution itself, in both of apt's formats."""
    lists = [CONFIGURATION / "sources.list", *sorted((CONFIGURATION / "sources.list.d").glob("*.list"))]
    mirrors = [mirror for path in lists if path.is_file() for mirror in one_line_format(path.read_text())]
    for path in sorted((CONFIGURATION / "sources.list.d").glob("*.sources")):
        mirrors += stanza_format(path.read_text())
    ours = [mirror for mirror in mirrors if "main" in mirror.components.split()]
    if not ours:
        raise CannotFetch("apt is configured with no mirror of Debian or Ubuntu (see /etc/apt/sources.list)")
    # What was released does not change under us; updates do, and mirrors lag behind in them.
    return [mirror for mirror in ours if "-" not in mirror.suite] or ours


def one_line_format(text: str) -> list[Mirror]:
    """deb [options] address suite components..."""
    mirrors = []
    for line in text.splitlines():
        found = re.match(r"deb(?:-src)?\s+(?:\[(.*?)\]\s+)?(\S+)\s+(\S+)\s+([^#]+)", line)
        if found:
            key = re.search(r"signed-by=(\S+)", found[1] or "")
            mirrors.append(Mirror(found[2], found[3], found[4].strip(), key[1] if key else ""))
    return mirrors


def stanza_format(text: str) -> list[Mirror]:
    """Field: value, in paragraphs."""
    mirrors = []
    for paragraph in re.split(r"\n\s*\n", text):
        fields = {
            name.lower(): value.strip()
            for name, value in re.findall(r"^([A-Za-z-]+):[ \t]*(.*(?:\n[ \t]+.*)*)$", paragraph, re.MULTILINE)
        }
        if "uris" in fields and fields.get("enabled", "yes") != "no":
            components, key = fields.get("components", ""), fields.get("signed-by", "")
            mirrors += [
                Mirror(address, suite, components, key if "\n" not in key else "")
                for address in fields["uris"].split()
                for suite in fields.get("suites", "").split()
            ]
    return mirrors
