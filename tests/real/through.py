"""Lets published clients talk to published servers through `wrap` and `gateway`, and compares what both ends saw:
through.py FOLDER PROGRAM [PART OF A NAME...]. FOLDER is what `record` has installed into.

A recorder stands on either side of the program. In `shadow` both must have seen the same bytes. In `enforce` so must they, but for
what was stopped, which is shown: there, clients also call a tool with a wrong argument. A session must end as it does without the
program."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from http_ports import await_port

folder, program, parts = Path(sys.argv[1]).resolve(), str(Path(sys.argv[2]).resolve()), sys.argv[3:]
for name in [*Path(__file__).parent.glob("*.py"), *Path(__file__).parent.glob("*.mjs")]:
    shutil.copy(name, folder)
os.chdir(folder)
os.environ["FOLDER"] = str(folder / "files")
out = folder / "through"
out.mkdir(exist_ok=True)
LIMIT = 120

everything = ["node", "node_modules/@modelcontextprotocol/server-everything/dist/index.js"]
STDIO = {
    "everything": [*everything, "stdio"],
    "filesystem": ["node", "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", os.environ["FOLDER"]],
    "memory": ["node", "node_modules/@modelcontextprotocol/server-memory/dist/index.js"],
    "time": ["python1/bin/mcp-server-time"],
    "git": ["python1/bin/mcp-server-git", "--repository", os.environ["FOLDER"]],
    "fastmcp": ["python2/bin/python", "server.py", "stdio"],
}
HTTP = {
    "everything": lambda port: ({"PORT": str(port)}, [*everything, "streamableHttp"]),
    "fastmcp": lambda port: ({}, ["python2/bin/python", "server.py", "http", str(port)]),
}
CLIENTS = {
    "ts1": ["node", "client_v1.mjs"],
    "ts2": ["node", "client_v2.mjs"],
    "py1": ["python1/bin/python", "client.py"],
    "py2": ["python2/bin/python", "client.py"],
}
# Below those that the system hands out itself.
port = 21000


def run(client, target, mode="direct"):
    """Runs a client; gives its exit code and the steps that failed. In `enforce` it also does something wrong."""
    environment = {**os.environ, "WRONG": "1"} if mode == "enforce" else os.environ
    command = [*CLIENTS[client], *target]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False)
    failed = [line.strip() for line in done.stderr.splitlines() if line.startswith("  ") and ": " in line]
    return done.returncode, Counter(line.split(":")[0] for line in failed), done.stderr


def seen(path, direction):
    """What went in one direction, without what differs between neighbours."""
    found = []
    for line in path.read_text("utf-8").splitlines():
        entry = json.loads(line)
        if entry["dir"] != direction or "end" in entry:
            continue
        kept = {key: entry[key] for key in ("raw", "raw_b64", "unterminated", "body", "sse", "stream") if key in entry}
        if "http" in entry:
            head = entry["http"]
            kept["head"] = [head.get("method"), head.get("path"), head.get("status")]
            own = ("content-type", "accept", "last-event-id")
            kept["headers"] = sorted(pair for pair in head["headers"] if pair[0] in own or pair[0].startswith("mcp-"))
        found.append(json.dumps(kept, sort_keys=True))
    return found


def compare(name, mode, ordered):
    near, far = out / f"{name}-near.ndjson", out / f"{name}-far.ndjson"
    stopped = []
    for direction, first, last in (("c2s", near, far), ("s2c", far, near)):
        sent, came = seen(first, direction), seen(last, direction)
        if mode == "shadow" and (sent != came if ordered else sorted(sent) != sorted(came)):
            lost, new = Counter(sent) - Counter(came), Counter(came) - Counter(sent)
            return [f"{direction}: {sum(lost.values())} lost, {sum(new.values())} new: {list(lost)[:2]} {list(new)[:2]}"], []
        stopped += [f"{direction} {text[:260]}" for text in (Counter(sent) - Counter(came)).elements()]
    return [], stopped


def report(name, mode, direct, through, ordered=True):
    faults, stopped = compare(name, mode, ordered)
    if direct[0] != through[0]:
        faults.append(f"ended with {through[0]}, directly with {direct[0]}: {through[2][-400:]}")
    steps = through[1] - direct[1]
    if steps and mode == "shadow":
        faults.append(f"steps failed: {dict(steps)}")
    print(f"{'FAIL' if faults else 'ok'} {name}", *faults, sep="\n    " if faults else " ", flush=True)
    for text in stopped:
        print(f"    stopped: {text}")
    if steps:
        print(f"    steps that failed: {dict(steps)}", flush=True)
    return bool(faults)


def stdio(server, client, mode, direct):
    name = f"stdio-{server}-{client}-{mode}"
    recorder = lambda side: ["python3", "stdio_recorder.py", str(out / f"{name}-{side}.ndjson"), "--"]
    wrap = [program, "wrap", "--no-config", "--quiet", "--mode", mode, "--"]
    through = run(client, [*recorder("near"), *wrap, *recorder("far"), *STDIO[server]], mode)
    return report(name, mode, direct, through)


def http(server, client, mode, direct):
    global port
    name = f"http-{server}-{client}-{mode}"
    port += 4
    environment, command = HTTP[server](port)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    watched = "shadow" if mode == "direct" else mode
    gateway = [program, "gateway", "--no-config", "--mode", watched, "--grace", "1"]
    gateway += ["--upstream", f"http://127.0.0.1:{port + 1}/mcp", "--listen", f"127.0.0.1:{port + 2}"]
    recorder = lambda side, here, there: ["python3", "http_recorder.py", str(out / f"{name}-{side}.ndjson"), str(here), str(there)]
    running = [
        subprocess.Popen(command, env={**os.environ, **environment}, **quiet),
        subprocess.Popen(recorder("far", port + 1, port), **quiet),
        subprocess.Popen(gateway, **quiet),
        subprocess.Popen(recorder("near", port + 3, port + 2), **quiet),
    ]
    try:
        for number in range(port, port + 4):
            await_port(number)
        if direct is None:
            return run(client, [f"http://127.0.0.1:{port}/mcp"])
        through = run(client, [f"http://127.0.0.1:{port + 3}/mcp"], mode)
        time.sleep(1)
    finally:
        for process in reversed(running):
            process.terminate()
        for process in running:
            process.wait()
    return report(name, mode, direct, through, ordered=False)


failures = 0
for kind, servers in (("stdio", STDIO), ("http", HTTP)):
    for server in servers:
        for client in CLIENTS:
            if parts and not any(part in f"{kind}-{server}-{client}" for part in parts):
                continue
            if kind == "stdio":
                direct = run(client, STDIO[server])
                failures += sum(stdio(server, client, mode, direct) for mode in ("shadow", "enforce"))
            else:
                direct = http(server, client, "direct", None)
                failures += sum(http(server, client, mode, direct) for mode in ("shadow", "enforce"))
sys.exit(f"{failures} failed" if failures else 0)
