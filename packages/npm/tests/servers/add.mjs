// The server of the quick starts: it adds.
import { createInterface } from "node:readline";

const number = { type: "number" };
const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "add", version: "1" },
  }),
  "tools/list": () => ({
    tools: [
      {
        name: "add",
        description: "Adds",
        inputSchema: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
      },
    ],
  }),
  "tools/call": ({ arguments: { a, b } }) => ({ content: [{ type: "text", text: String(a + b) }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = METHODS[method];
  const outcome = answer ? { result: answer(params) } : { error: { code: -32601, message: "no such method" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
}
