"""The module: sessions, files, rules."""

import doctest
import gzip
import json
import threading
import time

import pytest

import mcp_assay

OPENING = [
    ("c2s", '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
     '"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}'),
    ("s2c", '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18",'
     '"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}'),
    ("c2s", '{"jsonrpc":"2.0","method":"notifications/initialized"}'),
]
CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}'


def opened(**options):
    session = mcp_assay.Session(**options)
    for direction, message in OPENING:
        assert session.check(message, direction)
    return session


def test_the_example_of_the_module_is_true():
    assert doctest.testmod(mcp_assay).failed == 0


@pytest.mark.parametrize("form", [str, str.encode, lambda text: bytearray(text.encode())])
def test_a_violation_has_all_that_the_report_has(form):
    checked = opened().check(form(CALL), "c2s")
    assert not checked
    assert (checked.verdict, checked.kind, checked.method, checked.id, checked.revision) == (
        "block", "request", "tools/call", 1, "2025-06-18")
    (violation,) = checked.violations
    assert violation.rule == "schema/missing-member"
    assert (violation.level, violation.layer, violation.code) == ("error", "schema", -32602)
    assert violation.pointer == "/params"
    assert CALL[slice(*violation.span)].startswith("{")
    assert violation.help and violation.spec.startswith("2025-06-18/") and violation.party == "client"
    assert "error[schema/missing-member] at /params" in str(checked)


def test_a_clean_message_is_true():
    checked = opened().check('{"jsonrpc":"2.0","id":"a","method":"ping"}', "c2s")
    assert checked and checked.verdict == "pass" and checked.violations == () and checked.id == "a"


def test_text_from_the_wire_is_shown_without_control_characters():
    checked = mcp_assay.Session().check('{"jsonrpc":"2.0","id":1,"method":"\\u001b[31m"}', "c2s")
    assert "\x1b" not in str(checked) + repr(checked.violations)


def test_the_selection_of_rules_is_that_of_the_program():
    assert opened(ignore="schema/missing-member").check(CALL, "c2s")
    assert opened(select=["session"]).check(CALL, "c2s")
    assert not opened(select=["schema"]).check(CALL, "c2s")
    assert mcp_assay.Session(revision="2024-11-05").check(CALL, "c2s").revision == "2024-11-05"
    null_id = '{"jsonrpc":"2.0","id":null,"method":"ping"}'
    assert not mcp_assay.Session().check(null_id, "c2s")
    assert mcp_assay.Session(profile="erlmcp").check(null_id, "c2s")


@pytest.mark.parametrize("options, words", [
    ({"select": "schema/mising-member"}, "did you mean"),
    ({"revision": "2025-13-01"}, "2025-13-01"),
    ({"profile": "erlmpc"}, "erlmcp"),
    ({"strict": "shuold"}, "strict"),
    ({"transport": "http"}, "stdio"),
])
def test_a_wrong_option_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        mcp_assay.Session(**options)


def test_a_wrong_argument_is_refused():
    session = mcp_assay.Session()
    with pytest.raises(ValueError, match="c2s"):
        session.check(CALL, "up")
    with pytest.raises(TypeError):
        session.check(7, "c2s")
    with pytest.raises(ValueError, match="as many"):
        session.check_many([CALL], ["c2s", "s2c"])
    with pytest.raises(ValueError, match="seconds"):
        session.check(CALL, "c2s", time=-1.0)


def test_strict_raises_warnings_to_errors():
    listing = '{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"cursor":null}}'
    levels = {}
    for strict in (False, "should"):
        found = opened(strict=strict).check(listing, "c2s").violations
        levels[strict] = {violation.level for violation in found}
    assert "warning" not in levels["should"]


def test_what_is_missing_is_reported_at_the_end():
    session = opened()
    session.check('{"jsonrpc":"2.0","id":9,"method":"tools/list"}', "c2s")
    (missing,) = session.end(by="server")
    assert missing.end and missing.id == 9 and missing.line == 4
    assert missing.violations[0].rule == "response/every-request"
    assert session.end() == [] and session.revision is None


def test_many_messages_are_checked_as_one_by_one():
    messages = [message for _, message in OPENING] + [CALL] * 3
    directions = [direction for direction, _ in OPENING] + ["c2s"] * 3
    one = mcp_assay.Session()
    single = [one.check(message, direction) for message, direction in zip(messages, directions)]
    many = mcp_assay.Session().check_many(messages, directions)
    assert [str(it) for it in many] == [str(it) for it in single]
    table = mcp_assay.columns(many)
    assert table["index"][0] == 3 and table["rule"][0] == "schema/missing-member"
    assert len({len(column) for column in table.values()}) == 1


def test_other_threads_run_during_a_check():
    # One long message: the counter could not move if the interpreter was held.
    items = ",".join(['{"a":[1,2,3,{"b":"c"}]}'] * 400_000)
    message = '{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"m":[%s]}}' % items
    session, count, is_over = mcp_assay.Session(), 0, threading.Event()
    worker = threading.Thread(target=lambda: (session.check(message, "c2s"), is_over.set()))
    worker.start()
    while not is_over.is_set():
        count += 1
        time.sleep(0.001)
    worker.join()
    assert count > 1


def test_files_are_checked_as_they_are_read(tmp_path):
    path = tmp_path / "a.ndjson.gz"
    records = [json.dumps({"dir": direction, "raw": raw}) for direction, raw in OPENING]
    records += [json.dumps({"dir": "c2s", "raw": CALL}), '{"dir": "c2s", "raw": 7}']
    path.write_bytes(gzip.compress("\n".join(records).encode()))
    checked = list(mcp_assay.check_file(path))
    found = [(it.line, it.violations[0].rule) for it in checked if not it and not it.end]
    assert found == [(4, "schema/missing-member"), (5, "capture/readable-record")]
    assert checked[0].source == str(path)
    iterator = mcp_assay.check_file(path)
    assert next(iterator)
    iterator.close()
    assert all(mcp_assay.check_file(path, select="http")) is False  # the broken record
    with pytest.raises(mcp_assay.AssayError, match="no-such"):
        list(mcp_assay.check_file(tmp_path / "no-such.ndjson"))


def test_rules_and_their_pages():
    names = [rule["name"] for rule in mcp_assay.rules()]
    assert "response/id-known" in names
    assert mcp_assay.explain("response/id-known").startswith("response/id-known (error)")
    with pytest.raises(KeyError, match="response/id-known"):
        mcp_assay.explain("response/id-knwon")


def test_the_program_runs_by_its_name_and_as_a_module(program):
    import subprocess
    import sys

    told = program("--version").stdout
    assert told.startswith("mcp-assay ")
    module = [sys.executable, "-m", "mcp_assay", "--version"]
    assert subprocess.run(module, capture_output=True, encoding="utf-8").stdout == told
