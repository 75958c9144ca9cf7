// vitest and jest, run as users run them: on servers of the official SDK 1.x and 2.x, and on one
// with faults; and the compiler on the examples.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";

function npx(...words) {
  const env = { ...process.env, NO_COLOR: "1", CI: "1" };
  delete env.FORCE_COLOR;
  delete env.NODE_TEST_CONTEXT;
  const done = spawnSync("npx", words, { encoding: "utf8", env, maxBuffer: 1 << 26 });
  return { status: done.status, output: done.stdout + done.stderr };
}

const RUNNERS = [
  ["vitest", (file) => npx("vitest", "run", `vitest/${file}`)],
  ["jest", (file) => npx("jest", `jest/${file}`)],
];
for (const [name, run] of RUNNERS) {
  test(`${name}: hello-world servers of the SDKs pass`, () => {
    const { status, output } = run("hello.test");
    assert.equal(status, 0, output);
    assert.match(output, name === "vitest" ? /6 passed/ : /2 passed/, output);
    assert.ok(!output.includes("ProtocolWarning"), output);
  });

  test(`${name}: faults are reported with what the server offers`, () => {
    const { status, output } = run("broken.test");
    assert.equal(status, 1, output);
    for (const words of [
      "expected the server to speak MCP:",
      "`serverInfo.version` is missing [schema/missing-member]",
      "expected the server to have the tool `forcast`; it has:",
      "forecast(city, days?)",
    ]) {
      assert.ok(output.includes(words), output);
    }
  });
}

test("the test of the README passes", () => {
  const readme = readFileSync("node_modules/mcp-assay/README.md", "utf8");
  const [, code] = /```ts\n(import[^]*?)```/.exec(readme);
  writeFileSync("vitest/readme.test.ts", code);
  copyFileSync("servers/add.mjs", "server.mjs");
  try {
    const { status, output } = npx("vitest", "run", "vitest/readme");
    assert.equal(status, 0, output);
    assert.match(output, /1 passed/);
  } finally {
    rmSync("vitest/readme.test.ts");
    rmSync("server.mjs");
  }
});

for (const [module, resolution, ...files] of [
  ["node16", "node16", "types/vitest.ts", "types/jest.cts", "types/sdk.ts"],
  ["esnext", "bundler", "types/vitest.ts", "types/jest.cts"],
]) {
  test(`the examples have the right types: ${module}`, () => {
    const flags = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
    const { status, output } = npx(
      "tsc", ...flags, "--target", "es2022", "--lib", "es2022,esnext.disposable,dom", "--types", "node",
      "--module", module, "--moduleResolution", resolution, ...files,
    );
    assert.equal(status, 0, output);
  });
}
