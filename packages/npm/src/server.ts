/** A server under test: started, used as a client uses it, and checked with every message. */

import { writeFile } from "node:fs/promises";

import { flags, type ServerOptions, words } from "./options.js";
import { Harness } from "./process.js";
import { AssayError, raisesWarnings } from "./selection.js";
import { visible } from "./visible.js";

/** Any JSON object. */
export type Json = Record<string, unknown>;

/** A violation of a rule, as the harness reports it. */
export interface ServerViolation {
  readonly rule: string;
  readonly layer: string;
  readonly level: "error" | "warning" | "note";
  /** The message and its fault, for people. */
  readonly headline: string;
  readonly message: string;
  readonly pointer: string;
  readonly span: { readonly start: number; readonly end: number };
  readonly code: number | null;
  readonly help: string;
  readonly spec: string;
  readonly method: string | null;
  readonly revision: string | null;
  /** The place of the message in the traffic. */
  readonly record: number | null;
}

export interface Tool extends Json {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Json & {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
  };
  readonly outputSchema?: Json;
  readonly annotations?: Json & { readonly readOnlyHint?: boolean };
}

export interface Content extends Json {
  readonly type: string;
  readonly text?: string;
}

export interface ToolResult extends Json {
  readonly content: readonly Content[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
}

export interface Handshake extends Json {
  readonly protocolVersion: string;
  readonly capabilities: Json;
  readonly serverInfo: Json & { readonly name: string; readonly version: string };
  readonly instructions?: string;
}

export interface ResourceContents extends Json {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

export interface PromptResult extends Json {
  readonly messages: readonly { readonly role: string; readonly content: Content }[];
}

/** What is expected of a tool. */
export interface ToolExpectations {
  /** Arguments that it takes. */
  readonly arguments?: readonly string[] | undefined;
  /** Arguments that it requires. */
  readonly required?: readonly string[] | undefined;
  /** Whether it has to be annotated as read-only. */
  readonly readOnly?: boolean | undefined;
  /** Whether it has to have an output schema. */
  readonly outputSchema?: boolean | undefined;
}

/** A command failed; `kind` and `details` are those of docs/harness.md. */
export class ServerError extends Error {
  override name = "ServerError";
  readonly kind: string;
  readonly details: Json;

  constructor(message: string, kind: string, details: Json) {
    super(message);
    this.kind = kind;
    this.details = details;
  }
}

/** A message of the server breaks a rule; `violations` has all that are new. */
export class ProtocolViolation extends ServerError {
  override name = "ProtocolViolation";
  readonly violations: readonly ServerViolation[];

  constructor(violations: readonly ServerViolation[], traffic: readonly Json[] = []) {
    super(inWords(violations, traffic), "violation", { violations });
    this.violations = violations;
  }
}

/** Violations for people: one line each, then the messages and the remedies. */
export function inWords(violations: readonly ServerViolation[], traffic: readonly Json[]): string {
  const lines = violations.map(line);
  const details = violations.flatMap(({ help, record, rule }) => [
    ...sent(traffic[record ?? -1]),
    `  help: ${help}`,
    `  rule: mcp-assay explain ${rule}`,
  ]);
  return [...new Set([...lines, ...details])].join("\n");
}

/** The message of a record, if it has one. */
function sent(record: Json | undefined): string[] {
  const sse = record?.["sse"] as Json | undefined;
  const text = record?.["raw"] ?? record?.["body"] ?? sse?.["data"];
  return typeof text === "string" && text !== "" ? [`  sent: ${visible(text, MAX_SENT)}`] : [];
}

/** Characters of a message that a failure shows. */
const MAX_SENT = 400;

function line({ headline, rule }: ServerViolation): string {
  const [first = ""] = headline.split("\n");
  return `${visible(first.replace(/^strict mode: /, ""))} [${rule}]`;
}

/**
 * A server under test.
 *
 * The first command makes the handshake. A command fails as soon as a message of the server breaks
 * a rule (error level); warnings are shown, and fail with `strict: "should"`.
 */
export class Server {
  readonly #harness: Harness;
  readonly #fails: ReadonlySet<string>;
  #handshake: Promise<Handshake> | undefined;
  #hasListed = false;
  #checked = 0;
  #traffic: Json[] = [];
  #isClosed = false;

  /** @internal */
  constructor(target: readonly string[], options: ServerOptions) {
    this.#fails = new Set(raisesWarnings(options.strict) ? ["error", "warning"] : ["error"]);
    const { cwd, env } = options;
    const environment = { ...process.env, ...env };
    this.#harness = new Harness([...flags(options), ...target], { cwd, env: environment });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The result of the handshake, which is made once. */
  initialize(): Promise<Handshake> {
    this.#handshake ??= this.#run("initialize") as Promise<Handshake>;
    return this.#handshake;
  }

  /** All tools, page by page. */
  async listTools(): Promise<Tool[]> {
    return (await this.#use("list_tools")) as Tool[];
  }

  /** The tool; fails if it is not listed, or lacks what is expected of it. */
  async expectTool(name: string, expected: ToolExpectations = {}): Promise<Tool> {
    return (await this.#use("expect_tool", {
      name,
      arguments: expected.arguments ?? [],
      required: expected.required ?? [],
      read_only: expected.readOnly ?? false,
      output_schema: expected.outputSchema ?? false,
    })) as Tool;
  }

  /** Calls a tool. Tools are listed before the first call, so that its result is checked. */
  async callTool(name: string, args: Json = {}): Promise<ToolResult> {
    const { capabilities } = await this.initialize();
    if ("tools" in capabilities && !this.#hasListed) {
      await this.listTools();
    }
    return (await this.#use("call_tool", { name, arguments: args })) as ToolResult;
  }

  async listResources(): Promise<Json[]> {
    return (await this.#use("list_resources")) as Json[];
  }

  async listResourceTemplates(): Promise<Json[]> {
    return (await this.#use("list_resource_templates")) as Json[];
  }

  /** The contents of a resource. */
  async readResource(uri: string): Promise<ResourceContents[]> {
    return (await this.#use("read_resource", { uri })) as ResourceContents[];
  }

  async listPrompts(): Promise<Json[]> {
    return (await this.#use("list_prompts")) as Json[];
  }

  async getPrompt(name: string, args: Readonly<Record<string, string>> = {}): Promise<PromptResult> {
    return (await this.#use("get_prompt", { name, arguments: args })) as PromptResult;
  }

  async ping(): Promise<void> {
    await this.#use("ping");
  }

  /** The result of any request. */
  request(method: string, params?: Json): Promise<unknown> {
    return this.#use("request", { method, params });
  }

  async notify(method: string, params?: Json): Promise<void> {
    await this.#use("notify", { method, params });
  }

  /** Checks the messages that the server sends in this time, in milliseconds. */
  async listen(time: number): Promise<void> {
    await this.#use("listen", { seconds: time / 1000 });
  }

  /** The error that the server answers a request with; fails if it has another code. */
  async expectError(code: number, method: string, params?: Json): Promise<Json> {
    return (await this.#use("expect_error", { code, method, params })) as Json;
  }

  /** Answers requests of the server from now on; before the handshake, declares that. */
  async onRequest(method: string, result: unknown): Promise<void> {
    await this.#run("on_request", { method, result });
  }

  /** Notifications that the server sent so far. */
  async notifications(method: string): Promise<Json[]> {
    return (await this.#use("notifications", { method })) as Json[];
  }

  /** All violations so far, warnings and notes included. */
  async violations(): Promise<ServerViolation[]> {
    return (await this.#ask("violations")) as ServerViolation[];
  }

  /** The violations so far that fail a command. */
  async failures(): Promise<ServerViolation[]> {
    return (await this.violations()).filter((it) => this.#fails.has(it.level));
  }

  /** Method, times and outcome of each exchange. */
  async timings(): Promise<Json[]> {
    return (await this.#ask("timings")) as Json[];
  }

  /** The last lines of the server on standard error. */
  stderr(): Promise<unknown> {
    return this.#ask("stderr");
  }

  /** Everything that passed, as the records of a capture that `mcp-assay check` reads. */
  async traffic(): Promise<Json[]> {
    if (!this.#isClosed) {
      this.#traffic = (await this.#ask("traffic")) as Json[];
    }
    return this.#traffic;
  }

  /** Writes the traffic as a capture, readable by its owner alone. */
  async save(path: string): Promise<void> {
    const lines = (await this.traffic()).map((record) => `${JSON.stringify(record)}\n`);
    await writeFile(path, lines.join(""), { mode: 0o600 });
  }

  /** Ends the server, and checks its last messages. */
  async close(): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    try {
      await this.#run("close");
    } finally {
      await this.kill();
    }
  }

  /** Ends the server without a check; what passed is kept. */
  async kill(): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    // Nothing passed if the program is gone.
    await this.traffic().catch(() => undefined);
    this.#isClosed = true;
    await this.#harness.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Runs a command of a server that has made its handshake. */
  async #use(command: string, members: Json = {}): Promise<unknown> {
    await this.initialize();
    if (command === "list_tools") {
      this.#hasListed = true;
    }
    return this.#run(command, members);
  }

  /** Runs a command. Violations are graver than the failure that they cause. */
  async #run(command: string, members: Json = {}): Promise<unknown> {
    const result = this.#ask(command, members);
    await result.catch((error: unknown) => {
      if (!(error instanceof ServerError)) {
        throw error;
      }
    });
    await this.#check();
    return result;
  }

  /** Throws the violations that are new. */
  async #check(): Promise<void> {
    const found = await this.violations();
    const fresh = found.slice(this.#checked);
    this.#checked = found.length;
    const failures = fresh.filter((it) => this.#fails.has(it.level));
    for (const violation of fresh) {
      if (violation.level === "warning" && !failures.includes(violation)) {
        process.emitWarning(line(violation), { type: "ProtocolWarning", detail: violation.help });
      }
    }
    if (failures.length > 0) {
      throw new ProtocolViolation(failures, await this.traffic());
    }
  }

  async #ask(command: string, members: Json = {}): Promise<unknown> {
    if (this.#isClosed) {
      throw new AssayError("the server is closed");
    }
    const answer = await this.#harness.ask(command, members);
    if (answer.ok) {
      return answer.result;
    }
    throw new ServerError(answer.error.message, answer.error.kind, { ...answer.error });
  }
}

/**
 * Starts a server: `launch("node server.mjs")`. A command is a text that is split as a shell does,
 * or a list of words; the word `node` stands for the Node that runs the tests.
 */
export function launch(command: string | readonly string[], options: ServerOptions = {}): Server {
  return new Server(["--", ...words(command)], options);
}

/** Connects to a server over Streamable HTTP. */
export function connect(url: string | URL, options: ServerOptions = {}): Server {
  return new Server(["--url", String(url)], options);
}
