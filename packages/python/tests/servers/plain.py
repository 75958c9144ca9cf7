"""A server without an SDK. An argument plants a fault: version, noise, mirror, broken-result."""

import json
import sys

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
TOOL = {
    "name": "add",
    "description": "Adds two numbers",
    "inputSchema": {
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
        "required": ["a", "b"],
    },
}


def answer(message):
    method, params = message["method"], message.get("params", {})
    if method == "initialize":
        info = {"name": "plain", "version": "1"}
        if FAULT == "version":
            del info["version"]
        revision = "2025-11-25"
        return {"protocolVersion": revision, "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        total = params["arguments"]["a"] + params["arguments"]["b"]
        content = [{"type": "text", "text": str(total)}]
        if FAULT == "broken-result":
            content = [{"type": "text", "txt": str(total)}]
        return {"content": content}
    return {}


if FAULT == "noise":
    print("starting up", flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer(message)}), flush=True)
