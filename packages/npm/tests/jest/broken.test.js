const { launch } = require("mcp-assay/jest");

test("a server without a version", async () => {
  await expect(launch("node servers/broken.mjs no-version")).toSpeakMcp();
});

test("a tool that is not there", async () => {
  await expect(launch("node servers/broken.mjs")).toHaveTool("forcast");
});
