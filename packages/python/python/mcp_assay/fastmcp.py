"""An in-memory transport for clients of FastMCP (4 or later) that checks what they send and get.

In memory there are no bytes: the SDK's messages are serialised anew for the check. So nothing is
concluded from their text, and every result says `fidelity == "reserialised"`.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import AsyncIterator
from typing import Any

from fastmcp.client.transports.base import TransportOptions
from fastmcp.client.transports.memory import FastMCPTransport

from mcp_assay._native import Checked
from mcp_assay._options import Direction
from mcp_assay._session import Session


class AssayTransport(FastMCPTransport):
    """Connects a client to a server in the same process::

        transport = AssayTransport(server)
        async with Client(transport) as client:
            await client.call_tool("greet", {"name": "Ada"})
        assert transport.findings == []

    The options are those of `Session`.
    """

    def __init__(self, mcp: Any, raise_exceptions: bool = False, **options: Any) -> None:
        super().__init__(mcp, raise_exceptions)
        self._options = options
        #: The messages with violations so far, in their order.
        self.findings: list[Checked] = []
        #: The number of messages that were checked.
        self.messages = 0

    @contextlib.asynccontextmanager
    async def connect_session(
        self, *, transport_options: TransportOptions | None = None, **session_kwargs: Any
    ) -> AsyncIterator[Any]:
        given = transport_options or TransportOptions()
        session = Session(**self._options, reserialised=True)
        tapped = _tapped(given.session_class, self, session)
        options = dataclasses.replace(given, session_class=tapped)
        connected = super().connect_session(transport_options=options, **session_kwargs)
        async with connected as client_session:
            yield client_session

    def _check(self, session: Session, item: Any, direction: Direction) -> None:
        message = getattr(item, "message", None)
        if message is None:
            # An exception of the transport: no message.
            return
        # As the transports of the SDK write it.
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
        self.messages += 1
        checked = session.check(text, direction)
        if not checked:
            self.findings.append(checked)


def _tapped(base: type, transport: AssayTransport, session: Session) -> type:
    """The class of a client session whose streams are checked."""

    class TappedSession(base):  # type: ignore[misc]
        def __init__(self, read_stream: Any, write_stream: Any, **given: Any) -> None:
            read = _Tap(read_stream, lambda item: transport._check(session, item, "s2c"))
            write = _Tap(write_stream, lambda item: transport._check(session, item, "c2s"))
            super().__init__(read_stream=read, write_stream=write, **given)

    return TappedSession


class _Tap:
    """A stream of messages that are checked when they pass."""

    def __init__(self, inner: Any, check: Any) -> None:
        self._inner = inner
        self._check = check

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def send(self, item: Any) -> None:
        self._check(item)
        await self._inner.send(item)

    async def receive(self) -> Any:
        item = await self._inner.receive()
        self._check(item)
        return item

    def __aiter__(self) -> _Tap:
        return self

    async def __anext__(self) -> Any:
        item = await self._inner.__anext__()
        self._check(item)
        return item

    async def __aenter__(self) -> _Tap:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> Any:
        return await self._inner.__aexit__(*error)
