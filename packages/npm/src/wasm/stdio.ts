/** Standard input and output of a server, checked below the SDK, where the bytes are. */

import { Readable, Writable } from "node:stream";

import { AssayError } from "../selection.js";
import { type Engine, engine } from "./engine.js";
import { type Direction, type Mode, type Options, optionsText, readRow } from "./session.js";
import { deliver, type Report, toStderr } from "./transport.js";

export interface StdioOptions extends Options {
  /** `shadow` (the default) only reports; `enforce` lets no message with an error pass. */
  readonly mode?: Mode | undefined;
  /** Gets each message with violations; by default they are shown on standard error. */
  readonly report?: Report | undefined;
  /** The streams of the server, unless they are those of the process. */
  readonly stdin?: Readable | undefined;
  readonly stdout?: Writable | undefined;
}

/** The streams for the server: `new StdioServerTransport(stdin, stdout)`. */
export interface AssayStdio {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/**
 * Checks a server that is built with the official SDK:
 *
 *     const { stdin, stdout } = assayStdio({ mode: "enforce" });
 *     await server.connect(new StdioServerTransport(stdin, stdout));
 *
 * In `shadow` every byte passes as it is, and `report` gets each message with violations. In
 * `enforce` no message with an error passes: the sender of a request gets an error in answer.
 */
export function assayStdio(options: StdioOptions = {}): AssayStdio {
  const { stdin = process.stdin, stdout = process.stdout, report = toStderr, ...rest } = options;
  const wire = new Wire(optionsText(rest), options.mode === "enforce", report);
  return wire.open(stdin, stdout);
}

/** The traffic of both streams. */
class Wire {
  readonly #engine: Engine = engine();
  readonly #id: number;
  readonly #began = performance.now();
  #isOver = false;
  /** Streams that have not ended. */
  #open = 2;

  constructor(
    options: string,
    readonly enforces: boolean,
    readonly report: Report,
  ) {
    this.#id = this.#engine.number((it) => it.stream_open(), options);
  }

  open(source: Readable, sink: Writable): AssayStdio {
    const stdin = new Readable({
      read: () => {
        if (!sink.writableNeedDrain) {
          source.resume();
        }
      },
      destroy: (error, callback) => {
        source.pause();
        callback(error);
      },
    });
    /** Gives bytes to the server; `null` ends its input. */
    const give = (bytes: Uint8Array | null): void => {
      if (bytes?.length === 0 || stdin.readableEnded || stdin.destroyed) {
        return;
      }
      if (!stdin.push(bytes)) {
        source.pause();
      }
    };
    const receive = (bytes: Uint8Array): void => {
      const { on, back } = this.#feed("c2s", bytes, stdin);
      if (back.length > 0 && !sink.write(back)) {
        // A client that reads no refusals sends nothing more, either.
        source.pause();
        sink.once("drain", () => source.resume());
      }
      give(on);
      this.#deliver();
    };
    const send = (bytes: Uint8Array, callback: (error?: Error | null) => void): void => {
      const { on, back } = this.#feed("s2c", bytes, stdin);
      // The server gets an error in place of the answer to a request that did not go on.
      give(back);
      if (on.length > 0) {
        sink.write(on, callback);
      } else {
        callback();
      }
      this.#deliver();
    };
    source.on("data", (chunk: Uint8Array | string) => {
      receive(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    });
    source.on("end", () => {
      receive(NOTHING);
      give(null);
      this.#ended();
    });
    source.on("error", (error) => stdin.destroy(error));
    // Nothing is read before the server reads, or after it has stopped: then the process may end.
    source.pause();
    stdin.on("pause", () => source.pause());
    const stdout = new Writable({
      write: (chunk: Buffer, _encoding, callback) => {
        send(chunk, callback);
      },
      final: (callback) => {
        send(NOTHING, callback);
        this.#ended();
      },
    });
    sink.on("error", (error) => stdout.destroy(error));
    return { stdin, stdout };
  }

  /** Checks bytes, and returns those that go on, and those that go back. */
  #feed(direction: Direction, bytes: Uint8Array, stdin: Readable): { on: Uint8Array; back: Uint8Array } {
    const number = direction === "c2s" ? 1 : 2;
    try {
      if (!this.#isOver) {
        const time = (performance.now() - this.#began) / 1000;
        this.#engine.number((it) => it.stream_feed(this.#id, number, time), bytes);
        if (this.enforces) {
          const on = this.#engine.bytes((it) => it.stream_take(this.#id, number));
          const back = this.#engine.bytes((it) => it.stream_take(this.#id, 3 - number));
          return { on, back };
        }
      }
    } catch (error) {
      this.#isOver = true;
      console.error(`mcp-assay: ${String(error)}`);
    }
    if (this.#isOver && this.enforces) {
      // Nothing may pass that is not checked.
      stdin.destroy(new AssayError("the check failed"));
      return { on: NOTHING, back: NOTHING };
    }
    return { on: bytes, back: NOTHING };
  }

  /** Frees the memory in the module when both streams have ended. */
  #ended(): void {
    this.#open -= 1;
    if (this.#open === 0 && !this.#isOver) {
      this.#isOver = true;
      this.#engine.number((it) => {
        it.stream_close(this.#id);
        return 0;
      });
    }
  }

  #deliver(): void {
    if (this.#isOver) {
      return;
    }
    const rows = this.#engine.text((it) => it.stream_reports(this.#id));
    for (const row of rows.split("\n").filter((it) => it !== "")) {
      deliver(this.report, readRow(row.slice(1), Number(row.charAt(0))));
    }
  }
}

const NOTHING = new Uint8Array();
