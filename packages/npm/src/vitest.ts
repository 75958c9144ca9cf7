/** Adds the matchers to vitest: `import "mcp-assay/vitest"`. */

import { expect } from "vitest";

import { type AssayMatchers, matchers } from "./matchers.js";

expect.extend(matchers);

declare module "vitest" {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any, @typescript-eslint/no-empty-object-type
  interface Matchers<T = any> extends AssayMatchers<T> {}
}

export { connect, launch } from "./server.js";
