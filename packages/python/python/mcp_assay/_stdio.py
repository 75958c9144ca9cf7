"""Standard input and output of a server, checked below the SDK, where the bytes are."""

from __future__ import annotations

import io
import os
import sys
import threading
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from mcp_assay import _native
from mcp_assay._options import Mode, Options, normalised
from mcp_assay._report import Report, deliver, to_stderr

if TYPE_CHECKING:
    import anyio

# Bytes that are read at once.
_CHUNK = 64 << 10


class Stdio(NamedTuple):
    """The streams for `mcp.server.stdio.stdio_server(stdin=, stdout=)`."""

    stdin: anyio.AsyncFile[str]
    stdout: anyio.AsyncFile[str]


def stdio(
    mode: Mode = "shadow",
    *,
    report: Report = to_stderr,
    stdin: IO[bytes] | None = None,
    stdout: IO[bytes] | None = None,
    **options: Any,
) -> Stdio:
    """Checks a server that is built with the official SDK::

        async with stdio_server(*mcp_assay.stdio("enforce")) as (read, write):
            ...

    In `shadow` every byte passes as it is, and `report` gets each message with violations; by
    default it shows them on standard error. In `enforce` no message with an error passes: the
    sender of a request gets an error in answer. The options are those of `Session`.
    """
    import anyio

    lines = _native.Lines(mode, normalised(Options(**options)))  # type: ignore[typeddict-item]
    wire = _Wire(
        lines,
        report,
        sys.stdin.buffer if stdin is None else stdin,
        sys.stdout.buffer if stdout is None else stdout,
    )
    source: io.RawIOBase = _EnforcedInput(wire) if mode == "enforce" else _ShadowedInput(wire)
    # The layers above are those that the SDK itself puts on standard input and output.
    read = io.TextIOWrapper(io.BufferedReader(source), encoding="utf-8", errors="replace")
    write = io.TextIOWrapper(io.BufferedWriter(_Output(wire)), encoding="utf-8")
    return Stdio(anyio.wrap_file(read), anyio.wrap_file(write))


class _Wire:
    """The traffic of both streams."""

    def __init__(
        self, lines: _native.Lines, report: Report, stdin: IO[bytes], stdout: IO[bytes]
    ) -> None:
        self.lines = lines
        self._report = report
        self.stdin = stdin
        self._stdout = stdout
        self._writing = threading.Lock()
        # Bytes that the server may read; filled in `enforce` only.
        self.inbound = bytearray()
        self.is_over = False
        self.changed = threading.Condition()

    def receive(self, limit: int) -> bytes:
        """The next bytes of the client; empty at the end."""
        try:
            # A thread that waits in a buffered reader could keep the interpreter from ending.
            return os.read(self.stdin.fileno(), limit)
        except (AttributeError, io.UnsupportedOperation):
            return self.stdin.read1(limit)  # type: ignore[attr-defined, no-any-return]

    def deliver(self, ready: tuple[bytes, bytes]) -> None:
        """Puts bytes where they belong, then reports."""
        inbound, outbound = ready
        if inbound:
            with self.changed:
                self.inbound += inbound
                self.changed.notify_all()
        if outbound:
            self._write(outbound)
        self.report()

    def report(self) -> None:
        deliver(self._report, self.lines.reports())

    def send(self, data: bytes) -> None:
        """Checks bytes of the server, and writes those that go on."""
        # The lock keeps the order of the checks that of the writes.
        with self._writing:
            inbound, outbound = self.lines.write(data)
            if outbound:
                self._stdout.write(outbound)
            self._stdout.flush()
        self.deliver((inbound, b""))

    def close_output(self) -> None:
        self.deliver(self.lines.close())

    def _write(self, data: bytes) -> None:
        with self._writing:
            self._stdout.write(data)
            self._stdout.flush()


class _ShadowedInput(io.RawIOBase):
    """Bytes of the client as they come, checked on the way."""

    def __init__(self, wire: _Wire) -> None:
        self._wire = wire

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)
        data = self._wire.receive(len(view))
        view[: len(data)] = data
        self._wire.lines.read(data)
        self._wire.report()
        return len(data)


class _EnforcedInput(io.RawIOBase):
    """Bytes of the client that may pass, and errors in answer to requests of the server.

    A thread reads, because the server may be answered while the client is silent.
    """

    def __init__(self, wire: _Wire) -> None:
        self._wire = wire
        self._is_started = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._is_started:
            self._is_started = True
            threading.Thread(target=self._pump, name="mcp-assay stdin", daemon=True).start()
        wire, view = self._wire, memoryview(buffer)
        with wire.changed:
            wire.changed.wait_for(lambda: wire.inbound or wire.is_over)
            data = bytes(wire.inbound[: len(view)])
            del wire.inbound[: len(data)]
            # The reader waits until the server has taken what is there.
            wire.changed.notify_all()
        view[: len(data)] = data
        return len(data)

    def _pump(self) -> None:
        wire = self._wire
        try:
            while True:
                data = wire.receive(_CHUNK)
                wire.deliver(wire.lines.read(data))
                if not data:
                    break
                with wire.changed:
                    wire.changed.wait_for(lambda: len(wire.inbound) < _CHUNK)
        finally:
            with wire.changed:
                wire.is_over = True
                wire.changed.notify_all()


class _Output(io.RawIOBase):
    """Bytes of the server."""

    def __init__(self, wire: _Wire) -> None:
        self._wire = wire

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        view = memoryview(data)
        self._wire.send(bytes(view))
        return view.nbytes

    def close(self) -> None:
        if not self.closed:
            self._wire.close_output()
        super().close()
