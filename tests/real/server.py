"""A small FastMCP server: server.py stdio | server.py http PORT"""

import sys

from fastmcp import Context, FastMCP
from typing_extensions import TypedDict

mcp = FastMCP("small")


class Weather(TypedDict):
    temperature: float
    conditions: str


@mcp.tool
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@mcp.tool
def weather(city: str) -> Weather:
    """Tells the weather."""
    return {"temperature": 22.5, "conditions": f"fair in {city}"}


@mcp.tool
async def slow(steps: int, ctx: Context) -> str:
    """Reports progress and writes to the log."""
    for step in range(min(steps, 5)):
        await ctx.report_progress(step + 1, steps)
        await ctx.info(f"step {step + 1}")
    return "done"


@mcp.tool
def fails() -> str:
    """Always fails."""
    raise ValueError("as expected")


@mcp.resource("data://greeting")
def greeting() -> str:
    """A greeting."""
    return "hello"


@mcp.resource("data://number/{number}")
def number(number: int) -> str:
    """A number."""
    return str(number)


@mcp.prompt
def ask(topic: str) -> str:
    """Asks about a topic."""
    return f"What is {topic}?"


if sys.argv[1] == "http":
    mcp.run(transport="http", host="127.0.0.1", port=int(sys.argv[2]), show_banner=False)
else:
    mcp.run(show_banner=False)
