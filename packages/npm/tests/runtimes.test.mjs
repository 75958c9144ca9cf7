// The checks in the process, in Deno and Bun where they are installed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";

const SCRIPT = `
  import { AssayTransport, assayStdio, init, Session } from "mcp-assay/wasm";
  await init();
  const checked = new Session().check('{"jsonrpc":"2.0","id":true,"method":"ping"}', "c2s");
  console.log(checked.verdict, checked.violations[0].rule, typeof assayStdio, typeof AssayTransport);
`;
writeFileSync("runtime.mjs", SCRIPT);
after(() => rmSync("runtime.mjs"));

for (const [runtime, ...words] of [
  ["node"],
  ["deno", "run", "--allow-read", "--node-modules-dir=manual"],
  ["bun"],
]) {
  const isThere = spawnSync(runtime, ["--version"]).status === 0;
  test(`${runtime} checks messages`, { skip: isThere ? false : `${runtime} is not installed` }, () => {
    const done = spawnSync(runtime, [...words, "runtime.mjs"], { encoding: "utf8" });
    assert.equal(done.stdout, "block jsonrpc/id-type function function\n", done.stderr);
  });
}
