"""The same messages give identical findings in the program and in the process.

`packages/npm/tests/identical.test.mjs` is the same test, with the same messages.
"""

import json
from pathlib import Path

import pytest

import mcp_assay

FIELDS = ["rule", "layer", "level", "message", "pointer", "code", "help", "spec", "party"]


def dialogues():
    """The dialogues on the pages of the rules, good and bad: lists of directions and messages."""
    directions = {"--> ": "c2s", "<-- ": "s2c"}
    for rule in mcp_assay.rules():
        for example in rule["examples"]:
            lines = example["text"].splitlines()
            messages = [(directions[it[:4]], it[4:]) for it in lines if it[:5].endswith("{")
                        and it[:4] in directions]
            if messages:
                yield messages


def bare(session, direction, raw, time):
    return session.check(raw.encode())


def recorded(session, direction, raw, time):
    return session.check(raw.encode(), direction, time=time)


@pytest.mark.parametrize("line, options, check", [
    # Bare messages: the program knows as little as a session that gets no direction.
    (lambda direction, raw, time: raw, {}, bare),
    (
        lambda direction, raw, time: json.dumps({"t": time, "dir": direction, "raw": raw}),
        {"transport": "stdio"},
        recorded,
    ),
], ids=["bare messages", "records of a capture"])
def test_a_thousand_messages_give_the_same_findings(tmp_path, program, line, options, check):
    sessions = [
        [(direction, raw, index / 2) for index, (direction, raw) in enumerate(messages)]
        for messages in dialogues()
    ]
    for number, messages in enumerate(sessions):
        path = tmp_path / f"{number:04}.ndjson"
        path.write_text("".join(line(*message) + "\n" for message in messages))
    output = program("check", "--format", "ndjson", ".", cwd=tmp_path).stdout
    expected = [json.loads(row) for row in output.splitlines()][:-1]
    found = []
    for number, messages in enumerate(sessions):
        session = mcp_assay.Session(**options)
        for at, message in enumerate(messages, start=1):
            found.append(as_row(check(session, *message), at, number))
        for ending in session.end():
            found.append(as_row(ending, ending.line, number))
    assert len(found) >= 1000
    assert sum(len(row["violations"]) for row in found) >= 300
    for row in expected:
        row["source"] = Path(row["source"]).name
    key = lambda row: (row["source"], row["line"], row.get("end") or False, json.dumps(row["violations"]))
    expected.sort(key=key)
    found.sort(key=key)
    for theirs, ours in zip(expected, found):
        # The program also names the keyword of the schema.
        theirs = {name: theirs.get(name) for name in ours}
        for violation in theirs["violations"]:
            violation.pop("schema", None)
        assert ours == theirs
    assert len(found) == len(expected)


def as_row(checked, line, session):
    return {
        "line": line,
        "dir": checked.direction,
        "source": f"{session:04}.ndjson",
        "kind": checked.kind,
        "method": checked.method,
        "id": checked.id,
        "revision": checked.revision,
        "verdict": checked.verdict,
        "end": checked.end or None,
        "not_judged": checked.not_judged,
        "violations": [
            {
                **{name: getattr(violation, name) for name in FIELDS},
                "span": {"start": violation.span[0], "end": violation.span[1]},
            }
            for violation in checked.violations
        ],
    }
