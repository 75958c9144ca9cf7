// Live traffic in the process: standard input and output, and transports of the official SDK.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { test } from "node:test";

import { Client as Client2 } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { InMemoryTransport as InMemoryTransport2, McpServer as McpServer2 } from "@modelcontextprotocol/server";
import { launch } from "mcp-assay";
import { assayStdio, AssayTransport } from "mcp-assay/wasm";
import { z } from "zod";

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}';
const PING = '{"jsonrpc":"2.0","id":2,"method":"ping"}';

/** Both ends of streams that are checked. */
function streams(options) {
  const [fromClient, toClient, reports] = [new PassThrough(), new PassThrough(), []];
  const report = (checked) => reports.push(checked);
  const { stdin, stdout } = assayStdio({ stdin: fromClient, stdout: toClient, report, ...options });
  const read = async (stream) => {
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  return { fromClient, toClient, stdin, stdout, reports, read };
}

test("shadow passes every byte, in whatever pieces, and reports", async () => {
  const bytes = Buffer.concat([
    Buffer.from(`${CALL}\r\n\n{"half":\n`), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(`${PING} no newline`),
  ]);
  for (const size of [1, 7, 4096]) {
    const { fromClient, stdin, reports, read, toClient, stdout } = streams();
    const received = read(stdin);
    for (let at = 0; at < bytes.length; at += size) fromClient.write(bytes.subarray(at, at + size));
    fromClient.end();
    assert.deepEqual(await received, bytes);
    const sent = Buffer.from("Server ready\n{}");
    stdout.end(sent);
    await once(stdout, "finish");
    assert.deepEqual(toClient.read(), sent);
    const rules = reports.flatMap((it) => it.violations.map(({ rule }) => rule));
    assert.ok(rules.includes("schema/missing-member") && rules.includes("framing/utf8"), rules.join());
    assert.ok(rules.includes("framing/stdout-messages-only"), rules.join());
    assert.deepEqual([reports[0].direction, reports[0].action, reports[0].line], ["c2s", "forward", 1]);
  }
});

test("enforce refuses a request with an error, and passes the others byte for byte", async () => {
  const { fromClient, toClient, stdin, stdout, reports, read } = streams({ mode: "enforce" });
  const [received, answers] = [read(stdin), read(toClient)];
  fromClient.end(`${CALL}\n${PING} \n`);
  assert.equal(String(await received), `${PING} \n`);
  const bad = '{"jsonrpc":"2.0","id":2,"result":7}\n';
  stdout.end(bad);
  await once(stdout, "finish");
  toClient.end();
  const lines = String(await answers).trim().split("\n").map((it) => JSON.parse(it));
  assert.deepEqual(lines.map((it) => [it.id, it.error !== undefined]), [[1, true], [2, true]]);
  assert.deepEqual(reports.map((it) => it.action), ["refuse", "replace"]);
  assert.match(String(reports[0]), /\(refused\)$/);
});

test("a reporter that fails does not stop the traffic", async (context) => {
  context.mock.method(console, "error", () => undefined);
  const report = () => {
    throw new Error("broken reporter");
  };
  const { fromClient, stdin, read } = streams({ report });
  const received = read(stdin);
  fromClient.end(`${CALL}\n`);
  assert.equal(String(await received), `${CALL}\n`);
  assert.equal(console.error.mock.callCount(), 1);
});

for (const sdk of ["1", "2"]) {
  for (const mode of ["shadow", "enforce"]) {
    test(`a server of the SDK ${sdk} behind assayStdio is clean in ${mode}`, async () => {
      const server = launch(`node servers/checked.mjs ${sdk} ${mode}`, { timeout: 60_000 });
      assert.equal((await server.callTool("greet", { name: "Ada" })).content[0].text, "Hello, Ada!");
      // Neither the client has found anything, nor the server about the client.
      assert.deepEqual((await server.violations()).map((it) => it.headline), []);
      assert.ok(!JSON.stringify(await server.stderr()).includes("mcp-assay:"));
      await server.close();
    });
  }

  test(`a server of the SDK ${sdk} gets no bad request in enforce, and ends with its input`, async () => {
    const child = spawn(process.execPath, ["servers/checked.mjs", sdk, "enforce"], { stdio: ["pipe", "pipe", "pipe"] });
    let complaints = "";
    child.stderr.on("data", (chunk) => { complaints += chunk; });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.write(`${CALL}\n`);
    const { value } = await lines.next();
    assert.equal(JSON.parse(value).error.code, -32602, value);
    child.stdin.end();
    const [code] = await once(child, "close");
    assert.equal(code, 0);
    assert.match(complaints, /^mcp-assay: c2s request tools\/call: error\[schema\/missing-member\].*\(refused\)$/m);
  });
}

for (const [name, Linked, Server, NewClient, shape] of [
  ["1", InMemoryTransport, McpServer, Client, (it) => it],
  ["2", InMemoryTransport2, McpServer2, Client2, (it) => z.object(it)],
]) {
  const about = { name: "hello", version: "1.0.0" };
  function hello() {
    const server = new Server(about);
    const inputSchema = shape({ name: z.string() });
    server.registerTool("greet", { description: "Greets", inputSchema }, ({ name }) => ({
      content: [{ type: "text", text: `Hello, ${name}!` }],
    }));
    return server;
  }

  test(`transports of the SDK ${name} are checked on both sides`, async () => {
    const [near, far] = Linked.createLinkedPair();
    const [client, server] = [new AssayTransport(near), new AssayTransport(far, { mode: "enforce" })];
    await hello().connect(server);
    const caller = new NewClient(about);
    await caller.connect(client);
    const { content } = await caller.callTool({ name: "greet", arguments: { name: "Ada" } });
    assert.equal(content[0].text, "Hello, Ada!");
    await caller.close();
    for (const transport of [client, server]) {
      assert.deepEqual(transport.findings.map(String), []);
      assert.ok(transport.messages >= 5, `${transport.messages} messages`);
    }
  });

  test(`a transport of the SDK ${name} refuses in enforce, and says that messages were serialised anew`, async () => {
    const [near, far] = Linked.createLinkedPair();
    const reports = [];
    const report = (checked) => reports.push(checked);
    await hello().connect(new AssayTransport(far, { mode: "enforce", report }));
    const answers = [];
    near.onmessage = (message) => answers.push(message);
    await near.start();
    await near.send(JSON.parse(CALL));
    assert.equal(answers.length, 1);
    assert.deepEqual([answers[0].id, answers[0].error.code], [1, -32602]);
    const [{ action, direction, fidelity }] = reports;
    assert.deepEqual([action, direction, fidelity], ["refuse", "c2s", "reserialised"]);
  });
}

test("a transport in shadow passes everything, in both directions", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const [received, answers] = [[], []];
  const checked = new AssayTransport(far, { report: () => undefined });
  checked.onmessage = (message) => received.push(message);
  near.onmessage = (message) => answers.push(message);
  await checked.start();
  await near.start();
  const bad = JSON.parse(CALL);
  await near.send(bad);
  await checked.send({ jsonrpc: "2.0", id: 1, result: 7 });
  assert.equal(received[0], bad);
  assert.equal(answers[0].result, 7);
  assert.deepEqual(checked.findings.map((it) => it.direction), ["c2s", "s2c"]);
});
