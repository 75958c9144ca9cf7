"""client.py URL | client.py COMMAND ARGUMENTS...: walks a server with the Python SDK of the environment, 1.x or 2.x."""

import asyncio
import sys

LIMIT = 6


async def step(name, action):
    try:
        return await asyncio.wait_for(action, LIMIT)
    except Exception as error:  # A server may refuse; the walk goes on.
        print(f"  {name}: {error!r:.100}", file=sys.stderr)
        return None


def invented(name, schema):
    known = {"string": "hello", "integer": 1, "number": 1, "boolean": False, "array": [], "object": {}}
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    if "timezone" in name:
        return "UTC"
    return "12:00" if name == "time" else known.get(schema.get("type"), "hello")


async def walk(client):
    tools = await step("tools", client.list_tools())
    for tool in getattr(tools, "tools", []):
        schema = getattr(tool, "input_schema", None) or getattr(tool, "inputSchema", {})
        properties = schema.get("properties", {})
        given = {name: invented(name, properties.get(name, {})) for name in schema.get("required", [])}
        await step(tool.name, client.call_tool(tool.name, given))
    await step("unknown tool", client.call_tool("no_such_tool", {}))
    resources = await step("resources", client.list_resources())
    for resource in getattr(resources, "resources", [])[:5]:
        await step(str(resource.uri), client.read_resource(resource.uri))
    await step("templates", client.list_resource_templates())
    prompts = await step("prompts", client.list_prompts())
    for prompt in getattr(prompts, "prompts", [])[:5]:
        given = {argument.name: "1" for argument in prompt.arguments or []}
        await step(prompt.name, client.get_prompt(prompt.name, given))


async def main(target):
    try:
        from mcp import Client  # The 2.x line.
    except ImportError:
        return await old(target)
    from mcp.client.stdio import StdioServerParameters

    where = target[0] if target[0].startswith("http") else StdioServerParameters(command=target[0], args=target[1:])
    async with Client(where) as client:
        await walk(client)


async def old(target):
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamablehttp_client

    if target[0].startswith("http"):
        connection = streamablehttp_client(target[0])
    else:
        connection = stdio_client(StdioServerParameters(command=target[0], args=target[1:]))
    async with connection as (read, write, *_):
        async with ClientSession(read, write) as client:
            await client.initialize()
            await step("ping", client.send_ping())
            await walk(client)


asyncio.run(main(sys.argv[1:]))
