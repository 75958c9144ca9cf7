"""The in-memory transport for clients of FastMCP."""

import anyio
import pytest

fastmcp = pytest.importorskip("fastmcp", minversion="4")

from mcp_assay.fastmcp import AssayTransport  # noqa: E402


def test_messages_in_memory_are_checked_and_marked_as_serialised_anew():
    from servers.fast import mcp as server

    transport = AssayTransport(server)

    async def main():
        async with fastmcp.Client(transport) as client:
            result = await client.call_tool("greet", {"name": "Ada"})
            assert result.data == "Hello, Ada!"
            with pytest.raises(Exception):
                await client.call_tool("no-such-tool", {})

    anyio.run(main)
    assert transport.messages >= 4
    assert [str(it) for it in transport.findings if it.verdict == "block"] == []


def test_a_finding_says_its_fidelity():
    import mcp_assay

    session = mcp_assay.Session(reserialised=True)
    checked = session.check('{"jsonrpc":"2.0","id":true,"method":"ping"}', "c2s")
    assert not checked and checked.fidelity == "reserialised"
    assert mcp_assay.Session().check("{}", "c2s").fidelity == "exact"
