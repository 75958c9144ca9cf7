// A server of the official SDK whose standard input and output are checked: `checked.mjs SDK MODE`.
import { z } from "zod";

import { assayStdio } from "mcp-assay/wasm";

const [sdk, mode] = process.argv.slice(2);
const { McpServer } = await import(
  sdk === "1" ? "@modelcontextprotocol/sdk/server/mcp.js" : "@modelcontextprotocol/server"
);
const { StdioServerTransport } = await import(
  sdk === "1" ? "@modelcontextprotocol/sdk/server/stdio.js" : "@modelcontextprotocol/server/stdio"
);
const server = new McpServer({ name: "hello", version: "1.0.0" });
server.registerTool(
  "greet",
  { description: "Greets", inputSchema: sdk === "1" ? { name: z.string() } : z.object({ name: z.string() }) },
  ({ name }) => ({ content: [{ type: "text", text: `Hello, ${name}!` }] }),
);
const { stdin, stdout } = assayStdio({ mode });
await server.connect(new StdioServerTransport(stdin, stdout));
