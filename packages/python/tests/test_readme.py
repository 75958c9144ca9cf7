"""The quick starts of the README are run."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import SERVERS

import mcp_assay

README = (Path(__file__).parents[1] / "README.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.S)


def test_the_test_of_the_readme_passes(pytester):
    shutil.copy(SERVERS / "plain.py", pytester.path / "server.py")
    (text,) = [block for block in blocks("python") if "mcp_server" in block]
    pytester.makepyfile(text)
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_the_session_of_the_readme_is_true():
    (text,) = [block for block in blocks("python") if "Session()" in block]
    exec(compile(text, "README.md", "exec"), {})


def test_the_commands_of_the_readme_run(tmp_path):
    shutil.copy(SERVERS / "plain.py", tmp_path / "server.py")
    (line,) = "".join(blocks("console")).splitlines()
    # uvx runs the script of the wheel, which is installed here.
    line = line.removeprefix("$ uvx mcp-assay")
    command = [mcp_assay.find_program(), *line.split()]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0


@pytest.mark.parametrize("expression", ["mcp_assay.stdio", "mcp_assay.asgi.Assay"])
def test_the_names_of_the_readme_exist(expression):
    import mcp_assay.asgi  # noqa: F401

    assert expression in README and callable(eval(expression))
