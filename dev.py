#!/usr/bin/env python3
"""Set up and run, from a fresh clone, with nothing but Python.

    python3 dev.py demo [...]    set up, then `graphmem demo`
    python3 dev.py test [...]    set up, then lint, types and tests; further arguments go to pytest
    python3 dev.py run ...       set up, then `graphmem ...`
    python3 dev.py setup         only set up
    python3 dev.py lock          make requirements.lock anew after a change of dependencies in pyproject.toml

Set-up makes .venv, installs what requirements.lock names (each file checked against its hash) and this project beside it. It is
skipped while neither file has changed. Only the standard library is used here.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
LOCK = ROOT / "requirements.lock"
PROJECT = ROOT / "pyproject.toml"
STAMP = VENV / "set-up-from"
OLDEST = (3, 11)
# What an editable install without build isolation needs beside the project's own dependencies.
BUILD = "hatchling>=1.27\neditables>=0.5\n"
# By file, since the tests of a file share what they set up, and in the order of the files, which has the long ones first.
IN_PARALLEL = ("-n", "2", "--dist", "loadfile", "--no-loadscope-reorder")


def main(arguments: list[str]) -> int:
    if sys.version_info < OLDEST:
        return fail(
            f"Python {'.'.join(map(str, OLDEST))} or newer is needed; this is {sys.version.split()[0]} ({sys.executable})."
        )
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if command == "demo":
        # The demo says what to type next, and is to say it as it was started.
        os.environ["STARTED_AS"] = f"python3 {sys.argv[0]} run"
        return set_up() or run(tool("graphmem"), "demo", *rest)
    if command == "run":
        return set_up() or run(tool("graphmem"), *rest)
    if command == "setup":
        return set_up()
    if command == "test":
        return set_up() or test(rest)
    if command == "lock":
        return lock(rest)
    print(__doc__)
    return 0 if command in ("-h", "--help", "help") else 2


def set_up() -> int:
    """Bring .venv to what the lock and the project file say; 0 if it is."""
    wanted = fingerprint()
    if STAMP.exists() and STAMP.read_text(encoding="utf-8") == wanted:
        return 0
    missing = unlocked()
    if missing:
        return fail(f"{LOCK.name} lacks {', '.join(missing)}, which {PROJECT.name} names. Run `python3 dev.py lock`.")
    if not python().exists():
        if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
            return fail(
                f"This Python ({sys.executable}) was installed without the modules venv and ensurepip. "
                "Install them (on Debian and Ubuntu: apt install python3-venv), then run this again."
            )
        say("Making .venv")
        if run(sys.executable, "-m", "venv", VENV) != 0:
            return fail(
                "The virtual environment could not be made; the lines above say why. Remove .venv and run this again."
            )
    pip = (python(), "-m", "pip", "--disable-pip-version-check", "--quiet")
    say("Installing the dependencies (only the first time: about 300 MB, some minutes)")
    if run(*pip, "install", "--require-hashes", "-r", LOCK) != 0:
        return fail(
            "The dependencies could not be installed; the lines above say why. Check the network and run this again."
        )
    if run(*pip, "install", "--no-deps", "--no-build-isolation", "--editable", ROOT) != 0:
        return fail("The project itself could not be installed; the lines above say why.")
    STAMP.write_text(wanted, encoding="utf-8")
    say("Ready")
    return 0


def test(arguments: list[str]) -> int:
    """Lint, types, tests: all three are run, whatever fails."""
    steps: dict[str, tuple[str | Path, ...]] = {
        "Lint": (tool("ruff"), "check", "."),
        "Format": (tool("ruff"), "format", "--check", "."),
        "Types": (tool("mypy"),),
        "Tests": (python(), "-m", "pytest", *IN_PARALLEL, *arguments),
    }
    failed = []
    for name, command in steps.items():
        say(name)
        if run(*command) != 0:
            failed.append(name.lower())
    return fail(f"Failed: {', '.join(failed)}.") if failed else 0


def lock(arguments: list[str]) -> int:
    """Resolve pyproject.toml for every platform into requirements.lock, with hashes and without any address."""
    if not tool("uv").exists() and run(python(), "-m", "pip", "--quiet", "install", "uv") != 0:
        return fail("uv, which makes the lock, could not be installed into .venv. Run `python3 dev.py setup` first.")
    options = [
        "--extra",
        "dev",
        "--universal",
        "--generate-hashes",
        "--no-header",
        "--no-emit-index-url",
        "--no-emit-find-links",
    ]
    command: list[str | Path] = [
        tool("uv"),
        "pip",
        "compile",
        "--quiet",
        PROJECT.name,
        "-",
        *options,
        "--output-file",
        LOCK.name,
        *arguments,
    ]
    if subprocess.run(command, cwd=ROOT, input=BUILD, text=True, check=False).returncode != 0:
        return fail("The lock could not be made; the lines above say why.")
    text = LOCK.read_text(encoding="utf-8")
    if "://" in text:
        return fail("requirements.lock names an address, and it must not. Look for '://' in it.")
    say(f"{LOCK.name}: {sum('==' in line for line in text.splitlines())} packages")
    return 0


def unlocked() -> list[str]:
    """The dependencies of the project file that the lock does not hold."""
    import tomllib  # not above: an older Python has none, and shall get as far as the message in main

    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    wanted = {name(line) for line in [*project["dependencies"], *project["optional-dependencies"]["dev"]]}
    return sorted(wanted - {name(line) for line in LOCK.read_text(encoding="utf-8").splitlines() if "==" in line})


def name(requirement: str) -> str:
    """The package a requirement is about, in the spelling of the index."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement.strip(), maxsplit=1)[0]).lower()


def fingerprint() -> str:
    """What the set-up depends on: this Python, the lock and the project file."""
    digest = hashlib.sha256(sys.version.encode())
    for file in (LOCK, PROJECT):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def python() -> Path:
    return tool("python")


def tool(name: str) -> Path:
    """An executable of .venv."""
    return VENV / "Scripts" / f"{name}.exe" if os.name == "nt" else VENV / "bin" / name


def run(*command: str | Path) -> int:
    try:
        return subprocess.run(command, cwd=ROOT, check=False).returncode
    except KeyboardInterrupt:
        return 130


def say(text: str) -> None:
    print(f"· {text}", flush=True)


def fail(text: str) -> int:
    print(text, file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
