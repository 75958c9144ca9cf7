import { expect, test } from "@jest/globals";

import { launch } from "mcp-assay/jest";

test("types", async () => {
  const server = launch(["node", "server.mjs"]);
  await expect(server).toHaveTool("add", { required: ["a"] });
  expect(await server.callTool("add")).toContainText(/3/);
  expect(await server.callTool("add")).not.toBeToolError();
  await server.close();
});
