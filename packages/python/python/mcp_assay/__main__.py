"""Runs the program: `python -m mcp_assay`."""

import os
import subprocess
import sys

from mcp_assay import AssayError, find_program


def main() -> None:
    try:
        program = find_program()
    except AssayError as error:
        sys.exit(f"mcp-assay: {error}")
    command = [program, *sys.argv[1:]]
    if sys.platform == "win32":
        # A process on Windows cannot replace itself.
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(program, command)


if __name__ == "__main__":
    main()
