const { launch } = require("mcp-assay/jest");

describe.each(["sdk1", "sdk2"])("%s", (name) => {
  const server = launch(["node", `servers/${name}.mjs`], { timeout: 60_000 });
  afterAll(() => server.close());

  test("greets", async () => {
    await expect(server).toSpeakMcp();
    await expect(server).toHaveTool("greet", { required: ["name"] });
    expect(await server.callTool("greet", { name: "Ada" })).toContainText("Hello, Ada!");
    expect(await server.callTool("greet", { name: "" })).toBeToolError();
  });
});
