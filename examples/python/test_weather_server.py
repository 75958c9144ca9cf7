"""Tests of a server with the strict harness of mcp-assay: a test fails as soon as the server breaks a rule of the protocol.

    python3 -m unittest discover examples/python
"""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

MCP_ASSAY = os.environ.get("MCP_ASSAY", "mcp-assay")
SERVER = [sys.executable, str(Path(__file__).with_name("weather_server.py"))]


class Failure(AssertionError):
    """What mcp-assay says of a command that failed; `error` has it for programs."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.error = error


class Harness:
    """A server under test. Every command of docs/harness.md is a method: `harness.call_tool(name="forecast")`."""

    def __init__(self, *command, flags=()):
        self.process = subprocess.Popen(
            [MCP_ASSAY, "probe", "--serve-json", *flags, "--", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def __getattr__(self, command):
        def run(**arguments):
            self.process.stdin.write(json.dumps({"command": command, **arguments}) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError("mcp-assay ended; standard error says why")
            answer = json.loads(line)
            if not answer["ok"]:
                raise Failure(answer["error"])
            return answer["result"]

        return run

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.exit_code = self.process.wait(timeout=30)
        self.process.stdout.close()


class WeatherServer(unittest.TestCase):
    def setUp(self):
        self.server = Harness(*SERVER)
        self.addCleanup(self.server.__exit__)
        self.server.initialize()

    def test_forecast(self):
        self.server.expect_tool(name="forecast", required=["city"], read_only=True)
        result = self.server.call_tool(name="forecast", arguments={"city": "Bern"})
        self.assertEqual(result["content"][0]["text"], "Snow in Bern")

    def test_a_forecast_of_nowhere_fails(self):
        result = self.server.call_tool(name="forecast", arguments={})
        self.assertTrue(result["isError"])

    def test_unknown_tools_are_refused(self):
        params = {"name": "sunshine", "arguments": {}}
        self.server.expect_error(code=-32602, method="tools/call", params=params)

    def test_schemas_are_valid(self):
        self.server.expect_schema_valid()

    def test_a_ping_is_quick(self):
        self.server.ping()
        self.assertLess(self.server.timings()[-1]["took_ms"], 1000)

    def test_it_ends_when_it_should(self):
        self.assertTrue(self.server.close()["endedByItself"])
        self.server.expect_no_violations()


class BrokenServer(unittest.TestCase):
    def test_what_is_wrong_is_told(self):
        with Harness(*SERVER, "--broken") as server:
            with self.assertRaises(Failure) as caught:
                server.initialize()
        first = str(caught.exception).splitlines()[0]
        self.assertEqual(first, "strict mode: initialize result: `serverInfo.version` is missing")
        self.assertEqual(caught.exception.error["violations"][0]["rule"], "schema/missing-member")
        self.assertEqual(server.exit_code, 1)

    def test_a_rule_can_be_let_pass(self):
        with Harness(*SERVER, "--broken", flags=["--ignore", "schema/missing-member"]) as server:
            server.initialize()
            server.expect_no_violations()
        self.assertEqual(server.exit_code, 0)


if __name__ == "__main__":
    unittest.main()
