"""A client of `mcp-assay validate --serve-json`: one question a line, one answer a line.

Run it with `python3 examples/python/assay_client.py`; the environment variable MCP_ASSAY names the
program if it is not on the path. Needs nothing but the standard library.
"""

import json
import os
import subprocess


class BadQuestion(Exception):
    """The program did not understand a question."""


class Assay:
    """The program, and the questions that it answers."""

    def __init__(self, *flags):
        program = os.environ.get("MCP_ASSAY", "mcp-assay")
        self.process = subprocess.Popen(
            [program, "validate", "--serve-json", *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        self.last = 0

    def ask(self, command, **members):
        """The result of a command; its members are those of docs/serve-json.md."""
        self.last += 1
        question = {"id": self.last, "command": command, **members}
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert answer["id"] == self.last
        if not answer["ok"]:
            raise BadQuestion(answer["error"]["message"])
        return answer["result"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def main():
    with Assay() as assay:
        found = assay.ask("validate_request", method="tools/cal")
        print("request:", found["text"])

        found = assay.ask("validate_tool_call", name="add", arguments={"a": 1})
        print("tool call:", "valid" if found["valid"] else found["text"])

        session = assay.ask("open", revision="2025-06-18")["session"]
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}}
        row = assay.ask("check", session=session, message=message, direction="c2s")
        print("session:", row["verdict"], row["violations"][0]["rule"])
        assay.ask("end", session=session)

        try:
            assay.ask("validate_requst", method="ping")
        except BadQuestion as bad:
            print("bad question:", bad)


if __name__ == "__main__":
    main()
