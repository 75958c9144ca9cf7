"""The program `mcp-assay` that the wheel installs beside the module."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path


class AssayError(Exception):
    """mcp-assay could not do its work: a file, the configuration, or the program is missing."""


def find_program() -> str:
    """The path of the program.

    The environment variable MCP_ASSAY names another one.
    """
    given = os.environ.get("MCP_ASSAY")
    if given:
        return given
    name = "mcp-assay.exe" if sys.platform == "win32" else "mcp-assay"
    package = Path(__file__).resolve().parent
    user_scheme = sysconfig.get_preferred_scheme("user")
    schemes = [sysconfig.get_default_scheme(), user_scheme]
    folders = [Path(sysconfig.get_path("scripts", scheme)) for scheme in schemes]
    # `pip install --target` and `--prefix` put scripts beside the packages, or above them.
    folders += [package.parent / "bin", *(parent / "bin" for parent in package.parents[2:5])]
    for folder in folders:
        if os.access(folder / name, os.X_OK):
            return str(folder / name)
    raise AssayError("the program mcp-assay is not installed beside this module")
