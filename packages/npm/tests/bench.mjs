// No test: the time of a check, as a multiple of that of `JSON.parse`. Run it in the project that
// packages/npm/test has made: `node bench.mjs`.
import { rules, Session } from "mcp-assay/wasm";

const MESSAGES = [
  ["c2s", '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}'],
  ["s2c", '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}'],
  ["c2s", '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
];
const ROUNDS = 20_000;

function call(id) {
  return [
    ["c2s", `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Bern","days":3}}}`],
    ["s2c", `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"Snow above 900 m, rain below; wind from the north"}]}}`],
  ];
}

const started = performance.now();
rules();
const first = performance.now() - started;
const session = new Session();
const encoder = new TextEncoder();
for (const [direction, text] of MESSAGES) session.check(text, direction);
const messages = Array.from({ length: ROUNDS }, (_, at) => call(at + 1)).flat();
const bytes = messages.map(([direction, text]) => [direction, encoder.encode(text)]);

function time(name, run) {
  const begun = performance.now();
  run();
  const each = ((performance.now() - begun) * 1000) / messages.length;
  console.log(`${name}: ${each.toFixed(2)} µs a message`);
  return each;
}

const parse = time("JSON.parse", () => {
  for (const [, text] of messages) JSON.parse(text);
});
const check = time("check", () => {
  for (const [direction, message] of bytes) {
    const checked = session.check(message, direction);
    if (!checked.clean) throw new Error(String(checked));
  }
});
console.log(`check / JSON.parse: ${(check / parse).toFixed(1)}; first use: ${first.toFixed(0)} ms`);
