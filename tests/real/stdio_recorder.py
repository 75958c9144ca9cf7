"""Runs a stdio server, copies both directions byte for byte and records them: stdio_recorder.py FILE -- COMMAND..."""

import base64
import json
import signal
import subprocess
import sys
import threading
import time

capture, command = open(sys.argv[1], "w", encoding="utf-8"), sys.argv[3:]
server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
lock, start = threading.Lock(), time.monotonic()
# Who is stopped takes the server with it: some do not end with their input.
signal.signal(signal.SIGTERM, lambda *_: server.terminate())


def record(direction, line):
    entry = {"t": round(time.monotonic() - start, 6), "dir": direction}
    raw = line.removesuffix(b"\n")
    try:
        entry["raw"] = raw.decode("utf-8")
    except UnicodeDecodeError:
        entry["raw_b64"] = base64.b64encode(raw).decode("ascii")
    if not line.endswith(b"\n"):
        entry["unterminated"] = True
    with lock:
        capture.write(json.dumps(entry) + "\n")
        capture.flush()


def from_client():
    for line in sys.stdin.buffer:
        record("c2s", line)
        server.stdin.write(line)
        server.stdin.flush()
    server.stdin.close()


threading.Thread(target=from_client, daemon=True).start()
for line in server.stdout:
    record("s2c", line)
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
sys.exit(server.wait())
