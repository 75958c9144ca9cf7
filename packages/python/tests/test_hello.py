"""Hello-world servers of the SDKs are green with default settings."""

import importlib.util
import sys
import warnings

import pytest
from conftest import SERVERS

from mcp_assay.harness import ProtocolWarning, Server

NAMES = ["sdk.py"] + (["fast.py"] if importlib.util.find_spec("fastmcp") else [])


@pytest.mark.parametrize("name", NAMES)
def test_a_hello_world_server_is_green(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ProtocolWarning)
        with Server([sys.executable, str(SERVERS / name)], timeout=60) as server:
            server.expect_tool("greet", required=["name"])
            assert server.call_tool("greet", {"name": "Ada"}).text == "Hello, Ada!"
            if name == "sdk.py":
                assert server.read_resource("hello://world")[0]["text"] == "world"
                assert server.get_prompt("ask", {"topic": "rust"})["messages"]
            server.ping()
