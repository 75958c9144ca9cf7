// A client of `mcp-assay validate --serve-json`: one question a line, one answer a line.
//
// Run it with `node examples/typescript/assay_client.ts` (22.18 or later, which leaves out the
// types), or with Deno, Bun or tsx; the environment variable MCP_ASSAY names the program if it is
// not on the path. Needs nothing but the standard library.

import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { createInterface } from "node:readline";
import process from "node:process";
import type { Readable, Writable } from "node:stream";

type Members = Record<string, unknown>;

interface Answer {
  id: number;
  ok: boolean;
  result?: unknown;
  error?: { kind: string; message: string };
}

/** The result of a check. */
export interface Found {
  valid: boolean;
  reason?: string;
  text?: string;
}

/** The result of a message of a session. */
export interface Row {
  verdict: "pass" | "flag" | "block";
  violations: { rule: string; pointer: string; message: string }[];
}

/** The program, and the questions that it answers. */
export class Assay {
  #process: ChildProcessByStdio<Writable, Readable, null>;
  #answers: AsyncIterator<string>;
  #last = 0;

  constructor(...flags: string[]) {
    const program = process.env.MCP_ASSAY ?? "mcp-assay";
    this.#process = spawn(program, ["validate", "--serve-json", ...flags], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: this.#process.stdout });
    this.#answers = lines[Symbol.asyncIterator]();
  }

  /** The result of a command; its members are those of docs/serve-json.md. */
  async ask<Result>(command: string, members: Members = {}): Promise<Result> {
    const id = ++this.#last;
    this.#process.stdin.write(JSON.stringify({ id, command, ...members }) + "\n");
    const line = await this.#answers.next();
    if (line.done) throw new Error("the program has ended");
    const answer = JSON.parse(line.value) as Answer;
    if (answer.id !== id) throw new Error(`answer ${answer.id} to question ${id}`);
    if (!answer.ok) throw new Error(answer.error?.message);
    return answer.result as Result;
  }

  /** Ends the program. */
  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("close", resolve));
    this.#process.stdin.end();
    await ended;
  }
}

const assay = new Assay();
const request = await assay.ask<Found>("validate_request", { method: "tools/cal" });
console.log("request:", request.text);

const call = await assay.ask<Found>("validate_tool_call", { name: "add", arguments: { a: 1 } });
console.log("tool call:", call.valid ? "valid" : call.text);

const { session } = await assay.ask<{ session: number }>("open", { revision: "2025-06-18" });
const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: {} };
const row = await assay.ask<Row>("check", { session, message, direction: "c2s" });
console.log("session:", row.verdict, row.violations[0].rule);
await assay.ask("end", { session });

try {
  await assay.ask("validate_requst", { method: "ping" });
} catch (bad) {
  console.log("bad question:", (bad as Error).message);
}
await assay.close();
