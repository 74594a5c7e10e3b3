"""What the managed server decides without a process: settings, Java, configuration, reasons of failure."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graphmem.errors import ConfigurationError, ServerError
from graphmem.server import NEO4J_VERSION, ServerSettings, log
from graphmem.server.config import (
    argument_file,
    configuration,
    configuration_file,
    container_environment,
    java_options,
    ports_in,
)
from graphmem.server.java import Java, choose_java, inspect


def fake_java(folder: Path, version: str, modules: str = "java.base") -> Path:
    """A Java home with a release file, which is all that is read of it."""
    executable = folder / "bin" / "java"
    executable.parent.mkdir(parents=True)
    executable.write_text("")
    (folder / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\nMODULES="{modules}"\n')
    return executable


def test_a_java_is_known_by_its_release_file(tmp_path: Path) -> None:
    executable = fake_java(tmp_path / "j", "25.0.3", "java.base jdk.incubator.vector")
    assert inspect(executable) == Java(executable, 25, True)
    assert inspect(fake_java(tmp_path / "old", "1.8.0_392")) == Java(tmp_path / "old/bin/java", 8, False)
    assert inspect(tmp_path / "nowhere") is None


def test_a_java_that_is_too_old_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="is Java 17; Neo4j needs 21"):
        choose_java(fake_java(tmp_path / "j", "17.0.15"))
    with pytest.raises(ServerError, match="does not run as one"):
        choose_java(tmp_path / "nowhere")


def test_without_a_choice_a_java_is_found() -> None:
    assert choose_java().version >= 21


def test_the_vector_module_and_the_unsafe_switch_are_used_only_where_java_has_them() -> None:
    old = java_options(Java(Path("java"), 21, False), 512, [Path("a.jar"), Path("b.jar")])
    new = java_options(Java(Path("java"), 25, True), 512, [Path("a.jar")])
    assert not {"--add-modules=jdk.incubator.vector", "--sun-misc-unsafe-memory-access=allow"} & set(old)
    assert {"--add-modules=jdk.incubator.vector", "--sun-misc-unsafe-memory-access=allow", "-Xmx512m"} <= set(new)
    assert old[-2:] == ["-cp", "a.jar:b.jar"]


def test_every_listener_is_on_the_loopback_address() -> None:
    settings = configuration(ServerSettings(), 1111, 2222)
    listeners = {name: value for name, value in settings.items() if name.endswith("listen_address")}
    assert len(listeners) == 3
    assert all(value.startswith("127.0.0.1") for value in listeners.values())
    assert settings["dbms.security.auth_enabled"] == "true"


def test_the_limits_follow_the_heap_and_the_ports_can_be_read_back() -> None:
    settings = configuration(ServerSettings(heap_mb=1024), 1111, 2222)
    assert (settings["db.memory.transaction.max"], settings["dbms.memory.transaction.total.max"]) == ("256m", "512m")
    assert ports_in(configuration_file(ServerSettings(), 1111, 2222)) == (1111, 2222)
    assert ports_in("server.bolt.enabled=true\n") is None


def test_an_argument_file_quotes_blanks_and_backslashes() -> None:
    assert argument_file(["-cp", 'C:\\my "jars"\\a.jar']) == '"-cp"\n"C:\\\\my \\"jars\\"\\\\a.jar"\n'


@pytest.mark.parametrize(
    ("field", "value"),
    [("heap_mb", 100), ("page_cache_mb", 0), ("bolt_port", 0), ("http_port", 70000), ("start_timeout_s", -1)],
)
def test_a_setting_out_of_range_is_refused_with_its_value(field: str, value: int) -> None:
    with pytest.raises(ConfigurationError, match=str(value)):
        ServerSettings(**{field: value})


PRINTED = """WARNING: Using incubator modules: jdk.incubator.vector
2026-11-30 01:00:00.000+0000 INFO  Starting...
{reason}
\tat java.base/java.lang.Thread.run(Thread.java:1474)
"""


@pytest.mark.parametrize(
    ("reason", "advice"),
    [
        ("java.io.IOException: No space left on device", "The disk is full"),
        (
            "Optional[FileLockException: Lock file has been locked by another process: x]",
            "Another process has the database",
        ),
        ("PortBindException: An error occurred while trying to bind to the socket /127.0.0.1:1", "took the port"),
        (
            "Error occurred during initialization: Could not reserve enough space for object heap",
            "heap setting smaller",
        ),
        ("java.nio.file.AccessDeniedException: data", "belongs to another user"),
    ],
)
def test_the_reason_of_a_failed_start_is_read_from_the_log(reason: str, advice: str) -> None:
    printed = PRINTED.format(reason=reason)
    assert advice in (log.cause(printed) or "")
    lines = log.useful_lines(printed)
    assert reason.removeprefix("Optional[").removesuffix("]") in lines
    assert "Thread.java" not in lines
    assert "incubator" not in lines


def test_a_log_without_a_known_reason_gives_its_last_lines() -> None:
    printed = PRINTED.format(reason="2026-11-30 INFO Stopped.")
    assert log.cause(printed) is None
    assert log.useful_lines(printed).splitlines()[-1].endswith("Stopped.")


def test_the_container_has_the_same_version_and_settings_as_the_managed_server() -> None:
    compose = (Path(__file__).parents[2] / "docker-compose.yml").read_text()
    written = dict(re.findall(r'^ {6}(NEO4J_\w+): "(.*)"$', compose, flags=re.MULTILINE))
    assert f"image: neo4j:{NEO4J_VERSION}-community" in compose
    extra = {"NEO4J_AUTH", "NEO4J_dbms_security_http__access__control__allow__origin"}
    assert {name: value for name, value in written.items() if name not in extra} == container_environment(
        ServerSettings()
    )
    assert extra <= written.keys()
    assert container_environment(ServerSettings())["NEO4J_db_tx__log_rotation_size"] == "4m"
