"""The module is typed: mypy finds no fault in it, and knows the types of its results."""

import subprocess
import sys

import pytest

pytest.importorskip("mypy")

PROGRAM = """
import mcp_assay
from mcp_assay.asgi import Assay

session = mcp_assay.Session(revision="2025-06-18", strict="should", select=["schema"])
reveal_type(session.check(b"{}", "c2s").violations[0].span)
session.check(b"{}", "up")
"""


def mypy(*arguments, cwd):
    command = [sys.executable, "-m", "mypy", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", cwd=cwd, check=False).stdout


def test_users_get_types(tmp_path):
    (tmp_path / "user.py").write_text(PROGRAM)
    found = mypy("--strict", "user.py", cwd=tmp_path)
    assert 'Revealed type is "tuple[int, int]"' in found.replace("builtins.", ""), found
    assert found.count("error:") == 1 and "Literal['up']" in found, found
