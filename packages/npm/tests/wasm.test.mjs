// The checks in the process, in Node: the members of a result are those of the Python module.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

import * as assay from "mcp-assay/wasm";

const OPENING = [
  ["c2s", '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}'],
  ["s2c", '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}'],
  ["c2s", '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
];
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}';

function opened(options) {
  const session = new assay.Session(options);
  for (const [direction, message] of OPENING) {
    const checked = session.check(message, direction);
    assert.equal(checked.clean, true, String(checked));
  }
  return session;
}

for (const form of [(text) => text, (text) => new TextEncoder().encode(text), Buffer.from]) {
  test("a violation has all that the report has", () => {
    const checked = opened().check(form(CALL), "c2s");
    assert.equal(checked.clean, false);
    const { verdict, kind, method, id, revision, direction, line, fidelity, action } = checked;
    assert.deepEqual(
      [verdict, kind, method, id, revision, direction, line, fidelity, action],
      ["block", "request", "tools/call", 1, "2025-06-18", "c2s", 4, "exact", "forward"],
    );
    assert.equal(checked.violations.length, 1);
    const [violation] = checked.violations;
    assert.equal(violation.rule, "schema/missing-member");
    assert.deepEqual([violation.level, violation.layer, violation.code], ["error", "schema", -32602]);
    assert.equal(violation.pointer, "/params");
    assert.equal(CALL.slice(violation.span.start, violation.span.end)[0], "{");
    assert.ok(violation.help.length > 0 && violation.spec.startsWith("2025-06-18/"));
    assert.equal(violation.party, "client");
    assert.match(String(checked), /error\[schema\/missing-member\] at \/params/);
  });
}

test("text from the wire is shown without control characters", () => {
  const checked = new assay.Session().check('{"jsonrpc":"2.0","id":1,"method":"\\u001b[31m"}', "c2s");
  assert.ok(checked.lines.length > 0 && !String(checked).includes("\x1b"));
});

test("schemas of tools are part of the checks", () => {
  const session = opened();
  const schema = '{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}';
  session.check('{"jsonrpc":"2.0","id":2,"method":"tools/list"}', "c2s");
  const listed = session.check(
    `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"forecast","inputSchema":${schema}}]}}`,
    "s2c",
  );
  assert.equal(listed.clean, true, String(listed));
  const call = (city) =>
    session.check(
      `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"forecast","arguments":{"city":${city}}}}`,
      "c2s",
    );
  assert.deepEqual(call("7").violations.map((it) => it.layer), ["tools"]);
});

test("the selection of rules is that of the program", () => {
  assert.equal(opened({ ignore: "schema/missing-member" }).check(CALL, "c2s").clean, true);
  assert.equal(opened({ select: ["session"] }).check(CALL, "c2s").clean, true);
  assert.equal(opened({ select: "schema, json" }).check(CALL, "c2s").clean, false);
  assert.equal(new assay.Session({ revision: "2024-11-05" }).check(CALL, "c2s").revision, "2024-11-05");
  const nullId = '{"jsonrpc":"2.0","id":null,"method":"ping"}';
  assert.equal(new assay.Session().check(nullId, "c2s").clean, false);
  assert.equal(new assay.Session({ profile: "erlmcp" }).check(nullId, "c2s").clean, true);
  const text = 'extends = "erlmcp"';
  assert.equal(new assay.Session({ profile: { name: "ours", text } }).check(nullId, "c2s").clean, true);
});

for (const [options, words] of [
  [{ select: "schema/mising-member" }, /did you mean/],
  [{ revision: "2025-13-01" }, /2025-13-01/],
  [{ profile: "erlmpc" }, /erlmcp/],
  [{ profile: { name: "ours", text: "strct = true" } }, /ours.*strict/],
  [{ strict: "shuold" }, /strict/],
  [{ mode: "enforced" }, /shadow/],
  [{ transport: "http" }, /stdio/],
  [{ selct: "json" }, /selct/],
]) {
  test(`a wrong option is refused: ${JSON.stringify(options)}`, () => {
    assert.throws(() => new assay.Session(options), { name: "AssayError", message: words });
  });
}

test("a wrong argument is refused, and the session goes on", () => {
  const session = opened();
  assert.throws(() => session.check(CALL, "up"), /c2s/);
  assert.throws(() => session.check(CALL, "c2s", { time: -1 }), /seconds/);
  assert.throws(() => session.check(CALL, "c2s", { time: NaN }), /seconds/);
  assert.throws(() => session.checkMany([CALL], ["c2s", "s2c"]), /as many/);
  assert.throws(() => session.end("proxy"), /client/);
  assert.equal(session.check(CALL, "c2s").line, 4);
});

test("strict raises warnings to errors", () => {
  const message = '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}';
  const levels = (strict) =>
    new assay.Session({ strict, revision: "2025-06-18" })
      .check(message, "c2s")
      .violations.map((it) => it.level);
  for (const [strict, level] of [[false, "warning"], ["must", "warning"], [true, "error"], ["should", "error"]]) {
    assert.deepEqual(levels(strict), [level]);
  }
});

test("what is missing is reported at the end", () => {
  const session = opened();
  session.check('{"jsonrpc":"2.0","id":9,"method":"tools/list"}', "c2s");
  const [missing, ...others] = session.end("server");
  assert.deepEqual(others, []);
  assert.deepEqual([missing.end, missing.id, missing.line], [true, 9, 4]);
  assert.equal(missing.violations[0].rule, "response/every-request");
  assert.deepEqual([session.end(), session.revision], [[], null]);
});

test("many messages are checked as one by one", () => {
  const messages = [...OPENING.map(([, it]) => it), CALL, CALL];
  const directions = [...OPENING.map(([it]) => it), "c2s", "c2s"];
  const one = new assay.Session();
  const single = messages.map((it, index) => one.check(it, directions[index]));
  assert.deepEqual(new assay.Session().checkMany(messages, directions), single);
});

test("a long message is checked, and so is one beyond the limit", () => {
  const long = (length) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"${"x".repeat(length)}"}}`;
  assert.equal(opened().check(long(1 << 20), "c2s").clean, true);
  const checked = opened().check(long(100 << 20), "c2s");
  assert.equal(checked.violations[0].rule, "json/size-limit");
});

test("a closed session says so; others go on", () => {
  const [closed, other] = [opened(), opened()];
  closed.close();
  closed.close();
  assert.throws(() => closed.check(CALL, "c2s"), /closed/);
  assert.equal(opened().check(CALL, "c2s").line, 4);
  assert.equal(other.check(CALL, "c2s").line, 4);
});

test("enforce decides about each message", () => {
  const session = opened({ mode: "enforce" });
  const refused = session.check(CALL, "c2s");
  assert.equal(refused.action, "refuse");
  assert.equal(JSON.parse(refused.answer).error.code, -32602);
  session.check('{"jsonrpc":"2.0","id":2,"method":"tools/list"}', "c2s");
  const replaced = session.check('{"jsonrpc":"2.0","id":2,"result":{"tools":7}}', "s2c");
  assert.equal(replaced.action, "replace");
  assert.equal(JSON.parse(replaced.replacement).id, 2);
  assert.match(String(replaced), /\(replaced\)/);
  assert.equal(session.check('{"jsonrpc":"2.0","method":7}', "c2s").action, "drop");
});

test("rules and their pages", () => {
  assert.ok(assay.rules().some((rule) => rule.name === "response/id-known"));
  assert.match(assay.explain("response/id-known"), /^response\/id-known \(error\)/);
  assert.throws(() => assay.explain("response/id-knwon"), /response\/id-known/);
  const require = createRequire(import.meta.url);
  assert.equal(assay.version(), require("mcp-assay/package.json").version);
});

test("CommonJS gets the same module", () => {
  const required = createRequire(import.meta.url)("mcp-assay/wasm");
  assert.equal(new required.Session().check(CALL, "c2s").clean, false);
});
