"""Stands before an HTTP server and records every exchange, streams event by event: http_recorder.py FILE PORT UPSTREAM_PORT"""

import http.client
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

capture, port, upstream = open(sys.argv[1], "w", encoding="utf-8"), int(sys.argv[2]), int(sys.argv[3])
lock, start, count = threading.Lock(), time.monotonic(), 0
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "upgrade"}


def record(entry):
    with lock:
        capture.write(json.dumps({"t": round(time.monotonic() - start, 6), **entry}) + "\n")
        capture.flush()


class Event:
    """One event of a stream, as its lines come in."""

    def __init__(self):
        self.fields, self.data = {}, []

    def line(self, line):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self.data.append(value)
        elif name in ("event", "id"):
            self.fields[name] = value
        elif name == "retry" and value.isdigit():
            self.fields[name] = int(value)

    def entry(self):
        return {**self.fields, "data": "\n".join(self.data)} if self.fields or self.data else None


class Recorder(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def exchange(self):
        global count
        with lock:
            count += 1
            number = count
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = [[name.lower(), value] for name, value in self.headers.items()]
        head = {"method": self.command, "path": self.path, "headers": headers}
        entry = {"n": number, "dir": "c2s", "http": head}
        record({**entry, "body": body.decode("utf-8")} if body else entry)
        connection = http.client.HTTPConnection("127.0.0.1", upstream, timeout=60)
        kept = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP | {"host"}}
        connection.request(self.command, self.path, body or None, {**kept, "Host": f"127.0.0.1:{upstream}"})
        answer = connection.getresponse()
        self.answer(number, answer)
        connection.close()

    def answer(self, number, answer):
        headers = [[name.lower(), value] for name, value in answer.getheaders()]
        head = {"status": answer.status, "reason": answer.reason, "headers": headers}
        streamed = answer.getheader("content-type", "").startswith("text/event-stream")
        self.send_response(answer.status, answer.reason)
        for name, value in answer.getheaders():
            if name.lower() not in HOP_BY_HOP | {"date", "server"}:
                self.send_header(name, value)
        if not streamed:
            body = answer.read()
            entry = {"n": number, "dir": "s2c", "http": head}
            record({**entry, "body": body.decode("utf-8")} if body else entry)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return
        record({"n": number, "dir": "s2c", "http": head, "stream": True})
        self.send_header("connection", "close")
        self.close_connection = True
        self.end_headers()
        record({"n": number, "dir": self.copy_events(number, answer), "end": True})

    def copy_events(self, number, answer):
        """Copies a stream, and tells which side ended it."""
        event = Event()
        try:
            for line in answer:
                text = line.decode("utf-8").rstrip("\r\n")
                if text:
                    event.line(text)
                elif event.entry():
                    record({"n": number, "dir": "s2c", "sse": event.entry()})
                    event = Event()
                try:
                    self.wfile.write(line)
                    self.wfile.flush()
                except OSError:
                    return "c2s"
        except (OSError, http.client.HTTPException):
            pass
        return "s2c"

    do_GET = do_POST = do_DELETE = do_OPTIONS = exchange

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", port), Recorder).serve_forever()
