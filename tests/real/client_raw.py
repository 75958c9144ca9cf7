"""client_raw.py VERSION URL | client_raw.py VERSION COMMAND ARGUMENTS...: walks a server in an old revision, without an SDK.

A URL that ends with `/sse` is spoken to as HTTP+SSE of 2024-11-05, any other as Streamable HTTP.
"""

import http.client
import json
import queue
import subprocess
import sys
import threading
from urllib.parse import urlsplit

LIMIT = 30
VERSION, TARGET = sys.argv[1], sys.argv[2:]
KNOWN = {"string": "hello", "integer": 1, "number": 1, "boolean": False, "object": {}}


class Stdio:
    def __init__(self, command):
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.messages = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.server.stdout:
            self.messages.put(json.loads(line))

    def send(self, message):
        self.server.stdin.write(json.dumps(message).encode() + b"\n")
        self.server.stdin.flush()

    def close(self):
        self.server.stdin.close()
        try:
            self.server.wait(5)
        except subprocess.TimeoutExpired:
            self.server.terminate()
            self.server.wait(LIMIT)


class Http:
    """What all ways over HTTP have in common: each answer may be a stream of events."""

    def __init__(self, url):
        self.url, self.messages, self.headers = urlsplit(url), queue.Queue(), {}

    def ask(self, method, path, headers, body=None):
        connection = http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=LIMIT)
        connection.request(method, path, body, {**headers, **self.headers})
        return connection.getresponse()

    def read_events(self, answer, other=None):
        name, data = "message", []
        try:
            for line in answer:
                line = line.decode().rstrip("\r\n")
                if line.startswith("event:"):
                    name = line[6:].strip()
                elif line.startswith("data:"):
                    data.append(line[5:].strip())
                elif not line and data:
                    text = "\n".join(data)
                    if name == "message" and text:
                        self.messages.put(json.loads(text))
                    elif other:
                        other(name, text)
                    name, data = "message", []
        except (OSError, ValueError, AttributeError):
            pass  # The stream is over.


class Streamable(Http):
    def send(self, message):
        accept = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        answer = self.ask("POST", self.url.path, accept, json.dumps(message))
        session = answer.getheader("mcp-session-id")
        if session:
            self.headers["Mcp-Session-Id"] = session
        if message.get("method") == "notifications/initialized":
            threading.Thread(target=self.listen, daemon=True).start()
        if answer.getheader("content-type", "").startswith("text/event-stream"):
            threading.Thread(target=self.read_events, args=(answer,), daemon=True).start()
            return
        text = answer.read()
        if text:
            self.messages.put(json.loads(text))

    def listen(self):
        """What the server has to say on its own, if it has a stream for that."""
        answer = self.ask("GET", self.url.path, {"Accept": "text/event-stream"})
        if answer.status == 200:
            self.read_events(answer)

    def close(self):
        if "Mcp-Session-Id" in self.headers:
            self.ask("DELETE", self.url.path, {}).read()


class Sse(Http):
    def __init__(self, url):
        super().__init__(url)
        self.endpoint = queue.Queue()
        stream = self.ask("GET", self.url.path, {"Accept": "text/event-stream"})
        told = lambda name, text: self.endpoint.put(text) if name == "endpoint" else None
        threading.Thread(target=self.read_events, args=(stream, told), daemon=True).start()
        self.path = self.endpoint.get(timeout=LIMIT)

    def send(self, message):
        self.ask("POST", self.path, {"Content-Type": "application/json"}, json.dumps(message)).read()

    def close(self):
        pass


class Client:
    def __init__(self, transport):
        self.transport, self.last = transport, 0

    def notify(self, method):
        self.transport.send({"jsonrpc": "2.0", "method": method})

    def call(self, method, params=None):
        """The result, or nothing for an error; requests of the server are answered in between."""
        self.last += 1
        request = {"jsonrpc": "2.0", "id": self.last, "method": method}
        self.transport.send({**request, "params": params} if params is not None else request)
        while True:
            message = self.transport.messages.get(timeout=LIMIT)
            if "method" in message and "id" in message:
                self.answer(message)
            elif message.get("id") == self.last:
                if "error" in message:
                    print(f"  {method}: {message['error'].get('message')!r:.100}", file=sys.stderr)
                return message.get("result")

    def answer(self, request):
        answer = {"jsonrpc": "2.0", "id": request["id"]}
        if request["method"] == "ping":
            answer["result"] = {}
        elif request["method"] == "roots/list":
            answer["result"] = {"roots": [{"uri": "file:///tmp", "name": "tmp"}]}
        elif request["method"] == "sampling/createMessage":
            said = {"type": "text", "text": "hello"}
            answer["result"] = {"role": "assistant", "model": "none", "content": said}
        else:
            answer["error"] = {"code": -32601, "message": "Method not found"}
        self.transport.send(answer)


def invented(schema):
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "array":
        return [invented(schema.get("items", {}))] * schema.get("minItems", 0)
    return KNOWN.get(schema.get("type"), "hello")


def every(client, method, member):
    """All pages of a list."""
    params = {}
    while True:
        page = client.call(method, params) or {}
        yield from page.get(member, [])
        if "nextCursor" not in page:
            return
        params = {"cursor": page["nextCursor"]}


def walk(client):
    asked = {
        "protocolVersion": VERSION,
        "capabilities": {"roots": {"listChanged": True}, "sampling": {}},
        "clientInfo": {"name": "client", "version": "1.0.0"},
    }
    opened = client.call("initialize", asked)
    if not opened or opened["protocolVersion"] != VERSION:
        return print(f"  the server speaks {opened and opened['protocolVersion']}", file=sys.stderr)
    client.notify("notifications/initialized")
    client.call("ping")
    offers = opened["capabilities"]
    if "logging" in offers:
        client.call("logging/setLevel", {"level": "debug"})
    if "tools" in offers:
        for tool in list(every(client, "tools/list", "tools")):
            schema = tool["inputSchema"]
            properties = schema.get("properties", {})
            given = {name: invented(properties.get(name, {})) for name in schema.get("required", [])}
            client.call("tools/call", {"name": tool["name"], "arguments": given, "_meta": {"progressToken": client.last}})
    if "resources" in offers:
        resources = list(every(client, "resources/list", "resources"))
        list(every(client, "resources/templates/list", "resourceTemplates"))
        for resource in resources[:3]:
            client.call("resources/read", {"uri": resource["uri"]})
        if resources and offers["resources"].get("subscribe"):
            client.call("resources/subscribe", {"uri": resources[0]["uri"]})
            client.call("resources/unsubscribe", {"uri": resources[0]["uri"]})
    if "prompts" in offers:
        for prompt in list(every(client, "prompts/list", "prompts"))[:5]:
            given = {argument["name"]: "1" for argument in prompt.get("arguments", [])}
            client.call("prompts/get", {"name": prompt["name"], "arguments": given})


if not TARGET[0].startswith("http"):
    transport = Stdio(TARGET)
elif TARGET[0].endswith("/sse"):
    transport = Sse(TARGET[0])
else:
    transport = Streamable(TARGET[0])
walk(Client(transport))
transport.close()
