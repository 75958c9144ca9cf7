// The client of the harness, and the texts of its failures.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { after, test } from "node:test";

import { connect, findProgram, launch, matchers, ProtocolViolation } from "mcp-assay";

const started = [];
after(() => Promise.all(started.map((server) => server.kill())));

function broken(fault = "", options = {}) {
  const server = launch(`node servers/broken.mjs ${fault}`, options);
  started.push(server);
  return server;
}

/** The text of a matcher that fails. */
async function failure(outcome) {
  const { pass, message } = await outcome;
  assert.equal(pass, false);
  return message();
}

test("a violation fails the command that shows it, with the remedy", async () => {
  const server = broken("no-version");
  const failed = server.listTools();
  await assert.rejects(failed, ProtocolViolation);
  const { message, violations } = await failed.catch((error) => error);
  assert.match(message, /`serverInfo\.version` is missing \[schema\/missing-member\]/);
  assert.match(message, /help: add `version`/);
  assert.match(message, /mcp-assay explain schema\/missing-member/);
  assert.equal(violations[0].pointer, "/result/serverInfo");
});

test("the server breaks no rule, or toSpeakMcp lists the violations", async () => {
  const good = broken();
  assert.equal((await matchers.toSpeakMcp(good)).pass, true);
  const bad = broken("no-version");
  const text = await failure(matchers.toSpeakMcp(bad));
  assert.match(text, /^expected the server to speak MCP:\n.*`serverInfo\.version` is missing/);
  // It still says so when the violation was reported before.
  assert.match(await failure(matchers.toSpeakMcp(bad)), /serverInfo/);
  const noisy = broken("banner");
  assert.match(await failure(matchers.toSpeakMcp(noisy)), /weather server ready/);
  const silent = broken("silent", { timeout: 200 });
  assert.match(await failure(matchers.toSpeakMcp(silent)), /answer/);
});

test("a missing tool is reported with those that are there", async () => {
  const server = broken();
  assert.equal(
    await failure(matchers.toHaveTool(server, "forcast")),
    "expected the server to have the tool `forcast`; it has:\n  forecast(city, days?)\n  alerts(city?, days?)",
  );
  assert.equal(
    await failure(matchers.toHaveTool(server, "forecast", { required: ["days"], arguments: ["unit"] })),
    "expected the tool `forecast` to take the argument `unit`; it takes `city`, `days`\n" +
      "expected the tool `forecast` to require `days`; it requires `city`, and takes `city`, `days`",
  );
  assert.match(await failure(matchers.toHaveTool(server, "forecast", { readOnly: true })), /read-only; its annotations are none/);
  assert.match(await failure(matchers.toHaveTool(server, "forecast", { outputSchema: true })), /outputSchema/);
  assert.equal((await matchers.toHaveTool(server, "forecast", { required: ["city"] })).pass, true);
  const empty = broken("no-tools");
  assert.match(await failure(matchers.toHaveTool(empty, "forecast")), /it has no tools$/);
});

test("texts of a result are found, or shown", async () => {
  const server = broken();
  const [snow, alerts] = [await server.callTool("forecast", { city: "Bern" }), await server.callTool("alerts")];
  assert.equal(matchers.toContainText(snow, "Snow").pass, true);
  assert.equal(matchers.toContainText(snow, /900 m$/).pass, true);
  assert.equal(
    await failure(matchers.toContainText(snow, "Rain")),
    "expected the result to contain `Rain`\nit contains:\n  Snow above 900 m",
  );
  assert.match(await failure(matchers.toContainText({ content: [{ type: "image" }] }, "a")), /no text, but `image`$/);
  assert.equal(matchers.toBeToolError(alerts, "Bern").pass, true);
  assert.match(await failure(matchers.toBeToolError(snow)), /but it succeeded\nit contains:\n  Snow above/);
  const text = await failure(matchers.toBeToolError(alerts, "Basel"));
  assert.ok(text.includes("\\u{1b}[31mBern") && !text.includes("\u001b"), text);
  await assert.rejects(() => matchers.toSpeakMcp({}), TypeError);
});

test("results are checked with the schemas of the tools", async () => {
  const server = broken("bad-result");
  await assert.rejects(() => server.callTool("forecast", { city: "Bern" }), /content/);
});

test("errors of the server are errors of the command", async () => {
  const server = broken();
  const error = await server.request("weather/none").catch((it) => it);
  assert.deepEqual([error.name, error.kind, error.details.code], ["ServerError", "refused", -32601]);
  assert.equal((await server.expectError(-32601, "weather/none")).code, -32601);
  await assert.rejects(() => server.expectError(-32602, "weather/none"), { kind: "unmet" });
});

test("the traffic is saved as a capture that the program checks", async () => {
  const server = broken();
  const file = path.resolve("traffic.ndjson");
  await server.callTool("forecast", { city: "Bern" });
  await server.close();
  await server.close();
  await server.save(file);
  assert.equal(readFileSync(file, "utf8").split("\n").filter((it) => it.includes("tools/call")).length, 1);
  assert.equal(spawnSync(findProgram(), ["check", file]).status, 0);
  rmSync(file);
  await assert.rejects(() => server.ping(), /closed/);
});

test("a wrong setting is reported in the words of the program", async () => {
  await assert.rejects(() => broken("", { select: "schema/mising-member" }).ping(), /did you mean/);
  await assert.rejects(() => launch("no-such-program-here").ping(), /no-such-program-here/);
  assert.throws(() => launch(""), /empty/);
  assert.throws(() => launch('node "a'), /closing "/);
  assert.throws(() => launch("node a", { strict: "shuold" }), /strict/);
});

test("a server over HTTP gets the headers", async () => {
  const seen = [];
  const http = createServer(async (request, response) => {
    seen.push(request.headers["x-key"]);
    let body = "";
    for await (const chunk of request) body += chunk;
    const { id, method } = JSON.parse(body || "{}");
    if (id === undefined) return response.writeHead(202).end();
    const result = method === "initialize"
      ? { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } }
      : {};
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  const server = connect(`http://127.0.0.1:${http.address().port}/mcp`, { headers: { "X-Key": "k" } });
  try {
    assert.equal((await server.initialize()).serverInfo.name, "s");
    await server.ping();
    await server.close();
    assert.ok(seen.length > 1 && seen.every((it) => it === "k"), String(seen));
  } finally {
    http.close();
  }
});

test("a server that nobody closes does not keep the process alive", () => {
  const script = `
    import { launch } from "mcp-assay";
    const server = launch("node servers/broken.mjs");
    await server.ping();
    console.log("done");
  `;
  const done = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8", timeout: 60_000 });
  assert.deepEqual([done.stdout, done.status], ["done\n", 0], done.stderr);
});
