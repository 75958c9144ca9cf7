import { expect, test } from "vitest";

import { ProtocolViolation, type ServerViolation, type Tool } from "mcp-assay";
import { connect, launch } from "mcp-assay/vitest";
import { assayStdio, type Checked, Session } from "mcp-assay/wasm";

test("types", async () => {
  await using server = launch("node server.mjs", { strict: "should", select: ["schema"] });
  await expect(server).toSpeakMcp();
  await expect(server).toHaveTool("add", { required: ["a"] });
  // @ts-expect-error: names of arguments are a list
  await expect(server).toHaveTool("add", { required: "a" });
  const result = await server.callTool("add", { a: 1 });
  expect(result).toContainText("3");
  expect(result).not.toBeToolError();
  const text: string | undefined = result.content[0]?.text;
  const tool: Tool = await server.expectTool("add");
  const violations: readonly ServerViolation[] = await server.violations();
  const error = new ProtocolViolation(violations);
  void [text, tool.inputSchema.required, error.violations, connect(new URL("http://localhost/mcp"))];

  const session = new Session({ revision: "2025-06-18", mode: "enforce" });
  const checked: Checked = session.check(new Uint8Array(), "c2s", { time: 1 });
  const span: { readonly start: number } | undefined = checked.violations[0]?.span;
  // @ts-expect-error: a direction is "c2s" or "s2c"
  session.check("{}", "up");
  // @ts-expect-error: there is no such revision
  new Session({ revision: "2025-06-19" });
  void [span, assayStdio({ mode: "shadow" }).stdin];
});
