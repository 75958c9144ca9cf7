// The launcher: arguments, streams, exit codes and signals are those of the program, and a missing
// program is explained in one sentence.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";

import { version } from "mcp-assay/wasm";

const require = createRequire(import.meta.url);
const manifest = require("mcp-assay/package.json");
const BIN = path.join(path.dirname(require.resolve("mcp-assay/package.json")), manifest.bin["mcp-assay"]);

function run(words, options) {
  return spawnSync(process.execPath, [BIN, ...words], { encoding: "utf8", ...options });
}

test("npx runs the program of this version", () => {
  const { stdout, status } = spawnSync("npx", ["mcp-assay", "--version"], { encoding: "utf8" });
  assert.equal(status, 0);
  assert.ok(stdout.startsWith(`mcp-assay ${version()}`), stdout);
});

test("all packages have one version", () => {
  const versions = new Set([manifest.version, version(), ...Object.values(manifest.optionalDependencies)]);
  assert.deepEqual([...versions], [manifest.version]);
  assert.equal(Object.keys(manifest.optionalDependencies).length, 8);
  assert.equal(manifest.scripts, undefined, "nothing runs when it is installed");
});

test("input, output and exit codes are those of the program", () => {
  const clean = run(["check", "--format", "ndjson", "-"], { input: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n' });
  assert.equal(clean.status, 0, clean.stderr);
  assert.match(clean.stdout, /"summary":\{"messages":1,/);
  assert.equal(run(["check", "-"], { input: '{"jsonrpc":"2.0","id":true,"method":"ping"}\n' }).status, 1);
  assert.equal(run(["no-such-command"]).status, 2);
});

test("a signal ends the program, too", async () => {
  const words = ["wrap", "--", process.execPath, "servers/broken.mjs"];
  const child = spawn(process.execPath, [BIN, ...words], { stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  const [code, signal] = await once(child, "close");
  assert.ok(signal === "SIGTERM" || code === 143, `${code} ${signal}`);
});

test("a missing program is explained", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "mcp-assay-"));
  try {
    cpSync(path.dirname(path.dirname(BIN)), folder, { recursive: true });
    const bin = path.join(folder, manifest.bin["mcp-assay"]);
    const environment = { ...process.env };
    delete environment.MCP_ASSAY;
    const missing = spawnSync(process.execPath, [bin], { encoding: "utf8", env: environment });
    assert.equal(missing.status, 2);
    assert.match(missing.stderr, /^error: the package @mcp-assay\/\S+ is not installed: install .*\n$/);
    const script = `Object.defineProperty(process, "platform", { value: "sunos" }); require(${JSON.stringify(bin)})`;
    const unknown = spawnSync(process.execPath, ["-e", script], { encoding: "utf8", env: environment });
    assert.equal(unknown.status, 2);
    assert.match(unknown.stderr, /^error: mcp-assay has no program for sunos \S+: build it with .*\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the quick starts of the README are true", async () => {
  const readme = readFileSync(path.join(path.dirname(path.dirname(BIN)), "README.md"), "utf8");
  const [, code] = /```js\n(import \{ Session[^]*?)```/.exec(readme);
  const script = `import assert from "node:assert";\n${code.replaceAll("console.assert", "assert")}`;
  const done = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
});
