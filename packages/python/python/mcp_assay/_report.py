"""The delivery of findings of live traffic."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable

from mcp_assay._native import Checked

Report = Callable[[Checked], object]


def to_stderr(checked: Checked) -> None:
    """Shows each violation in a line on standard error."""
    for line in checked.lines:
        print(f"mcp-assay: {line}", file=sys.stderr)


def deliver(report: Report, reports: Iterable[Checked]) -> None:
    """Reports messages; a reporter that fails does not stop the traffic."""
    for checked in reports:
        try:
            report(checked)
        except Exception:  # noqa: BLE001
            traceback.print_exc()
