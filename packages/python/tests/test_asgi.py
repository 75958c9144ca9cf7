"""`mcp_assay.asgi.Assay` around apps."""

import json

import anyio
import pytest

from mcp_assay.asgi import Assay

ACCEPT = [(b"accept", b"application/json, text/event-stream"), (b"content-type", b"application/json")]
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
PONG = b'{"jsonrpc":"2.0" , "id":1,"result":{}}'
BAD = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}'


def request(app, *parts, method="POST", path="/mcp", headers=ACCEPT):
    """The messages that a server gets of an app."""
    sent, bodies = [], list(parts or [b""])

    async def receive():
        if not bodies:
            return {"type": "http.disconnect"}
        body = bodies.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(bodies)}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(),
             "query_string": b"", "headers": headers}
    anyio.run(app, scope, receive, send)
    return sent


def body(sent):
    return b"".join(it.get("body", b"") for it in sent if it["type"] == "http.response.body")


class Echo:
    """An app that answers with these parts, and keeps what it gets."""

    def __init__(self, *parts, status=200, media=b"application/json"):
        self.parts, self.status, self.media = parts, status, media
        self.got, self.scope = b"", None

    async def __call__(self, scope, receive, send):
        self.scope = scope
        while True:
            message = await receive()
            self.got += message.get("body", b"")
            if not message.get("more_body"):
                break
        headers = [(b"Content-Type", self.media), (b"X-Odd", b"\xe4")]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        for part in self.parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


def test_shadow_changes_nothing():
    seen, app = [], Echo(PONG[:5], PONG[5:])
    bare = request(app, PING[:7], PING[7:])
    app.got = b""
    sent = request(Assay(app, report=seen.append), PING[:7], PING[7:])
    assert app.got == PING and app.scope["headers"] == ACCEPT
    assert sent[0] == bare[0] and body(sent) == body(bare) == PONG
    assert [it.get("more_body", False) for it in sent[1:]].count(False) == 1
    assert seen == []


def test_shadow_reports_both_parties():
    seen = []
    app = Assay(Echo(b'{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text"}]}}'), report=seen.append)
    sent = request(app, BAD)
    assert sent[0]["status"] == 200
    found = [(it.direction, it.violations[0].rule) for it in seen]
    assert ("c2s", "schema/missing-member") in found and ("s2c", "schema/missing-member") in found


def test_enforce_answers_a_bad_request_itself():
    app = Echo(PONG)
    sent = request(Assay(app, mode="enforce", report=lambda _: None), BAD)
    answer = json.loads(body(sent))
    assert app.scope is None
    assert answer["id"] == 7 and answer["error"]["code"] == -32602
    assert sent[-1]["more_body"] is False


def test_enforce_replaces_a_bad_response():
    app = Echo(b'{"jsonrpc":"2.0","id":1,"rsult":{}}')
    answer = json.loads(body(request(Assay(app, mode="enforce", report=lambda _: None), PING)))
    assert answer["id"] == 1 and "error" in answer


@pytest.mark.parametrize("mode", ["shadow", "enforce"])
def test_good_traffic_passes_byte_for_byte(mode):
    app = Echo(PONG[:9], PONG[9:])
    assert body(request(Assay(app, mode=mode), PING)) == PONG
    assert app.got == PING


@pytest.mark.parametrize("mode", ["shadow", "enforce"])
def test_events_are_forwarded_as_they_come(mode):
    event = b"id: 1\nevent: message\ndata: " + PONG + b"\n\n"
    steps = []

    async def app(scope, receive, send):
        await receive()
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        steps.append(len(sent))
        await send({"type": "http.response.body", "body": event, "more_body": True})
        steps.append(body(sent))
        await send({"type": "http.response.body", "body": b""})

    sent = []

    async def main():
        parts = [{"type": "http.request", "body": PING}]

        async def receive():
            return parts.pop(0)

        async def send(message):
            sent.append(message)

        scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": ACCEPT}
        await Assay(app, mode=mode)(scope, receive, send)

    anyio.run(main)
    assert steps == [1, event]
    assert body(sent) == event and sent[-1]["more_body"] is False


def test_other_paths_and_other_kinds_of_traffic_are_left_alone():
    seen, app = [], Echo(b"no json at all", media=b"text/plain")
    sent = request(Assay(app, "enforce", path="/mcp", report=seen.append), b"a=b", path="/login")
    assert body(sent) == b"no json at all" and seen == []

    async def main():
        kinds = []

        async def inner(scope, receive, send):
            kinds.append(scope["type"])

        for kind in ("lifespan", "websocket"):
            await Assay(inner)({"type": kind, "path": "/"}, None, None)
        return kinds

    assert anyio.run(main) == ["lifespan", "websocket"]


def test_a_client_that_breaks_off_is_seen_by_the_app():
    got = []

    async def app(scope, receive, send):
        while not got or got[-1] != "http.disconnect":
            got.append((await receive())["type"])

    async def main():
        parts = [{"type": "http.request", "body": PING[:3], "more_body": True},
                 {"type": "http.disconnect"}]

        async def receive():
            return parts.pop(0)

        scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": ACCEPT}
        await Assay(app, mode="enforce")(scope, receive, None)

    anyio.run(main)
    assert got == ["http.request", "http.disconnect"]


def test_the_sdk_serves_http_behind_it(unused_port):
    import threading
    import time

    import uvicorn
    from servers.sdk import mcp as server

    seen = []
    app = server.streamable_http_app()
    app = Assay(app, mode="enforce", report=seen.append)
    config = uvicorn.Config(app, port=unused_port, log_level="error")
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        while not running.started:
            time.sleep(0.05)
        from mcp_assay.harness import Server

        with Server(url=f"http://127.0.0.1:{unused_port}/mcp", timeout=60) as client:
            assert client.call_tool("greet", {"name": "Ada"}).text == "Hello, Ada!"
    finally:
        running.should_exit = True
        thread.join()
    # The SDK leaves out what the specification only recommends.
    assert [str(it) for it in seen if it.verdict == "block"] == []
