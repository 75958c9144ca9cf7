"""client.py URL | client.py COMMAND ARGUMENTS...: walks a server with the Python SDK of the environment, 1.x or 2.x."""

import asyncio
import os
import sys

# Long enough for the slowest tool: a client that gives up without a word leaves its request unanswered.
LIMIT = 30


async def step(name, action):
    try:
        return await asyncio.wait_for(action, LIMIT)
    except Exception as error:  # A server may refuse; the walk goes on.
        print(f"  {name}: {error!r:.100}", file=sys.stderr)
        return None


def resolved(schema, root):
    """A definition that a schema refers to, or the schema itself."""
    for step in schema.get("$ref", "").split("/")[1:]:
        root = root.get(step, {})
    return root if "$ref" in schema else schema


def invented(name, schema, root):
    schema = resolved(schema, root)
    known = {"string": "hello", "integer": 1, "number": 1, "boolean": False}
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "array":
        return [invented(name, schema.get("items", {}), root)] * schema.get("minItems", 0)
    if schema.get("type") == "object":
        return required(schema, root)
    if "timezone" in name:
        return "UTC"
    return "12:00" if name == "time" else known.get(schema.get("type"), "hello")


def required(schema, root=None):
    properties = schema.get("properties", {})
    root = root or schema
    return {name: invented(name, properties.get(name, {}), root) for name in schema.get("required", [])}


async def walk(client, offers):
    """Asks only for what the server offers."""
    if offers.tools:
        await walk_tools(client)
    if offers.resources:
        resources = await step("resources", client.list_resources())
        for resource in getattr(resources, "resources", [])[:5]:
            await step(str(resource.uri), client.read_resource(resource.uri))
        await step("templates", client.list_resource_templates())
    if offers.prompts:
        prompts = await step("prompts", client.list_prompts())
        for prompt in getattr(prompts, "prompts", [])[:5]:
            given = {argument.name: "1" for argument in prompt.arguments or []}
            await step(prompt.name, client.get_prompt(prompt.name, given))


async def walk_tools(client):
    tools = await step("tools", client.list_tools())
    for tool in getattr(tools, "tools", []):
        execution = getattr(tool, "execution", None)
        if "required" in (getattr(execution, "taskSupport", None), getattr(execution, "task_support", None)):
            continue  # These clients do not run tools as tasks.
        schema = getattr(tool, "input_schema", None) or getattr(tool, "inputSchema", {})
        await step(tool.name, client.call_tool(tool.name, required(schema)))
    await step("unknown tool", client.call_tool("no_such_tool", {}))
    if "WRONG" in os.environ:
        await wrong(client, getattr(tools, "tools", []))


async def wrong(client, tools):
    """Calls a tool with an argument of the wrong type; what comes after it must go on."""
    for tool in tools:
        schema = getattr(tool, "input_schema", None) or getattr(tool, "inputSchema", {})
        given = required(schema)
        texts = [name for name in given if schema["properties"][name].get("type") == "string"]
        if texts:
            await step("wrong argument", client.call_tool(tool.name, {**given, texts[0]: 7}))
            return


async def main(target):
    try:
        from mcp import Client  # The 2.x line.
    except ImportError:
        return await old(target)
    from mcp.client.stdio import StdioServerParameters

    where = target[0] if target[0].startswith("http") else StdioServerParameters(command=target[0], args=target[1:])
    async with Client(where) as client:
        await walk(client, client.server_capabilities)


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
            opened = await client.initialize()
            await step("ping", client.send_ping())
            await walk(client, opened.capabilities)


asyncio.run(main(sys.argv[1:]))
