"""The pytest plugin, run by pytest in a folder of its own."""

import re

import pytest
from conftest import SERVERS, command

PLAIN = command("plain.py")

ADD = """
    import pytest

    def test_add(mcp_server):
        mcp_server.expect_tool("add", required=["a", "b"])
        assert mcp_server.call_tool("add", {"a": 1, "b": 2}).text == "3"
"""


def run(pytester, text, *flags):
    pytester.makepyfile(text)
    return pytester.runpytest_subprocess(*flags)


@pytest.mark.parametrize("way", ["flag", "ini", "mark", "factory"])
def test_the_server_is_named_in_four_ways(pytester, way):
    flags, text = [], ADD
    if way == "flag":
        flags = ["--mcp-command", PLAIN]
    elif way == "ini":
        pytester.makeini(f"[pytest]\nmcp_command = {PLAIN}")
    elif way == "mark":
        text = ADD.replace("def test_add", f"@pytest.mark.mcp({PLAIN!r})\n    def test_add")
    else:
        text = f"""
            def test_two(mcp_server_factory):
                one, two = mcp_server_factory({PLAIN!r}), mcp_server_factory({PLAIN.split()!r})
                assert one.call_tool("add", {{"a": 1, "b": 2}}).text == "3"
                assert two.list_tools()[0]["name"] == "add"
        """
    run(pytester, text, *flags).assert_outcomes(passed=1)


def test_python_is_the_interpreter_of_the_tests(pytester):
    plain = f"python {SERVERS / 'plain.py'}"
    run(pytester, ADD, "--mcp-command", plain).assert_outcomes(passed=1)


def test_a_violation_fails_the_test_in_one_line_with_capture_and_command(pytester, program):
    result = run(pytester, ADD, "--mcp-command", PLAIN + " broken-result")
    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    lines = [line for line in text.splitlines() if line.startswith("E ")]
    assert len(lines) == 1 and "ProtocolViolation: tools/call result: " in lines[0], text
    assert "`content[0].text` is missing" in lines[0] and "[schema/missing-member]" in lines[0]
    capture = re.search(r"check it: mcp-assay check (\S+)", text)[1]
    checked = program("check", "--format", "concise", capture)
    assert checked.returncode == 1 and "schema/missing-member" in checked.stdout
    assert "mcp-assay explain schema/missing-member" in text


def test_a_test_that_only_asks_for_the_server_tests_its_handshake(pytester):
    text = "def test_it(mcp_server): pass"
    run(pytester, text, "--mcp-command", PLAIN).assert_outcomes(passed=1)
    result = run(pytester, text, "--mcp-command", PLAIN + " version")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *initialize result: `serverInfo.version` is missing*"])


def test_text_on_standard_output_fails(pytester):
    run(pytester, ADD, "--mcp-command", PLAIN + " noise").assert_outcomes(failed=1)


def test_a_rule_can_be_ignored(pytester):
    pytester.makeini("[pytest]\nmcp_ignore = schema/missing-member")
    text = "def test_it(mcp_server): pass"
    run(pytester, text, "--mcp-command", PLAIN + " version").assert_outcomes(passed=1)


def test_an_unmet_expectation_lists_what_there_is(pytester):
    text = 'def test_it(mcp_server): mcp_server.expect_tool("sum")'
    result = run(pytester, text, "--mcp-command", PLAIN)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *add*"])


def test_async_tests_use_the_twins(pytester):
    text = """
        import pytest

        @pytest.mark.anyio
        @pytest.mark.parametrize("anyio_backend", ["asyncio"])
        async def test_add(mcp_server, anyio_backend):
            await mcp_server.aexpect_tool("add", required=["a"])
            assert (await mcp_server.acall_tool("add", {"a": 1, "b": 2})).text == "3"
    """
    run(pytester, text, "--mcp-command", PLAIN).assert_outcomes(passed=1)


def test_without_a_server_the_test_says_how_to_name_one(pytester):
    result = run(pytester, ADD)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*no MCP server: mark the test*"])


def test_a_server_that_cannot_start_is_reported(pytester):
    result = run(pytester, ADD, "--mcp-command", "no-such-program-at-all")
    assert result.ret == 1
    assert "no-such-program-at-all" in result.stdout.str()


def test_the_probe_is_one_test_for_each_rule(pytester):
    result = run(pytester, "", "--mcp-probe", "--mcp-command", command("sdk.py"), "-q", "-rf")
    outcomes = result.parseoutcomes()
    assert outcomes["passed"] > 60 and outcomes["skipped"] > 100, result.stdout.str()


def test_a_failed_rule_of_the_probe_is_a_failed_test(pytester):
    result = run(pytester, "", "--mcp-probe", "--mcp-command", PLAIN + " version", "-v")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*mcp-probe::schema/missing-member FAILED*"])
    result.stdout.fnmatch_lines(["error?schema/missing-member?: *", "rule: mcp-assay explain *"])


def test_the_probe_needs_a_server(pytester):
    result = run(pytester, "", "--mcp-probe")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--mcp-probe needs --mcp-command or --mcp-url*"])
