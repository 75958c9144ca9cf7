/** Adds the matchers to jest: `import "mcp-assay/jest"`, or name it in `setupFilesAfterEach`. */

import { expect } from "@jest/globals";

import { type AssayMatchers, matchers } from "./matchers.js";

expect.extend(matchers);

declare module "expect" {
  interface Matchers<R extends void | Promise<void>> extends AssayMatchers<R> {}
}

export { connect, launch } from "./server.js";
