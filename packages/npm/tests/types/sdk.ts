import { Client as Client2 } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { McpServer as McpServer2 } from "@modelcontextprotocol/server";
import { StdioServerTransport as StdioServerTransport2 } from "@modelcontextprotocol/server/stdio";

import { AssayTransport, assayStdio } from "mcp-assay/wasm";

const about = { name: "types", version: "1" };
const { stdin, stdout } = assayStdio({ mode: "enforce" });

export async function version1(): Promise<void> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await new McpServer(about).connect(new AssayTransport(near, { mode: "enforce" }));
  await new Client(about).connect(new AssayTransport(far));
  await new McpServer(about).connect(new StdioServerTransport(stdin, stdout));
}

export async function version2(): Promise<void> {
  const inner = new StdioServerTransport2(stdin, stdout);
  await new McpServer2(about).connect(new AssayTransport(inner, { report: (it) => console.log(it.lines) }));
  await new Client2(about).connect(new AssayTransport(inner, { party: "client" }));
}
