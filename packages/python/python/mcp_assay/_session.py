"""Sessions, files and the catalogue of rules."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from mcp_assay import _native
from mcp_assay._native import Checked
from mcp_assay._options import Direction, Options, Strict, names, normalised, raises_warnings
from mcp_assay._program import AssayError, find_program

# The name of a broken record in place of a rule, as reports have it.
_BROKEN_RECORD = "capture/readable-record"


class Session:
    """A session between a client and a server, whose messages are checked in their order.

    The interpreter is released while messages are checked, so threads check different sessions
    at the same time.
    """

    def __init__(
        self,
        *,
        revision: str | None = None,
        strict: Strict = False,
        select: str | Iterable[str] = (),
        ignore: str | Iterable[str] = (),
        profile: str | os.PathLike[str] | None = None,
        transport: Literal["stdio"] | None = None,
        reserialised: bool = False,
    ) -> None:
        """Opens a session.

        `strict` (True or "should") raises warnings to errors. `select` and `ignore` take names of
        rules, families, layers or levels. `transport="stdio"` says that the messages are the lines
        of standard input and output from the beginning: then rules about the stream and about the
        first message apply, too. `reserialised` says that a program wrote the messages anew: then
        nothing is concluded from their text.
        """
        options = Options(
            revision=revision, strict=strict, select=select, ignore=ignore, profile=profile
        )
        given = normalised(options, reserialised=reserialised, transport=transport)
        self._native = _native.Session(given)

    @property
    def revision(self) -> str | None:
        """The revision in force, once it is known."""
        return self._native.revision

    def check(
        self,
        message: bytes | bytearray | str,
        direction: Direction | None = None,
        *,
        answers: str | None = None,
        time: float | None = None,
    ) -> Checked:
        """Checks the exact bytes of a message, without its newline.

        `direction` is inferred if it can be. `answers` is the method that a lone response answers.
        `time` is in seconds from any fixed point; without it no rule about time applies.
        """
        return self._native.check(message, direction, answers, time)

    def check_many(
        self,
        messages: Iterable[bytes | bytearray | str],
        direction: Direction | Sequence[Direction | None] | None = None,
    ) -> list[Checked]:
        """Checks many messages in one call; `direction` is that of all, or one for each."""
        if isinstance(messages, (str, bytes, bytearray)):
            raise TypeError("messages is an iterable of messages; `check` takes one")
        messages = list(messages)
        if direction is None or isinstance(direction, str):
            directions: list[Direction | None] = [direction] * len(messages)
        else:
            directions = list(direction)
            if len(directions) != len(messages):
                raise ValueError("there are not as many directions as messages")
        return self._native.check_many(messages, directions)

    def end(self, by: Literal["client", "server"] | None = None) -> list[Checked]:
        """Ends the session, and reports messages that are missing. The next one begins anew."""
        return self._native.end(by)


def check_file(path: str | os.PathLike[str], **options: Any) -> Iterator[Checked]:
    """Checks a recording, and yields the result of each message in its order.

    Reads every format that `mcp-assay check` reads, packed or not, and no more of it than the
    caller takes. The options are those of `Session`.
    """
    flags = _flags(Options(**options))  # type: ignore[typeddict-item]
    command = [find_program(), "check", "--format", "ndjson", *flags, "--", os.fspath(path)]
    return _rows(command)


def _rows(command: list[str]) -> Iterator[Checked]:
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints)
        try:
            assert process.stdout is not None
            for line in process.stdout:
                row = _row(line.decode())
                if row is not None:
                    yield row
            if process.wait() == 2:
                complaints.seek(0)
                text = complaints.read().decode(errors="replace").strip()
                raise AssayError(text.removeprefix("error: "))
        finally:
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()


def _row(line: str) -> Checked | None:
    if line.startswith('{"summary":'):
        return None
    if '"record_fault":' in line:
        fault = json.loads(line)
        if "record_fault" in fault:
            line = _fault_row(fault)
    return Checked.from_row(line)


def _fault_row(fault: dict[str, Any]) -> str:
    violation = {
        "rule": _BROKEN_RECORD,
        "layer": "framing",
        "level": "error",
        "message": f"the record cannot be read: {fault['record_fault']}",
        "pointer": "",
        "span": {"start": 0, "end": 0},
        "code": None,
        "help": "record the session again, or repair the record: its message was not checked",
        "spec": "",
        "party": None,
    }
    absent = dict.fromkeys(["method", "revision", "dir", "id"])
    row = {"verdict": "block", "kind": "unreadable", **absent, "violations": [violation]}
    return json.dumps({**row, "source": fault["source"], "line": fault["line"]})


def _flags(options: Options) -> list[str]:
    """The options as flags of the program."""
    flags = []
    for name in normalised(options)["select"]:
        flags += ["--select", name]
    for name in names(options.get("ignore", ())):
        flags += ["--ignore", name]
    if options.get("revision"):
        flags += ["--revision", str(options["revision"])]
    if options.get("profile") is not None:
        flags += ["--profile", os.fspath(options["profile"])]  # type: ignore[arg-type]
    if raises_warnings(options.get("strict", False)):
        flags.append("--strict")
    return flags


def rules() -> list[dict[str, Any]]:
    """The rules that traffic shows: name, layer, level, revisions, summary, clause, examples and more."""
    listed: list[dict[str, Any]] = json.loads(_native.rules_json())
    return listed


def explain(name: str) -> str:
    """The page of a rule; `KeyError` if there is none of this name."""
    return _native.explain(name)


def columns(checked: Iterable[Checked]) -> dict[str, list[Any]]:
    """The violations of many messages as columns, as `pyarrow.table` and data frames take them.

    `index` is the position of the message in `checked`.
    """
    fields = ["rule", "layer", "level", "message", "pointer", "code", "help", "spec", "party"]
    table: dict[str, list[Any]] = {name: [] for name in ["index", "start", "end", *fields]}
    for index, message in enumerate(checked):
        for violation in message.violations:
            table["index"].append(index)
            table["start"].append(violation.span[0])
            table["end"].append(violation.span[1])
            for name in fields:
                table[name].append(getattr(violation, name))
    return table
