/** The program as a harness: `mcp-assay probe --serve-json`, see docs/harness.md. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";

import program from "../lib/program.cjs";
import { AssayError } from "./selection.js";

/** An answer to a command. */
export type Answer =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly error: { readonly kind: string; readonly message: string };
    };

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** Lines of standard error that are kept. */
const MAX_COMPLAINTS = 50;

/** A running program. It does not keep the process alive unless a command waits. */
export class Harness {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: Waiting[] = [];
  readonly #ended: Promise<void>;
  #complaints: string[] = [];
  #failure: Error | undefined;

  constructor(flags: readonly string[], options: { cwd?: string | undefined; env: NodeJS.ProcessEnv }) {
    const { cwd, env } = options;
    this.#child = spawn(program.findProgram(), ["probe", "--serve-json", "--no-strict", ...flags], {
      stdio: "pipe",
      env,
      windowsHide: true,
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#ended = new Promise((resolve) => {
      this.#child.on("close", () => {
        const complaint = this.#complaints.join("\n").replace(/^error: /, "");
        this.#fail(new AssayError(complaint === "" ? "mcp-assay ended" : complaint));
        resolve();
      });
      this.#child.on("error", (error) => {
        this.#fail(new AssayError(`failed to start mcp-assay: ${error.message}`));
        resolve();
      });
    });
    // The end of the program is reported, not the pipe that broke with it.
    this.#child.stdin.on("error", () => undefined);
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      this.#waiting.shift()?.resolve(JSON.parse(line) as Answer);
      this.#hold();
    });
    createInterface({ input: this.#child.stderr }).on("line", (line) => {
      this.#complaints = [...this.#complaints.slice(1 - MAX_COMPLAINTS), line];
    });
    this.#hold();
  }

  /** Runs a command. Commands are answered in their order. */
  ask(command: string, members: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    if (this.#failure !== undefined) {
      return Promise.reject(this.#failure);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#hold();
      this.#child.stdin.write(`${JSON.stringify({ command, ...members })}\n`);
    });
  }

  /** Ends the program, which ends the server. */
  async end(): Promise<void> {
    this.#child.ref();
    this.#child.stdin.end();
    const killer = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    await this.#ended;
    clearTimeout(killer);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) {
      reject(this.#failure);
    }
  }

  /** Keeps the process alive while commands wait. */
  #hold(): void {
    const { stdin, stdout, stderr } = this.#child as unknown as Record<string, Socket>;
    for (const handle of [this.#child, stdin, stdout, stderr]) {
      if (this.#waiting.length > 0) {
        handle?.ref();
      } else {
        handle?.unref();
      }
    }
  }
}
