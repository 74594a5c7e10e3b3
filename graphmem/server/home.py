"""The folder of one managed server: where its files are, its password, its ports, and whether a process runs on it.

What counts as "the server of this home" is a process whose command line names this home's argument file. A pid alone would not do: after a
crash another program may have it.
"""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

import platformdirs
import psutil

from graphmem.errors import ServerError
from graphmem.server.config import ports_in


@dataclass(frozen=True, slots=True)
class State:
    """What the lock file says: the ports of the last start, and the pid of the process then started (None before it was)."""

    bolt_port: int
    http_port: int
    pid: int | None = None
    log_offset: int = 0
    """Where in ``logs/neo4j.log`` the lines of the last start begin, in bytes."""


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
        """What the server prints."""
        return self.root / "logs" / "server.out"

    @property
    def neo4j_log(self) -> Path:
        """What Neo4j logs; it appends from start to start."""
        return self.root / "logs" / "neo4j.log"


def default_home() -> Path:
    """The user's data folder for the managed server, as the platform has it."""
    return Path(platformdirs.user_data_dir("graphmem")) / "neo4j"


def password_file(root: Path) -> Path:
    """Where the generated password of a home's server is kept, readable by its owner only."""
    return Home(root).password_file


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
    """The last start's state; None if there was none. If the lock file is gone or cut short, the ports are read from neo4j.conf."""
    try:
        return State(**json.loads(home.state_file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        try:
            ports = ports_in((home.conf / "neo4j.conf").read_text(encoding="utf-8"))
        except OSError:
            return None
        return None if ports is None else State(*ports)


def write_state(home: Home, state: State) -> None:
    """Replace the lock file by one rename, so that a reader never sees half of it."""
    _write(home.state_file, json.dumps(asdict(state)), mode=0o600)


def find_process(home: Home, state: State | None) -> psutil.Process | None:
    """The process that runs this home's server, if any.

    The pid of the lock file is tried first. If it is not that one, every process is looked at: the process that started the server may
    have been killed before it wrote the pid down.
    """
    if state is None:
        return None
    if state.pid is not None and psutil.pid_exists(state.pid):
        try:
            process = psutil.Process(state.pid)
        except psutil.NoSuchProcess:
            pass
        else:
            if _runs(home, process):
                return process
    return next((process for process in psutil.process_iter() if _runs(home, process)), None)


def printed(home: Home, state: State) -> str:
    """What the server printed and logged since its last start."""
    try:
        text = home.log_file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    try:
        with home.neo4j_log.open("rb") as file:
            # A shorter file is a new one: the log was rotated.
            file.seek(state.log_offset if file.seek(0, os.SEEK_END) >= state.log_offset else 0)
            return text + file.read().decode("utf-8", errors="replace")
    except OSError:
        return text


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
    # Hexadecimal: Neo4j's tool takes a word that begins with "-" for an option.
    password = secrets.token_hex(20)
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
