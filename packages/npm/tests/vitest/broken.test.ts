import { expect, test } from "vitest";

import { launch } from "mcp-assay/vitest";

test("a server without a version", async () => {
  await expect(launch("node servers/broken.mjs no-version")).toSpeakMcp();
});

test("a tool that is not there", async () => {
  await expect(launch("node servers/broken.mjs")).toHaveTool("forcast");
});
