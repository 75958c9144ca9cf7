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

export { AssayError } from "./engine.js";
export * from "./session.js";
