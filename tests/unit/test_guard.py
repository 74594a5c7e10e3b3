"""Tests cannot leave the machine, and hold no key."""

from __future__ import annotations

import os
import socket

import pytest

from graphmem.providers.chat import ChatMessage
from graphmem.providers.openai_chat import ChatSettings, OpenAIChat
from graphmem.providers.service import ServiceSettings
from tests.service import Service
from tests.service.fixture import service
from tests.service.guard import LeftTheMachine, only_loopback, stays_here

__all__ = ["only_loopback", "service"]

ELSEWHERE = "192.0.2.1"
"""An address that documents use and nobody has (RFC 5737)."""


def test_a_connection_to_another_machine_fails() -> None:
    with socket.socket() as one, pytest.raises(LeftTheMachine, match=r"192\.0\.2\.1"):
        one.connect((ELSEWHERE, 443))
    with socket.socket() as one, pytest.raises(LeftTheMachine):
        one.connect_ex((ELSEWHERE, 443))


async def test_a_client_cannot_reach_a_service_elsewhere() -> None:
    chat = OpenAIChat(ChatSettings(ServiceSettings(f"http://{ELSEWHERE}/v1", "none", attempts=1), "gpt-4o-mini"))
    with pytest.raises(ExceptionGroup) as raised:
        await chat.step("answer", [ChatMessage("user", "Hello?")], [])
    assert raised.group_contains(LeftTheMachine)


def test_loopback_is_reached(service: Service) -> None:
    with socket.socket() as one:
        one.connect(("127.0.0.1", int(service.address.rpartition(":")[2])))
    assert stays_here(("::1", 80, 0, 0))
    assert stays_here("/run/docker.sock")
    assert not stays_here(("example.org", 80))


def test_no_key_is_in_the_environment() -> None:
    assert not [name for name in os.environ if name.endswith("_API_KEY")]
