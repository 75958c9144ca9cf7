import { afterAll, describe, expect, test } from "vitest";

import { launch } from "mcp-assay/vitest";

describe.each(["sdk1", "sdk2"])("%s", (name) => {
  const server = launch(["node", `servers/${name}.mjs`], { timeout: 60_000 });
  afterAll(() => server.close());

  test("speaks MCP", async () => {
    await expect(server).toSpeakMcp();
  });

  test("greets", async () => {
    await expect(server).toHaveTool("greet", { required: ["name"], arguments: ["loud"] });
    await expect(server).not.toHaveTool("gret");
    const result = await server.callTool("greet", { name: "Ada" });
    expect(result).toContainText("Hello, Ada!");
    expect(result).not.toContainText(/^HELLO/);
    expect(result).not.toBeToolError();
    expect(await server.callTool("greet", { name: "" })).toBeToolError("nobody");
  });

  test("has a resource", async () => {
    expect(await server.readResource("hello://world")).toContainText("world");
  });
});
