"""A hello-world server of the official SDK, of either major version."""

import importlib.util

if importlib.util.find_spec("mcp.server.mcpserver"):
    from mcp.server.mcpserver import MCPServer
else:
    from mcp.server.fastmcp import FastMCP as MCPServer

mcp = MCPServer("hello")


@mcp.tool()
def greet(name: str) -> str:
    """Greets somebody."""
    return f"Hello, {name}!"


@mcp.resource("hello://world")
def world() -> str:
    """The world."""
    return "world"


@mcp.prompt()
def ask(topic: str) -> str:
    """Asks about a topic."""
    return f"Tell me about {topic}"


if __name__ == "__main__":
    mcp.run()
