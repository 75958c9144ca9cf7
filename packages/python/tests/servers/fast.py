"""A hello-world server of FastMCP."""

from fastmcp import FastMCP

mcp = FastMCP("hello")


@mcp.tool
def greet(name: str) -> str:
    """Greets somebody."""
    return f"Hello, {name}!"


if __name__ == "__main__":
    mcp.run(show_banner=False)
