"""The program on Windows: built for it, and run under Wine, with servers in Node for Windows.

`run` beside this file prepares everything and starts it.
"""

import http.server
import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request
import uuid

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = pathlib.Path(os.environ["TOOLS"])
PREFIX = pathlib.Path(os.environ["WINEPREFIX"])
PROGRAM = pathlib.Path(os.environ["PROGRAM"])

# Only a failure is ever waited for as long.
TIMEOUT = 120

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "client", "version": "1"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def request(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def lines(*messages):
    return b"".join(json.dumps(message).encode() + b"\n" for message in messages)


def windows(path):
    """The path as programs for Windows see it."""
    return "Z:" + str(path).replace("/", "\\")


NODE_SERVER = [windows(TOOLS / "node.exe"), windows(HERE / "server.js")]


class Process:
    """The program, or another one for Windows."""

    def __init__(self, *words, program=PROGRAM, folder=None, **variables):
        # Node for Windows refuses a pipe of Unix, but not a file, as its standard error.
        self.file = tempfile.TemporaryFile()
        self.said = None
        self.process = subprocess.Popen(
            ["wine", str(program), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.file,
            cwd=folder,
            # Wine takes the folders of programs from WINEPATH.
            env={**os.environ, "WINEPATH": windows(TOOLS), **variables},
        )
        self.out = b""

    def say(self, *messages):
        """Sends messages, and waits for a line."""
        self.process.stdin.write(lines(*messages))
        self.process.stdin.flush()
        self.out += self.process.stdout.readline()

    def end(self, given=b""):
        """Closes its standard input, and waits for its end."""
        out, _ = self.process.communicate(given, timeout=TIMEOUT)
        self.out += out
        if self.said is None:
            self.said = self.err
            self.file.close()
        return self

    def kill(self):
        self.process.kill()
        return self.end()

    @property
    def code(self):
        return self.process.returncode

    @property
    def text(self):
        return self.out.decode(errors="replace")

    @property
    def err(self):
        if self.said is not None:
            return self.said
        return os.pread(self.file.fileno(), 1 << 20, 0).decode(errors="replace")

    def messages(self):
        return [json.loads(line) for line in self.out.splitlines()]


def run(*words, given=b"", **options):
    return Process(*words, **options).end(given)


def session(*words, then=(), **options):
    """Runs a session: what follows the handshake is said at once."""
    process = Process(*words, **options)
    process.say(INITIALIZE)
    return process.end(lines(INITIALIZED, *then))


def processes(mark):
    """The ids of the processes that have a word in their command."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if folder.name.isdigit() and mark.encode() in words:
            found.append(int(folder.name))
    return found


def until(condition):
    """Waits for something that happens in another process."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it did not happen")
        time.sleep(0.05)


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="assay-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def private(self, path):
        """Wine shows the access rights of a file as its mode."""
        ordinary = self.folder / "ordinary"
        ordinary.touch()
        self.assertNotEqual(ordinary.stat().st_mode & 0o007, 0, "others read ordinary files")
        self.assertEqual(path.stat().st_mode & 0o007, 0, path)


    def interrupted(self, *words):
        """Starts the program in a console, where Ctrl-C is typed when the file READY exists."""
        self.ready, self.result = self.folder / "ready", self.folder / "result"
        places = [windows(self.ready), windows(self.result), windows(PROGRAM)]
        return Process(*places, *words, program=TOOLS / "interrupt.exe", READY=windows(self.ready))

    def interrupt(self, process):
        """Waits for the end of the program, and returns its exit code."""
        self.assertEqual(process.process.wait(timeout=TIMEOUT), 0, process.err)
        return int(self.result.read_text())


class Check(Case):
    def test_files_and_folders(self):
        good = self.folder / "traffic" / "good.ndjson"
        good.parent.mkdir()
        good.write_bytes(lines(request(1, "ping")))
        self.assertEqual(run("check", windows(good)).code, 0)
        (good.parent / "bad.ndjson").write_bytes(lines(request(1, "pin")))
        ended = run("check", "--format", "concise", "traffic", folder=self.folder)
        self.assertEqual(ended.code, 1, ended.err)
        self.assertIn("traffic\\bad.ndjson:1:", ended.text)
        # Programs on every system understand the other formats.
        ended = run("check", "--format", "sarif", "traffic", folder=self.folder)
        self.assertIn('"uri":"traffic/bad.ndjson"', ended.text.replace(" ", ""))
        ended = run("check", "--format", "sarif", windows(good.parent), folder=TOOLS)
        self.assertIn(f'"uri":"file:///Z:{good.parent}/bad.ndjson"', ended.text.replace(" ", ""))

    def test_standard_input(self):
        ended = run("check", "-", "--format", "ndjson", given=lines(request(1, "pin")))
        self.assertEqual(ended.code, 1, ended.err)
        self.assertEqual(ended.messages()[0]["violations"][0]["rule"], "schema/unknown-method")

    def test_baselines_are_those_of_every_system(self):
        (self.folder / "sub").mkdir()
        (self.folder / "sub" / "bad.ndjson").write_bytes(lines(request(1, "pin")))
        run("check", "--write-baseline", "known.json", "sub", folder=self.folder)
        self.assertIn('"sub/bad.ndjson"', (self.folder / "known.json").read_text())
        ended = run("check", "--baseline", "known.json", "sub", folder=self.folder)
        self.assertEqual(ended.code, 0, ended.text)


class Demo(Case):
    def test_it_runs_its_server_through_wrap(self):
        ended = run("demo")
        self.assertEqual(ended.code, 0, ended.err)
        self.assertIn("`mcp-assay wrap` stood between them", ended.text)
        self.assertIn("framing/stdout-messages-only", ended.text)


class Wrap(Case):
    def test_a_session_passes_and_is_recorded(self):
        record = self.folder / "session.ndjson"
        logs = self.folder / "logs"
        requests = [request(1, "tools/list"), request(2, "tools/call", name="where")]
        ended = session(
            "wrap", "--record", windows(record), "--log-dir", windows(logs), "--", *NODE_SERVER, "two words", 'a "quote"',
            then=requests, EXIT="7",
        )
        self.assertEqual(ended.code, 7, ended.err)
        answers = ended.messages()
        self.assertEqual([answer["id"] for answer in answers], [0, 1, 2])
        self.assertEqual(answers[2]["result"]["content"][0]["text"], 'on win32 with two words,a "quote"')
        self.assertIn("7 messages: all clean", ended.err)
        kept = [json.loads(line) for line in record.read_text().splitlines()]
        raw = lambda way: "".join(it["raw"] + "\n" for it in kept if it["dir"] == way and "raw" in it)
        given = lines(INITIALIZE, INITIALIZED, *requests)
        self.assertEqual((raw("c2s"), raw("s2c")), (given.decode(), ended.text))
        self.private(record)
        newest = logs / "latest.jsonl"
        self.assertIn("tools/call", newest.read_text())
        self.private(newest)

    def test_odd_bytes_and_long_lines_pass_unchanged(self):
        long = b'{"text":"' + b"x" * (3 << 20) + b'"}\n'
        given = b"not json\r\n\n\xff\xfe\0\n" + long * 3 + b"{\"half"
        echo = "process.stdin.pipe(process.stdout)"
        ended = run("wrap", "--quiet", "--", NODE_SERVER[0], "-e", echo, given=given)
        self.assertTrue(ended.out == given, (len(ended.out), len(given), ended.err))
        self.assertEqual(ended.code, 0)

    def test_a_command_without_extension_is_a_script_of_the_shell(self):
        ended = run("wrap", "--quiet", "--", "node-server", "two words", given=lines(INITIALIZE), EXIT="9")
        self.assertEqual((len(ended.messages()), ended.code), (1, 9), ended.err)

    def test_a_server_that_cannot_be_started(self):
        ended = run("wrap", "--", "no-such-server", "argument")
        self.assertEqual(ended.code, 2)
        self.assertIn("failed to start `no-such-server argument`", ended.err)

    def test_enforce_refuses_what_is_wrong(self):
        bad = request(1, "tools/call", name=7)
        ended = session("wrap", "--mode", "enforce", "--", *NODE_SERVER, then=[bad, request(2, "ping")])
        answers = {answer["id"]: answer for answer in ended.messages()}
        self.assertEqual(answers[1]["error"]["code"], -32602)
        self.assertEqual(answers[2]["result"], {})

    def test_a_server_that_works_on_is_left_in_peace_and_once_ends_it(self):
        slow = "process.stdin.resume(); process.stdin.on('end', () => setTimeout(() => console.log('done'), 300))"
        ended = run("wrap", "--quiet", "--grace", "0.1", "--", NODE_SERVER[0], "-e", slow)
        self.assertEqual((ended.out, ended.code), (b"done\n", 0), ended.err)
        stuck = "process.stdin.resume(); setInterval(() => {}, 1000)"
        ended = run("wrap", "--quiet", "--once", "--grace", "0.1", "--", NODE_SERVER[0], "-e", stuck)
        self.assertEqual(ended.code, 1, ended.err)

    def test_helpers_of_the_server_end_with_it(self):
        mark = f"helper-{uuid.uuid4()}"
        ended = run("wrap", "--quiet", "--", *NODE_SERVER, given=lines(INITIALIZE), MARK=mark)
        self.assertEqual(ended.code, 0, ended.err)
        until(lambda: not processes(mark))

    def test_everything_ends_when_wrap_is_killed(self):
        mark = f"helper-{uuid.uuid4()}"
        process = Process("wrap", "--quiet", "--", *NODE_SERVER, mark, MARK=mark)
        process.say(INITIALIZE)
        # `wrap`, the server and its helper.
        until(lambda: len(processes(mark)) == 3)
        process.kill()
        until(lambda: not processes(mark))

    def test_the_console_interrupts_the_server_and_its_exit_code_is_ours(self):
        record = self.folder / "session.ndjson"
        process = self.interrupted("wrap", "--record", windows(record), "--", *NODE_SERVER)
        process.say(INITIALIZE)
        # Its standard input stays open: Ctrl-C alone ends it.
        self.assertEqual(self.interrupt(process), 0xC000013A)
        self.assertIn("2 messages: all clean", process.end().err)
        self.assertEqual(len(record.read_text().splitlines()), 3)


class Probe(Case):
    def test_a_server_is_probed_and_ended(self):
        mark = f"helper-{uuid.uuid4()}"
        report = self.folder / "report.json"
        ended = run("probe", "--quick", "--format", "json", "--output", windows(report), "--", *NODE_SERVER, MARK=mark)
        self.assertEqual(ended.code, 0, report.read_text())
        self.assertEqual(json.loads(report.read_text())["summary"]["rules"]["fail"], 0)
        until(lambda: not processes(mark))

    def test_ctrl_c_ends_it_with_a_report(self):
        stuck = "require('fs').writeFileSync(process.env.READY, ''); setInterval(() => {}, 1000)"
        report = self.folder / "report.json"
        words = ["--start-timeout", "100", "--format", "json", "--output", windows(report)]
        process = self.interrupted("probe", *words, "--", NODE_SERVER[0], "-e", stuck)
        self.assertEqual(self.interrupt(process), 130)
        self.assertTrue(process.end().err)
        json.loads(report.read_text())

    def test_a_harness_in_another_language(self):
        commands = [{"do": "initialize"}, {"do": "request", "method": "ping"}]
        ended = run("probe", "--serve-json", "--", "node-server", given=lines(*commands))
        self.assertEqual(ended.code, 0, (ended.err, ended.out))
        self.assertEqual(len(ended.messages()), 2)


class Install(Case):
    def setUp(self):
        super().setUp()
        users = PREFIX / "drive_c" / "users"
        [self.roaming] = [it for it in users.glob("*/AppData/Roaming") if it.parent.parent.name != "Public"]
        self.file = self.roaming / "Claude" / "claude_desktop_config.json"
        self.file.parent.mkdir(exist_ok=True)
        self.addCleanup(lambda: [it.unlink() for it in self.file.parent.iterdir()])
        servers = {name: {"command": "node-server", "args": [name]} for name in ("one", "two")}
        self.text = json.dumps({"mcpServers": servers}, indent=2).replace("\n", "\r\n").encode()
        self.file.write_bytes(self.text)

    def test_what_is_installed_runs_and_goes_again(self):
        ended = run("install", "--client", "claude", folder=self.folder)
        self.assertEqual(ended.code, 0, ended.err)
        self.assertNotIn("\\\\?\\", ended.text)
        backup = self.file.with_name(self.file.name + ".mcp-assay.bak")
        self.assertEqual(backup.read_bytes(), self.text)
        self.private(backup)
        # No lock stays behind.
        self.assertEqual(set(self.file.parent.iterdir()), {self.file, backup})
        server = json.loads(self.file.read_text())["mcpServers"]["one"]
        self.assertEqual(server["command"].lower(), windows(PROGRAM).lower())
        self.assertEqual(server["args"], ["wrap", "--", "node-server", "one"])
        ended = run(*server["args"], program=server["command"], given=lines(INITIALIZE))
        self.assertEqual(ended.messages()[0]["result"]["serverInfo"]["name"], "on-windows")
        ended = run("uninstall", "--client", "claude", folder=self.folder)
        self.assertEqual(ended.code, 0, ended.err)
        self.assertEqual(self.file.read_bytes(), self.text)
        self.assertEqual(set(self.file.parent.iterdir()), {self.file})

    def test_two_runs_at_the_same_time_edit_one_after_the_other(self):
        names = ("one", "two")
        both = [Process("install", "--client", "claude", name, folder=self.folder) for name in names]
        for process in both:
            self.assertEqual(process.end().code, 0, process.err)
        servers = json.loads(self.file.read_text())["mcpServers"]
        for name in names:
            self.assertEqual(servers[name]["args"], ["wrap", "--", "node-server", name])


class Upstream(http.server.BaseHTTPRequestHandler):
    """A server behind the gateway."""

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {}}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Gateway(Case):
    def test_requests_pass_until_ctrl_c(self):
        upstream = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
        self.addCleanup(upstream.server_close)
        threading.Thread(target=upstream.serve_forever, daemon=True).start()
        self.addCleanup(upstream.shutdown)
        url = f"http://127.0.0.1:{upstream.server_port}/mcp"
        process = self.interrupted("gateway", "--upstream", url, "--listen", "127.0.0.1:0")
        self.addCleanup(process.kill)
        until(lambda: "\n" in process.err)
        address = re.search(r"behind (http://127\.0\.0\.1:\d+)", process.err)
        self.assertTrue(address, process.err)
        post = urllib.request.Request(
            address[1] + "/mcp",
            data=json.dumps(request(5, "ping")).encode(),
            headers={"content-type": "application/json", "accept": "application/json, text/event-stream"},
        )
        with urllib.request.urlopen(post, timeout=TIMEOUT) as answer:
            self.assertEqual(json.load(answer), {"jsonrpc": "2.0", "id": 5, "result": {}})
        with urllib.request.urlopen(address[1] + "/metrics", timeout=TIMEOUT) as answer:
            self.assertIn(b"mcp_assay_messages_total", answer.read())
        self.ready.touch()
        self.assertEqual(self.interrupt(process), 0, process.err)
        self.assertIn("2 messages: ", process.err)


if __name__ == "__main__":
    unittest.main()
