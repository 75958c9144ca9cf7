"""`mcp_assay.stdio` below the official SDK."""

import io
import json
import subprocess
import sys

import anyio
import pytest
from conftest import SERVERS

import mcp_assay
from mcp_assay.harness import Server

BAD = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"nme":"greet"}}\n'


def command(mode):
    return [sys.executable, str(SERVERS / "checked_sdk.py"), mode]


@pytest.mark.parametrize("mode", ["shadow", "enforce"])
def test_a_server_of_the_sdk_works_as_before(mode):
    with Server(command(mode), timeout=60) as server:
        assert server.call_tool("greet", {"name": "Ada"}).text == "Hello, Ada!"
        assert "mcp-assay:" not in str(server.stderr())


def talk(mode, *lines):
    """What a server writes to these lines: answers by id, and standard error."""
    opening = {"protocolVersion": "2025-06-18", "capabilities": {},
               "clientInfo": {"name": "c", "version": "1"}}
    initialize = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": opening}
    process = subprocess.Popen(command(mode), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, cwd=SERVERS)
    answers = {}
    try:
        for line in [json.dumps(initialize).encode() + b"\n", *lines]:
            process.stdin.write(line)
            process.stdin.flush()
            if b'"id"' in line:
                answer = json.loads(process.stdout.readline())
                answers[answer["id"]] = answer
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    return answers, errors.decode()


INITIALIZED = b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'


def test_enforce_refuses_a_bad_request_before_the_sdk_sees_it():
    answers, errors = talk("enforce", INITIALIZED, BAD, b'{"jsonrpc":"2.0","id":8,"method":"ping"}\n')
    assert answers[7]["error"]["code"] == -32602
    assert answers[7]["error"]["data"]["rule"] == "schema/missing-member"
    assert answers[8]["result"] == {}
    assert "mcp-assay: c2s request tools/call: error[schema/missing-member]" in errors
    assert "(refused)" in errors


def test_shadow_reports_and_lets_pass():
    answers, errors = talk("shadow", INITIALIZED, BAD)
    assert "schema/missing-member" not in str(answers[7])
    assert "mcp-assay: c2s request tools/call: error[schema/missing-member]" in errors


def test_shadow_keeps_every_byte():
    odd = b'  {"jsonrpc":"2.0" , "id":1.0,"method":"ping"}\r\n\xff\xfe not json\n\n{"half": '
    seen, out = [], io.BytesIO()
    streams = mcp_assay.stdio("shadow", report=seen.append, stdin=io.BytesIO(odd), stdout=out)
    assert streams.stdin.wrapped.buffer.read() == odd
    written = b'{"jsonrpc":"2.0","id":1,"result":{}}\n \n'
    streams.stdout.wrapped.buffer.write(written)
    streams.stdout.wrapped.flush()
    assert out.getvalue() == written
    found = [violation.rule for it in seen for violation in it.violations]
    assert found == ["framing/utf8", "json/well-formed"]


def test_a_refused_request_of_the_server_is_answered_while_the_client_is_silent():
    import os

    read, write = os.pipe()
    out = io.BytesIO()
    with os.fdopen(read, "rb") as stdin, os.fdopen(write, "wb"):
        streams = mcp_assay.stdio("enforce", report=lambda _: None, stdin=stdin, stdout=out)
        request = '{"jsonrpc":"2.0","id":3,"method":"sampling/createMessage","params":{}}\n'

        async def main():
            with anyio.fail_after(30):
                await streams.stdout.write(request)
                await streams.stdout.flush()
                return await streams.stdin.readline()

        answer = json.loads(anyio.run(main))
    assert answer["id"] == 3 and answer["error"]["code"] == -32602
    assert out.getvalue() == b""


def test_a_reporter_that_fails_stops_nothing(capsys):
    def fail(_):
        raise RuntimeError("no")

    out = io.BytesIO()
    streams = mcp_assay.stdio("shadow", report=fail, stdin=io.BytesIO(BAD), stdout=out)
    assert streams.stdin.wrapped.readline().encode() == BAD
    assert "RuntimeError: no" in capsys.readouterr().err
