// A hello-world server of the official SDK 2.x.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const server = new McpServer({ name: "hello", version: "1.0.0" });
server.registerTool(
  "greet",
  {
    description: "Greets",
    inputSchema: z.object({ name: z.string(), loud: z.boolean().optional() }),
  },
  ({ name, loud }) => {
    if (name === "") throw new Error("nobody to greet");
    return { content: [{ type: "text", text: loud ? `HELLO, ${name}!` : `Hello, ${name}!` }] };
  },
);
server.registerResource("world", "hello://world", {}, (uri) => ({
  contents: [{ uri: uri.href, text: "world" }],
}));
await server.connect(new StdioServerTransport());
