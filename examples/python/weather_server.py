"""A small server over stdio, to be tested. `--broken` leaves out what its handshake has to say."""

import json
import sys

FORECAST = {
    "name": "forecast",
    "description": "The weather of a city",
    "inputSchema": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
    "annotations": {"readOnlyHint": True},
}


class Refusal(Exception):
    """An error to answer with."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def initialize(_params):
    info = {"name": "weather", "version": "1.0"}
    if "--broken" in sys.argv:
        del info["version"]
    return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}


def call(params):
    if params.get("name") != "forecast":
        raise Refusal(-32602, "there is no such tool")
    city = params.get("arguments", {}).get("city")
    if not isinstance(city, str):
        return {"content": [{"type": "text", "text": "which city?"}], "isError": True}
    return {"content": [{"type": "text", "text": f"Snow in {city}"}]}


METHODS = {
    "initialize": initialize,
    "ping": lambda _params: {},
    "tools/list": lambda _params: {"tools": [FORECAST]},
    "tools/call": call,
}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        answer = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            method = METHODS.get(message["method"])
            if method is None:
                raise Refusal(-32601, "method not found")
            answer["result"] = method(message.get("params", {}))
        except Refusal as refusal:
            answer["error"] = {"code": refusal.code, "message": str(refusal)}
        print(json.dumps(answer), flush=True)


main()
