"""`--mcp-probe`: one test for each rule of the probe."""

from __future__ import annotations

import json
import subprocess
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from mcp_assay._options import raises_warnings
from mcp_assay._program import find_program
from mcp_assay.harness import ProtocolWarning, _flags, split


class Probe:
    """The plugin that adds the tests."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        if not settings.get("command") and not settings.get("url"):
            raise pytest.UsageError("--mcp-probe needs --mcp-command or --mcp-url")
        self._fails_on = {"error"}
        if raises_warnings(settings.get("strict") or "must"):
            self._fails_on.add("warning")
        flags = _flags(settings, settings.get("timeout"))
        if settings.get("url"):
            flags += ["--url", settings["url"]]
        else:
            flags += ["--", *split(settings["command"])]
        command = [find_program(), "probe", "--format", "ndjson", *flags]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        if done.returncode not in (0, 1):
            complaint = done.stderr.strip() or f"exit code {done.returncode}"
            raise pytest.UsageError(f"the MCP server cannot be probed: {complaint}")
        rows = (json.loads(line) for line in done.stdout.splitlines())
        self.rows = [row for row in rows if "rule" in row]

    @pytest.hookimpl(wrapper=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> Iterator[None]:
        collector = Rules.from_parent(session, name="mcp-probe", nodeid="mcp-probe")
        for row in self.rows:
            name = row["rule"]
            items.append(
                RuleItem.from_parent(collector, name=name, row=row, fails_on=self._fails_on)
            )
        session.testscollected = len(items)
        return (yield)


class Rules(pytest.Collector):
    """The tests of the probe."""

    def collect(self) -> Iterator[pytest.Item]:
        return iter(())


class RuleFailed(Exception):
    """A rule failed."""


class RuleItem(pytest.Item):
    """The test of one rule."""

    def __init__(self, *, row: dict[str, Any], fails_on: set[str], **given: Any) -> None:
        super().__init__(**given)
        self._row = row
        self._fails_on = fails_on

    def runtest(self) -> None:
        status, reason = self._row["status"], self._row.get("reason", "")
        if status == "not_applicable":
            pytest.skip(f"not applicable: {reason}")
        if status == "not_observed":
            pytest.skip(f"not observed: {reason}")
        if status != "fail":
            return
        text = _failure(self._row)
        if self._row["level"] in self._fails_on:
            raise RuleFailed(text)
        warnings.warn(ProtocolWarning(text.splitlines()[0]), stacklevel=1)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, RuleFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, None, str]:
        return "mcp-probe", None, self.name


def _failure(row: Mapping[str, Any]) -> str:
    """The failure in words: the fault first, then the remedy."""
    lines = []
    for failure in row.get("failures") or [{}]:
        lines.append(f"{row['level']}[{row['rule']}]: {failure.get('message', row['about'])}")
        if failure.get("help"):
            lines.append(f"help: {failure['help']}")
    lines.append(f"rule: mcp-assay explain {row['rule']}")
    return "\n".join(dict.fromkeys(lines))
