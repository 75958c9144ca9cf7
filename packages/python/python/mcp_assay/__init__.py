"""Checks Model Context Protocol traffic, byte by byte, in all revisions of the protocol.

>>> import mcp_assay
>>> session = mcp_assay.Session()
>>> checked = session.check(b'{"jsonrpc":"2.0","id":true,"method":"ping"}', "c2s")
>>> bool(checked), checked.verdict, checked.violations[0].rule
(False, 'block', 'jsonrpc/id-type')
"""

from mcp_assay._native import VERSION as __version__
from mcp_assay._native import Checked, Violation
from mcp_assay._program import AssayError, find_program
from mcp_assay._session import Session, check_file, columns, explain, rules
from mcp_assay._stdio import Stdio, stdio

__all__ = [
    "AssayError",
    "Checked",
    "Session",
    "Stdio",
    "Violation",
    "__version__",
    "check_file",
    "columns",
    "explain",
    "find_program",
    "rules",
    "stdio",
]
