"""What the server is told: neo4j.conf and the options of its Java machine. Pure: settings in, text out.

Each setting was tried on 2026.08.1. ``server.memory.heap.*`` is missing on purpose: without Neo4j's start script it has no effect;
-Xmx is what counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from graphmem.server.java import Java
from graphmem.server.settings import ServerSettings

NEO4J_VERSION = "2026.08.1"
MAIN_CLASS = "org.neo4j.server.Neo4jCommunity"
ADMIN_CLASS = "org.neo4j.cli.AdminTool"
HOST = "127.0.0.1"

_FIXED = {
    # Never without the password; by bolt and http, on the addresses given below.
    "server.https.enabled": "false",
    "server.http.x_forward.enabled": "false",
    "dbms.security.auth_enabled": "true",
    # Nothing is reported to anybody.
    "dbms.usage_report.enabled": "false",
    "dbms.fleet_manager.enabled": "false",
    "server.fleet_discovery.enabled": "false",
    "client.allow_telemetry": "false",
    # A query reads the graph, not this machine's files or network.
    "dbms.security.allow_csv_import_from_file_urls": "false",
    "internal.dbms.cypher_ip_blocklist": "0.0.0.0/0,::/0",
    "dbms.security.procedures.allowlist": (
        "db.index.*,db.awaitIndex*,db.labels,db.relationshipTypes,db.propertyKeys,db.schema.*,db.info,db.ping,"
        "dbms.components,dbms.info,dbms.listCapabilities,dbms.routing.getRoutingTable"
    ),
    "server.directories.import": "import",
    # The query log would hold every parameter, that is, what people said.
    "db.logs.query.enabled": "OFF",
    "db.query.default_language": "CYPHER_25",
    # A fresh home of 2 MB instead of 517, and a stop in under a second instead of eleven.
    "db.tx_log.rotation.size": "4m",
    "db.tx_log.preallocate": "false",
    "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",
    "db.shutdown_transaction_end_timeout": "2s",
    "server.bolt.thread_pool_max_size": "40",
    "db.transaction.monitor.check.interval": "1s",
}
# The image sets the folder itself.
_NOT_IN_CONTAINER = frozenset({"server.directories.import"})


def configuration(settings: ServerSettings, bolt_port: int, http_port: int) -> dict[str, str]:
    """All settings of neo4j.conf for these ports."""
    return {
        **_FIXED,
        **_limits(settings),
        "server.default_listen_address": HOST,
        "server.default_advertised_address": HOST,
        "server.bolt.listen_address": f"{HOST}:{bolt_port}",
        "server.bolt.advertised_address": f"{HOST}:{bolt_port}",
        "server.http.listen_address": f"{HOST}:{http_port}",
        "server.http.advertised_address": f"{HOST}:{http_port}",
        # Neo4j's own default is "*": then any web page open in the user's browser may talk to the server.
        "dbms.security.http_access_control_allow_origin": f"http://{HOST}:{http_port}",
    }


def _limits(settings: ServerSettings) -> dict[str, str]:
    return {
        "server.memory.pagecache.size": f"{settings.page_cache_mb}m",
        "db.memory.transaction.max": f"{settings.heap_mb // 4}m",
        "dbms.memory.transaction.total.max": f"{settings.heap_mb // 2}m",
        "db.transaction.timeout": f"{settings.transaction_timeout_s}s",
    }


def container_environment(settings: ServerSettings) -> dict[str, str]:
    """The same settings as environment variables of Neo4j's container image, which listens inside on its own defaults.

    The image turns ``NEO4J_a_b__c`` into ``a.b_c``, and starts Neo4j with its script, so that the heap setting has its effect there.
    """
    limits = {**_limits(settings), "server.memory.heap.max_size": f"{settings.heap_mb}m"}
    chosen = {name: value for name, value in {**_FIXED, **limits}.items() if name not in _NOT_IN_CONTAINER}
    return {"NEO4J_" + name.replace("_", "__").replace(".", "_"): value for name, value in chosen.items()}


def configuration_file(settings: ServerSettings, bolt_port: int, http_port: int) -> str:
    """The text of neo4j.conf."""
    lines = [f"{name}={value}\n" for name, value in configuration(settings, bolt_port, http_port).items()]
    return "# Written anew by graphmem at every start; changes made here are lost.\n" + "".join(lines)


def ports_in(text: str) -> tuple[int, int] | None:
    """The Bolt and HTTP ports that a neo4j.conf names; None if it is not one of ours."""
    found = [re.search(rf"^server\.{kind}\.listen_address=.*:(\d+)$", text, re.MULTILINE) for kind in ("bolt", "http")]
    bolt, http = found
    return None if bolt is None or http is None else (int(bolt[1]), int(http[1]))


def java_options(java: Java, heap_mb: int, jars: Sequence[Path]) -> list[str]:
    """Options of the Java machine, class path included."""
    options = [
        f"-Xmx{heap_mb}m",
        "-XX:+UseSerialGC",
        "-XX:+ExitOnOutOfMemoryError",
        "-Dfile.encoding=UTF-8",
        "-Djava.awt.headless=true",
        "--enable-native-access=ALL-UNNAMED",
        *(
            f"--add-opens=java.base/{package}=ALL-UNNAMED"
            for package in ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
        ),
    ]
    if java.version >= 23:
        options.append("--sun-misc-unsafe-memory-access=allow")
    if java.has_vector_module:
        options.append("--add-modules=jdk.incubator.vector")
    separator = ";" if java.executable.suffix.lower() == ".exe" else ":"
    return [*options, "-cp", separator.join(map(str, jars))]


def argument_file(options: Sequence[str]) -> str:
    """The text of a Java @argument file: one quoted option a line, since a class path of 176 jars is too long for some command lines."""
    return "".join('"{}"\n'.format(option.replace("\\", "\\\\").replace('"', '\\"')) for option in options)
