"""Shared helpers: messages of a small session, and folders of tests that pytester runs."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

import mcp_assay

pytest_plugins = ["pytester"]

SERVERS = Path(__file__).parent / "servers"


@pytest.fixture
def servers() -> Path:
    return SERVERS


@pytest.fixture
def program():
    """Runs the program of the wheel."""

    def run(*arguments, **given):
        command = [mcp_assay.find_program(), *map(str, arguments)]
        given = {"capture_output": True, "encoding": "utf-8", **given}
        return subprocess.run(command, check=False, **given)

    return run


def command(name: str, *arguments: str) -> str:
    return " ".join([sys.executable, str(SERVERS / name), *arguments])


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
