"""The folder of one managed server: where its files are, its password, its ports, and whether a process runs on it.

What counts as "the server of this home" is a process whose command line names this home's argument file. A pid alone would not do: after a
crash another program may have it.
"""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

import platformdirs
import psutil

from graphmem.errors import ServerError


@dataclass(frozen=True, slots=True)
class State:
    """What the lock file says: the ports of the last start, and the pid of the process then started (None before it was)."""

    bolt_port: int
    http_port: int
    pid: int | None = None


@dataclass(frozen=True, slots=True)
class Home:
    """The paths below the folder of one server."""

    root: Path

    @property
    def conf(self) -> Path:
        return self.root / "conf"

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def arguments(self) -> Path:
        return self.root / "run" / "server.args"

    @property
    def state_file(self) -> Path:
        return self.root / "run" / "server.json"

    @property
    def turn_file(self) -> Path:
        """Locked by whoever is starting or stopping the server."""
        return self.root / "run" / "turn.lock"

    @property
    def password_file(self) -> Path:
        return self.root / "password"

    @property
    def log_file(self) -> Path:
        """What the server prints; its own logs lie in ``logs/``."""
        return self.root / "logs" / "server.out"


def default_home() -> Path:
    """The user's data folder for the managed server, as the platform has it."""
    return Path(platformdirs.user_data_dir("graphmem")) / "neo4j"


def prepare(root: Path) -> Home:
    """The home at this folder, made if it is not there; readable by its owner only.

    Raises:
        ServerError: the folder cannot be made or written to.
    """
    home = Home(root.expanduser().resolve())
    try:
        home.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        for folder in (home.conf, home.data, home.arguments.parent, home.log_file.parent, home.root / "import"):
            folder.mkdir(exist_ok=True, mode=0o700)
    except OSError as exc:
        raise ServerError(
            f"The folder of the managed Neo4j, {home.root}, cannot be made: {exc}. Choose another with the home setting."
        ) from exc
    return home


def read_state(home: Home) -> State | None:
    """The last start's state; None if there was none or the file was cut short."""
    try:
        return State(**json.loads(home.state_file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def write_state(home: Home, state: State) -> None:
    """Replace the lock file by one rename, so that a reader never sees half of it."""
    text = json.dumps({"bolt_port": state.bolt_port, "http_port": state.http_port, "pid": state.pid})
    _write(home.state_file, text, mode=0o600)


def find_process(home: Home, state: State | None) -> psutil.Process | None:
    """The process that runs this home's server, if any.

    The pid of the lock file is tried first. Without one, every process of the user is looked at: the process that started the server may have
    been killed before it wrote the pid down.
    """
    if state is None:
        return None
    if state.pid is not None:
        try:
            process = psutil.Process(state.pid)
        except psutil.NoSuchProcess:
            return None
        return process if _runs(home, process) else None
    return next((process for process in psutil.process_iter() if _runs(home, process)), None)


def _runs(home: Home, process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE and f"@{home.arguments}" in process.cmdline()
    except psutil.Error:
        return False


def read_password(home: Home) -> str | None:
    """The generated password; None before the first start."""
    try:
        return home.password_file.read_text(encoding="ascii").strip() or None
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise ServerError(f"The password file {home.password_file} cannot be read: {exc}.") from exc


def make_password(home: Home) -> str:
    """Generate a password and keep it in a file that only its owner may read."""
    password = secrets.token_urlsafe(24)
    _write(home.password_file, password + "\n", mode=0o600)
    return password


def has_database(home: Home) -> bool:
    """Whether a server has already run here: then a password is set in it."""
    return (home.data / "databases" / "system").is_dir()


def _write(path: Path, text: str, mode: int) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.unlink(missing_ok=True)
    with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
