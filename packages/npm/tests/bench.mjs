// No test: the time of a check, as a multiple of that of `JSON.parse`. Run it in the project that
// packages/npm/test has made: `node bench.mjs`.
import { Session } from "mcp-assay/wasm";

const OPENING = [
  ["c2s", '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}'],
  ["s2c", '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}'],
  ["c2s", '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
];
const CALLS = 5_000;
const ROUNDS = 9;

function call(id) {
  return [
    ["c2s", `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Bern","days":3}}}`],
    ["s2c", `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"Snow above 900 m, rain below; wind from the north"}]}}`],
  ];
}

const messages = [...OPENING, ...Array.from({ length: CALLS }, (_, at) => call(at + 1)).flat()];
const encoder = new TextEncoder();
const bytes = messages.map(([direction, text]) => [direction, encoder.encode(text)]);

/** Microseconds for each message. */
function time(run) {
  const begun = performance.now();
  run();
  return ((performance.now() - begun) * 1000) / messages.length;
}

const first = time(() => new Session().check(bytes[0][1], bytes[0][0]));
const rounds = Array.from({ length: ROUNDS }, () => {
  const parse = time(() => {
    for (const [, text] of messages) JSON.parse(text);
  });
  const session = new Session();
  const check = time(() => {
    for (const [direction, message] of bytes) {
      const checked = session.check(message, direction);
      if (!checked.clean) throw new Error(String(checked));
    }
  });
  session.close();
  return { parse, check };
});
// The least disturbed round of each; on a loaded machine only their ratio means something.
const least = (name) => Math.min(...rounds.map((it) => it[name]));
const [parse, check] = [least("parse"), least("check")];
console.log(`JSON.parse: ${parse.toFixed(2)} µs a message`);
console.log(`check: ${check.toFixed(2)} µs a message, ${(check / parse).toFixed(1)} times as long`);
console.log(`first check: ${((first * messages.length) / 1000).toFixed(0)} ms`);
