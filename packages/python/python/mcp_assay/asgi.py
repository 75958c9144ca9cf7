"""Middleware for ASGI apps that serve MCP over Streamable HTTP: Starlette, FastAPI, FastMCP."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from mcp_assay import _native
from mcp_assay._options import Mode, Options, normalised
from mcp_assay._report import Report, deliver, to_stderr

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# Ways of sending a file that would go around the check.
_BYPASSES = ("http.response.pathsend", "http.response.zerocopysend")


class Assay:
    """Checks the traffic of an app::

        app = Assay(mcp.streamable_http_app(), mode="enforce")

    In `shadow` bodies and events are forwarded byte for byte, and `report` gets each message with
    violations; by default it shows them on standard error. In `enforce` no message with an error
    passes. `path` limits the checks to paths that begin so; without it every `POST` of the app is
    taken for a message. The options are those of `Session`.
    """

    def __init__(
        self,
        app: App,
        mode: Mode = "shadow",
        *,
        path: str | Iterable[str] = "",
        report: Report = to_stderr,
        **options: Any,
    ) -> None:
        self.app = app
        self._shadows = mode == "shadow"
        self._paths = (path,) if isinstance(path, str) else tuple(path)
        self._report = report
        options = normalised(Options(**options))  # type: ignore[typeddict-item]
        self._http = _native.Http(mode, options)

    def __getattr__(self, name: str) -> Any:
        """Attributes of the app, such as its state and its lifespan."""
        if name == "app":
            raise AttributeError(name)
        return getattr(self.app, name)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(self._paths):
            await self.app(scope, receive, send)
            return
        path = scope.get("raw_path") or scope["path"].encode()
        if scope.get("query_string"):
            path += b"?" + scope["query_string"]
        native = self._http.exchange(scope["method"], path, list(scope["headers"]))
        exchange = _Exchange(native, receive, send, self._shadows, self._deliver)
        try:
            await exchange.run(self.app, scope)
        finally:
            # The end of an exchange is checked, too.
            del exchange, native
            self._deliver()

    def _deliver(self) -> None:
        deliver(self._report, self._http.reports())


class _Exchange:
    """One request, and its response."""

    def __init__(
        self,
        native: _native.Exchange,
        receive: Receive,
        send: Send,
        shadows: bool,
        deliver_reports: Callable[[], None],
    ) -> None:
        self._native = native
        self._receive = receive
        self._send = send
        self._shadows = shadows
        self._deliver_reports = deliver_reports
        self._is_body_over = False
        self._start: Message = {}
        self._is_started = False

    async def run(self, app: App, scope: Scope) -> None:
        while (forwarded := self._native.forward()) is None:
            if (refusal := self._native.answer()) is not None:
                await self._begin(*refusal)
                await self._drain()
                return
            if not await self._pull():
                self._native.request_failed()
        extensions = scope.get("extensions") or {}
        if any(name in extensions for name in _BYPASSES):
            extensions = {key: it for key, it in extensions.items() if key not in _BYPASSES}
            scope = {**scope, "extensions": extensions}
        (headers,) = forwarded
        if headers is not None:
            scope = {**scope, "headers": headers}
        await app(scope, self._app_receives, self._app_sends)

    async def _pull(self) -> bool:
        """Takes the next part of the body from the client; false if it has gone."""
        message = await self._receive()
        if message["type"] != "http.request":
            return False
        self._native.request_body(message.get("body", b""), not message.get("more_body", False))
        return True

    async def _app_receives(self) -> Message:
        while not self._is_body_over:
            try:
                part = self._native.forwarded()
            except ConnectionError:
                self._is_body_over = True
                return {"type": "http.disconnect"}
            if part is not None:
                body, self._is_body_over = part
                return {"type": "http.request", "body": body, "more_body": not part[1]}
            if not await self._pull():
                self._is_body_over = True
                return {"type": "http.disconnect"}
        return await self._receive()

    async def _app_sends(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
            headers = list(message.get("headers", ()))
            self._native.response(message["status"], headers)
            # A client may wait for the head of a stream; the rest depends on the body.
            if not self._shadows and not _is_stream(headers):
                return
        elif message["type"] == "http.response.body":
            is_last = not message.get("more_body", False)
            self._native.response_body(bytes(message.get("body", b"")), is_last)
        else:
            await self._send(message)
            return
        if not self._is_started and (head := self._native.answer()) is not None:
            await self._begin(*head)
        if self._is_started:
            await self._drain()
        # A stream may last: its findings do not wait for its end.
        self._deliver_reports()

    async def _begin(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        self._is_started = True
        if self._start and self._shadows:
            await self._send(self._start)
            return
        start = {**self._start, "type": "http.response.start", "status": status}
        await self._send({**start, "headers": headers})

    async def _drain(self) -> None:
        """Sends the parts of the body that are ready."""
        while (part := self._native.answered()) is not None:
            body, is_last = part
            await self._send({"type": "http.response.body", "body": body, "more_body": not is_last})
            if is_last:
                return


def _is_stream(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    named = (value for name, value in headers if name.lower() == b"content-type")
    return any(value.lower().startswith(b"text/event-stream") for value in named)
