/**
 * Tests of MCP servers: `launch` or `connect` to one, use it as a client does, and every message
 * is checked. `mcp-assay/vitest` and `mcp-assay/jest` add matchers, `mcp-assay/wasm` has the checks
 * in the process.
 */

import program from "../lib/program.cjs";

export { type AssayMatchers, matchers } from "./matchers.js";
export type { ServerOptions } from "./options.js";
export { AssayError, type Strict } from "./selection.js";
export {
  connect,
  type Content,
  type Handshake,
  type Json,
  launch,
  type PromptResult,
  ProtocolViolation,
  type ResourceContents,
  type Server,
  ServerError,
  type ServerViolation,
  type Tool,
  type ToolExpectations,
  type ToolResult,
} from "./server.js";

/** The path of the program that is installed beside this package. */
export const findProgram: () => string = program.findProgram;
