/** The WebAssembly module of packages/wasm: its functions, and its instances. */

import { AssayError } from "../selection.js";

interface Exports {
  memory: WebAssembly.Memory;
  input(length: number): number;
  output(): number;
  session_open(): number;
  session_close(session: number): void;
  session_check(session: number, bytes: number, direction: number, seconds: number): number;
  session_action(session: number): number;
  session_text(session: number): number;
  session_split_off(session: number): number;
  session_end(session: number, by: number): number;
  session_revision(session: number): number;
  rules_json(): number;
  explain(): number;
  visible(): number;
  version(): number;
  stream_open(): number;
  stream_close(stream: number): void;
  stream_feed(stream: number, direction: number, seconds: number): number;
  stream_take(stream: number, direction: number): number;
  stream_reports(stream: number): number;
}

/** The functions that take their argument from the input, and return a text. */
type Call = (exports: Exports) => number;

/**
 * The largest part of a message that is handed over. It is beyond the limit of the checks, so a
 * longer message gets the same result: it is too long.
 */
const MAX_BYTES = 1 << 28;

/** `getRandomValues` fills no more at once. */
const MAX_RANDOM = 1 << 16;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One instance of the module. All sessions share it, until a failure makes it useless. */
export class Engine {
  readonly #exports: Exports;
  #failure: string | undefined;

  constructor(module: WebAssembly.Module) {
    const host = {
      random: (start: number, length: number): void => {
        const bytes = this.#bytes(start, length);
        for (let at = 0; at < length; at += MAX_RANDOM) {
          crypto.getRandomValues(bytes.subarray(at, at + MAX_RANDOM));
        }
      },
      panic: (start: number, length: number): void => {
        throw new AssayError(decoder.decode(this.#bytes(start, length)));
      },
    };
    const instance = new WebAssembly.Instance(module, { host });
    this.#exports = instance.exports as unknown as Exports;
  }

  /** Whether a call has failed, so that nothing can be said about the state of the instance. */
  get isBroken(): boolean {
    return this.#failure !== undefined;
  }

  /** The text that a call returns. */
  text(call: Call, ...input: readonly (Uint8Array | string)[]): string {
    return this.#output(this.number(call, ...input));
  }

  /** The bytes that a call returns. */
  bytes(call: Call): Uint8Array {
    const length = this.number(call);
    return this.#bytes(this.#exports.output(), length).slice();
  }

  /** The number that a call returns: the length of its text, or its result. */
  number(call: Call, ...input: readonly (Uint8Array | string)[]): number {
    const number = this.#run(call, input);
    if (number < 0) {
      throw new AssayError(this.#output(-number));
    }
    return number;
  }

  #run(call: Call, input: readonly (Uint8Array | string)[]): number {
    if (this.#failure !== undefined) {
      throw new AssayError(this.#failure);
    }
    try {
      if (input.length > 0) {
        this.#write(input);
      }
      return call(this.#exports);
    } catch (error) {
      this.#failure = `the check failed, please report this: ${String(error)}`;
      throw new AssayError(this.#failure, { cause: error });
    }
  }

  #output(length: number): string {
    return decoder.decode(this.#bytes(this.#exports.output(), length));
  }

  #write(input: readonly (Uint8Array | string)[]): void {
    const parts: Uint8Array[] = [];
    let length = 0;
    for (const it of input) {
      const part = typeof it === "string" ? encoder.encode(it) : it;
      parts.push(part);
      length += part.length;
    }
    const start = this.#exports.input(length);
    for (let at = start, index = 0; index < parts.length; index += 1) {
      const part = parts[index] as Uint8Array;
      this.#bytes(at, part.length).set(part);
      at += part.length;
    }
  }

  /** A part of the memory; it is valid until the next call, which may move the memory. */
  #bytes(start: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#exports.memory.buffer as ArrayBuffer, start, length);
  }
}

/** The bytes of a message, as far as they are handed over. */
export function messageBytes(message: Uint8Array | string): Uint8Array {
  return typeof message === "string" ? encoder.encode(message) : message.subarray(0, MAX_BYTES);
}

let compiled: WebAssembly.Module | undefined;
let load: (() => WebAssembly.Module) | undefined;
let current: Engine | undefined;

/** Sets the module that is used from now on. */
export function setModule(module: WebAssembly.Module): void {
  compiled = module;
}

/** Whether `setModule` was called. */
export function hasModule(): boolean {
  return compiled !== undefined;
}

/** Sets the function that loads the module when it is needed. */
export function setLoader(loader: () => WebAssembly.Module): void {
  load = loader;
}

/** The instance for new sessions. */
export function engine(): Engine {
  if (current === undefined || current.isBroken) {
    compiled ??= load?.();
    if (compiled === undefined) {
      throw new AssayError("call `await init()` first: browsers load WebAssembly asynchronously");
    }
    current = new Engine(compiled);
  }
  return current;
}
