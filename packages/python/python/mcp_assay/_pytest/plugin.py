"""Fixtures and options of the pytest plugin: `mcp_server`, `mcp_server_factory`, `--mcp-probe`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.harness import ProtocolViolation, Server

_SERVERS = pytest.StashKey[list[Server]]()

_KEYS = {
    "command": "the command of the MCP server under test",
    "url": "the URL of the MCP server under test",
    "revision": "the revision of MCP to speak",
    "strict": 'what fails a test: "must" (errors only) or "should" (warnings, too)',
    "select": "rules, families, layers or levels of MCP that are checked",
    "ignore": "rules, families, layers or levels of MCP that are not checked",
    "profile": "a dialect of MCP: the name or file of a profile",
    "timeout": "seconds that an answer of the MCP server may take",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mcp", "Model Context Protocol")
    for name, text in _KEYS.items():
        group.addoption(f"--mcp-{name}", metavar=name.upper(), help=text)
        parser.addini(f"mcp_{name}", text)
    text = "probe the MCP server under test: one test for each rule"
    group.addoption("--mcp-probe", action="store_true", help=text)


def pytest_configure(config: pytest.Config) -> None:
    text = "mcp(command, *, url, strict, ...): the MCP server of the fixture mcp_server"
    config.addinivalue_line("markers", text)


@pytest.fixture
def mcp_server_factory(request: pytest.FixtureRequest) -> Iterator[Callable[..., Server]]:
    """Starts servers: `mcp_server_factory("python server.py", strict="should")`."""
    servers = request.node.stash.setdefault(_SERVERS, [])

    def start(command: Any = None, **given: Any) -> Server:
        if command is not None:
            given["command"] = command
        settings = {**_settings(request.config), **given}
        if "url" in given or "command" in given:
            settings.pop("command" if given.get("url") else "url", None)
        server = Server(**settings)
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.kill()


@pytest.fixture
def mcp_server(
    request: pytest.FixtureRequest, mcp_server_factory: Callable[..., Server]
) -> Server:
    """The server of `@pytest.mark.mcp`, or of `--mcp-command`, `--mcp-url` and their ini keys."""
    marker = request.node.get_closest_marker("mcp")
    args, given = (marker.args, marker.kwargs) if marker else ((), {})
    settings = {**_settings(request.config), **given}
    if not args and not settings.get("command") and not settings.get("url"):
        pytest.fail(
            'no MCP server: mark the test with @pytest.mark.mcp("COMMAND"), or give --mcp-command, '
            "--mcp-url or the ini keys mcp_command, mcp_url",
            pytrace=False,
        )
    return mcp_server_factory(*args, **given)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Fails a test whose server broke a rule that no command has reported."""
    __tracebackhide__ = True
    result = yield
    for server in item.stash.get(_SERVERS, []):
        if not server.is_closed:
            # A test that only asks for the server tests its handshake.
            server.initialize()
            server.close()
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds the capture of each server to the report of a failure, with the command to check it."""
    report = yield
    if not report.failed:
        return report
    servers = item.stash.get(_SERVERS, [])
    for number, server in enumerate(servers):
        server.kill()
        if not server.traffic():
            continue
        path = _capture(item, number)
        server.save(path)
        lines = [f"capture: {path}", f"check it: mcp-assay check {shlex.quote(str(path))}"]
        if call.excinfo is not None and isinstance(call.excinfo.value, ProtocolViolation):
            for violation in call.excinfo.value.violations:
                lines.append(f"help: {violation['help']}")
                lines.append(f"rule: mcp-assay explain {violation['rule']}")
        report.sections.append(("mcp-assay", "\n".join(dict.fromkeys(lines))))
    return report


def pytest_collection(session: pytest.Session) -> None:
    """Probes the server before the collection, once."""
    if session.config.getoption("--mcp-probe"):
        from mcp_assay._pytest import probe

        session.config.pluginmanager.register(probe.Probe(_settings(session.config)), "mcp-probe")


def _settings(config: pytest.Config) -> dict[str, Any]:
    """The options that are given: on the command line, or else in the ini file."""
    settings = {}
    for name in _KEYS:
        value = config.getoption(f"--mcp-{name}") or config.getini(f"mcp_{name}")
        if value:
            settings[name] = float(value) if name == "timeout" else value
    if config.getoption("--mcp-url"):
        settings.pop("command", None)
    elif "command" in settings:
        settings.pop("url", None)
    return settings


def _capture(item: pytest.Item, number: int) -> Path:
    """The file of the capture of a server of a test."""
    assert item.config.cache is not None
    folder = item.config.cache.mkdir("mcp-assay")
    name = re.sub(r"[^\w.-]+", "-", item.nodeid)[-150:].strip("-")
    return folder / (f"{name}.ndjson" if number == 0 else f"{name}.{number + 1}.ndjson")
