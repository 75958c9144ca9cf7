/**
 * The checks in the process: `mcp-assay/wasm` in Node, Deno and Bun.
 *
 * The module is loaded when it is needed first.
 */

import { readFileSync } from "node:fs";

import engineFile from "../../lib/engine-file.cjs";
import { setLoader } from "./engine.js";

setLoader(() => new WebAssembly.Module(readFileSync(engineFile)));

/** Does nothing here: browsers load WebAssembly asynchronously, and need it. */
export function init(): Promise<void> {
  return Promise.resolve();
}

export { AssayError, type Strict } from "../selection.js";
export {
  type Action,
  Checked,
  type Direction,
  explain,
  type Fidelity,
  type Kind,
  type Level,
  type Mode,
  type Options,
  type Party,
  type Revision,
  type Rule,
  rules,
  Session,
  type SessionOptions,
  type Verdict,
  version,
  type Violation,
} from "./session.js";
export { assayStdio, type AssayStdio, type StdioOptions } from "./stdio.js";
export { AssayTransport, type Report, type TransportLike, type TransportOptions } from "./transport.js";
