// A server with a fault: the argument names it.
import { createInterface } from "node:readline";

const [fault] = process.argv.slice(2);
const text = (text) => ({ content: [{ type: "text", text }] });
const schema = (...required) => ({
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required,
});
const TOOLS = [
  { name: "forecast", description: "The weather", inputSchema: schema("city") },
  { name: "alerts", description: "Warnings", inputSchema: schema() },
];
const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: fault === "no-version" ? { name: "weather" } : { name: "weather", version: "1" },
  }),
  "tools/list": () => ({ tools: fault === "no-tools" ? [] : TOOLS }),
  "tools/call": ({ name }) =>
    fault === "bad-result"
      ? { content: "Snow" }
      : name === "alerts"
        ? { ...text("no alerts in \u001b[31mBern"), isError: true }
        : text("Snow above 900 m"),
  ping: () => ({}),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (fault === "silent" || id === undefined) continue;
  if (fault === "banner") console.log("weather server ready");
  const answer = METHODS[method];
  const outcome = answer ? { result: answer(params) } : { error: { code: -32601, message: "no such method" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
}
