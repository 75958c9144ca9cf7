"""A server of the official SDK that checks its own stdio: `checked_sdk.py MODE`."""

import sys

import anyio
from mcp.server.stdio import stdio_server
from sdk import mcp

import mcp_assay


async def main():
    server = getattr(mcp, "_lowlevel_server", None) or mcp._mcp_server
    async with stdio_server(*mcp_assay.stdio(sys.argv[1])) as (read, write):
        await server.run(read, write, server.create_initialization_options())


anyio.run(main)
