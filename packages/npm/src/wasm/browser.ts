/** The checks in a browser: `mcp-assay/wasm` where bundlers ask for browsers. */

import { AssayError } from "../selection.js";
import { hasModule, setModule } from "./engine.js";

/** A compiled module, its bytes, a response with them, or their address. */
export type Source = WebAssembly.Module | BufferSource | Response | URL | string;

/**
 * Loads the module: from beside this file unless another source is given. Everything else needs
 * it; further calls do nothing.
 */
export async function init(source?: Source | Promise<Source>): Promise<void> {
  if (!hasModule()) {
    setModule(await compile(await (source ?? new URL("../../engine.wasm", import.meta.url))));
  }
}

async function compile(source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) {
    return source;
  }
  // Without `compileStreaming`: servers often give no type for `.wasm` files.
  return WebAssembly.compile(await bytes(source as Exclude<Source, WebAssembly.Module>));
}

async function bytes(source: BufferSource | Response | URL | string): Promise<BufferSource> {
  if (typeof source === "string" || source instanceof URL) {
    return bytes(await fetch(source));
  }
  if (!(source instanceof Response)) {
    return source;
  }
  if (!source.ok) {
    throw new AssayError(`failed to load ${source.url}: status ${String(source.status)}`);
  }
  return source.arrayBuffer();
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
export { AssayTransport, type Report, type TransportLike, type TransportOptions } from "./transport.js";
