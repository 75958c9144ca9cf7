"""A server under test: started, used as a client uses it, and checked with every message.

The pytest plugin hands it out as `mcp_server`; other test suites use it as a context manager::

    with Server(["python", "server.py"]) as server:
        assert server.call_tool("add", {"a": 1, "b": 2}).text == "3"
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from mcp_assay._options import Options, names, raises_warnings
from mcp_assay._program import AssayError, find_program

T = TypeVar("T")

# pytest shows the line of the test, not those of this module.
__tracebackhide__ = True


class ServerError(AssertionError):
    """A command failed; `kind` and `details` are those of docs/harness.md."""

    def __init__(self, message: str, kind: str, details: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.kind = kind
        self.details = details


class ProtocolViolation(ServerError):
    """A message of the server breaks a rule; `violations` has all that are new."""

    def __init__(self, violations: list[dict[str, Any]]) -> None:
        first, rest = violations[0], len(violations) - 1
        more = f" (and {rest} more)" if rest else ""
        super().__init__(_line(first) + more, "violation", {"violations": violations})
        self.violations = violations


class ProtocolWarning(UserWarning):
    """A message of the server breaks a rule that the specification only recommends."""


class ToolResult(dict[str, Any]):
    """The result of a call, as the server sent it."""

    @property
    def text(self) -> str:
        """The texts of its content, line by line."""
        content = self.get("content") or []
        return "\n".join(it["text"] for it in content if it.get("type") == "text")

    @property
    def is_error(self) -> bool:
        return self.get("isError") is True

    @property
    def structured(self) -> Any:
        return self.get("structuredContent")


class Server:
    """A server under test.

    The first command makes the handshake. A command fails as soon as a message of the server
    breaks a rule (error level); warnings are shown, and fail with `strict="should"`.
    """

    def __init__(
        self,
        command: str | Sequence[str] | None = None,
        *,
        url: str | None = None,
        headers: Mapping[str, str] | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        timeout: float | None = None,
        **options: Any,
    ) -> None:
        """Starts the server. `timeout` is that of each answer, in seconds."""
        unknown = set(options) - Options.__annotations__.keys()
        if unknown:
            raise TypeError(f"unknown option {sorted(unknown)[0]!r}")
        self.command = split(command) if command is not None else None
        self.url = url
        self._fails_on = {"error"}
        if raises_warnings(options.get("strict") or "must"):
            self._fails_on.add("warning")
        flags = _flags(options, timeout)
        if url is not None:
            flags += ["--url", url]
            for name, value in (headers or {}).items():
                flags += ["--header", f"{name}: {value}"]
        elif self.command:
            flags += ["--", *self.command]
        else:
            raise TypeError("a server is a command or a url")
        self._process = subprocess.Popen(
            [find_program(), "probe", "--serve-json", "--no-strict", *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=None if env is None else {**os.environ, **env},
            cwd=cwd,
        )
        self._complaints: list[str] = []
        self._reader = threading.Thread(target=self._read_complaints, daemon=True)
        self._reader.start()
        self._lock = threading.Lock()
        self._checked = 0
        self._has_listed = False
        self._handshake: dict[str, Any] | None = None
        self.is_closed = False
        self._traffic: list[dict[str, Any]] = []

    def initialize(self) -> dict[str, Any]:
        """The result of the handshake, which is made once."""
        if self._handshake is None:
            self._handshake = self._run("initialize")
        return self._handshake

    def list_tools(self) -> list[dict[str, Any]]:
        """All tools, page by page."""
        result: list[dict[str, Any]] = self._use("list_tools")
        return result

    def expect_tool(
        self,
        name: str,
        *,
        arguments: Iterable[str] = (),
        required: Iterable[str] = (),
        read_only: bool = False,
        output_schema: bool = False,
    ) -> dict[str, Any]:
        """The tool; fails if it is not listed, or lacks what is expected of it."""
        expected = {"arguments": list(arguments), "required": list(required)}
        flags = {"read_only": read_only, "output_schema": output_schema}
        result: dict[str, Any] = self._use("expect_tool", name=name, **expected, **flags)
        return result

    def call_tool(self, name: str, arguments: Mapping[str, Any] | None = None) -> ToolResult:
        """Calls a tool. Tools are listed before the first call, so that its result is checked."""
        return ToolResult(self._use("call_tool", name=name, arguments=dict(arguments or {})))

    def list_resources(self) -> list[dict[str, Any]]:
        result: list[dict[str, Any]] = self._use("list_resources")
        return result

    def read_resource(self, uri: str) -> list[dict[str, Any]]:
        result: list[dict[str, Any]] = self._use("read_resource", uri=uri)
        return result

    def list_prompts(self) -> list[dict[str, Any]]:
        result: list[dict[str, Any]] = self._use("list_prompts")
        return result

    def get_prompt(self, name: str, arguments: Mapping[str, str] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = self._use("get_prompt", name=name, arguments=dict(arguments or {}))
        return result

    def ping(self) -> None:
        self._use("ping")

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """The result of any request."""
        return self._use("request", method=method, **_params(params))

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        self._use("notify", method=method, **_params(params))

    def expect_error(
        self, code: int, method: str, params: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The error that the server answers a request with; fails if it has another code."""
        result: dict[str, Any] = self._use("expect_error", code=code, method=method, **_params(params))
        return result

    def on_request(self, method: str, result: Any) -> None:
        """Answers requests of the server from now on; before the handshake, declares that."""
        self._run("on_request", method=method, result=result)

    def notifications(self, method: str) -> list[dict[str, Any]]:
        """Those that the server sent so far."""
        result: list[dict[str, Any]] = self._use("notifications", method=method)
        return result

    def violations(self) -> list[dict[str, Any]]:
        """All violations so far, warnings and notes included."""
        result: list[dict[str, Any]] = self._ask("violations")["result"]
        return result

    def stderr(self) -> Any:
        """The last lines of the server on standard error."""
        return self._ask("stderr")["result"]

    def traffic(self) -> list[dict[str, Any]]:
        """Everything that passed, as the records of a capture that `mcp-assay check` reads."""
        if not self.is_closed:
            self._traffic = self._ask("traffic")["result"]
        return self._traffic

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the traffic as a capture, readable by its owner alone."""
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            for record in self.traffic():
                file.write(json.dumps(record, ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Ends the server, and checks its last messages."""
        if self.is_closed:
            return
        try:
            if self._process.poll() is None:
                self._run("close")
        finally:
            self.kill()

    def kill(self) -> None:
        """Ends the server without a check; what passed is kept."""
        if self.is_closed:
            return
        try:
            self.traffic()
        except (ServerError, AssayError):
            pass
        self.is_closed = True
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.close()
            self._process.wait(timeout=10)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._reader.join()

    async def ainitialize(self) -> dict[str, Any]:
        return await _in_thread(self.initialize)

    async def alist_tools(self) -> list[dict[str, Any]]:
        return await _in_thread(self.list_tools)

    async def aexpect_tool(self, name: str, **expected: Any) -> dict[str, Any]:
        return await _in_thread(lambda: self.expect_tool(name, **expected))

    async def acall_tool(self, name: str, arguments: Mapping[str, Any] | None = None) -> ToolResult:
        return await _in_thread(lambda: self.call_tool(name, arguments))

    async def aread_resource(self, uri: str) -> list[dict[str, Any]]:
        return await _in_thread(lambda: self.read_resource(uri))

    async def aget_prompt(
        self, name: str, arguments: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        return await _in_thread(lambda: self.get_prompt(name, arguments))

    async def arequest(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        return await _in_thread(lambda: self.request(method, params))

    async def aping(self) -> None:
        await _in_thread(self.ping)

    async def aclose(self) -> None:
        await _in_thread(self.close)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.kill()

    def _use(self, command: str, **members: Any) -> Any:
        """Runs a command of a server that has made its handshake."""
        capabilities = self.initialize().get("capabilities") or {}
        if command == "list_tools":
            self._has_listed = True
        if command == "call_tool" and "tools" in capabilities and not self._has_listed:
            self._has_listed = True
            self._run("list_tools")
        return self._run(command, **members)

    def _run(self, command: str, **members: Any) -> Any:
        """Runs a command. Violations are graver than the failure that they cause."""
        answer = self._ask(command, **members)
        self._check()
        if answer["ok"]:
            return answer["result"]
        error = answer["error"]
        raise ServerError(error["message"], error["kind"], error)

    def _check(self) -> None:
        """Raises the violations that are new."""
        found = self.violations()
        new, self._checked = found[self._checked :], len(found)
        failures = [it for it in new if it["level"] in self._fails_on]
        for violation in new:
            if violation["level"] == "warning" and violation not in failures:
                warnings.warn(ProtocolWarning(_line(violation)), stacklevel=5)
        if failures:
            raise ProtocolViolation(failures)

    def _ask(self, command: str, **members: Any) -> dict[str, Any]:
        if self.is_closed:
            raise AssayError("the server is closed")
        assert self._process.stdin is not None and self._process.stdout is not None
        line = ""
        with self._lock:
            try:
                self._process.stdin.write(json.dumps({"command": command, **members}) + "\n")
                self._process.stdin.flush()
                line = self._process.stdout.readline()
            except BrokenPipeError:
                pass
        if not line:
            self._process.wait()
            self._reader.join()
            complaint = "".join(self._complaints).strip().removeprefix("error: ")
            raise AssayError(complaint or "mcp-assay ended")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _read_complaints(self) -> None:
        """Keeps the last lines of the program on standard error."""
        assert self._process.stderr is not None
        with self._process.stderr as stderr:
            for line in stderr:
                self._complaints = [*self._complaints[-50:], line]


def split(command: str | Sequence[str]) -> list[str]:
    """The words of a command; `python` is the interpreter that runs the tests."""
    words = shlex.split(command) if isinstance(command, str) else list(command)
    if words and words[0] in ("python", "python3"):
        words[0] = sys.executable
    return words


def _flags(options: Mapping[str, Any], timeout: float | None) -> list[str]:
    flags = []
    for key in ("select", "ignore"):
        for name in names(options.get(key) or ()):
            flags += [f"--{key}", name]
    for key in ("revision", "profile"):
        if options.get(key):
            flags += [f"--{key}", os.fspath(options[key])]
    if timeout is not None:
        flags += ["--step-timeout", str(timeout)]
    return flags


def _params(params: Mapping[str, Any] | None) -> dict[str, Any]:
    return {} if params is None else {"params": dict(params)}


def _line(violation: Mapping[str, Any]) -> str:
    headline = violation["headline"].splitlines()[0]
    return f"{headline.removeprefix('strict mode: ')} [{violation['rule']}]"


async def _in_thread(call: Callable[[], T]) -> T:
    """Waits for a call without blocking the loop: that of asyncio, or of trio by anyio."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        import anyio.to_thread

        return await anyio.to_thread.run_sync(call)
    return await asyncio.to_thread(call)
