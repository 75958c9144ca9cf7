/** Matchers for `expect` of vitest, jest and Bun. */

import { type Content, inWords, Server, type Tool, type ToolExpectations } from "./server.js";
import { visible } from "./visible.js";

/** The matchers as they are called. */
export interface AssayMatchers<R = unknown> {
  /** The server makes the handshake, answers `ping`, and has broken no rule so far. */
  toSpeakMcp(): Promise<R>;
  /** The server lists the tool, with what is expected of it. */
  toHaveTool(name: string, expected?: ToolExpectations): Promise<R>;
  /** A result, its contents or its messages contain the text. */
  toContainText(text: string | RegExp): R;
  /** The result of a tool says `isError`, and contains the text if one is given. */
  toBeToolError(text?: string | RegExp): R;
}

/** The outcome of a matcher. */
export interface Outcome {
  pass: boolean;
  message: () => string;
}

/** For `expect.extend`. */
export const matchers = {
  async toSpeakMcp(received: unknown): Promise<Outcome> {
    const server = asServer(received, "toSpeakMcp");
    const refused = await refusal(async () => {
      await server.initialize();
      await server.ping();
    });
    const failures = await server.failures().catch(() => []);
    const traffic = failures.length > 0 ? await server.traffic().catch(() => []) : [];
    const text = failures.length > 0 ? inWords(failures, traffic) : refused;
    return {
      pass: text === undefined,
      message: () =>
        text === undefined
          ? "expected the server to break the protocol, but it does not"
          : `expected the server to speak MCP:\n${text}`,
    };
  },

  async toHaveTool(
    received: unknown,
    name: string,
    expected: ToolExpectations = {},
  ): Promise<Outcome> {
    const tools = await asServer(received, "toHaveTool").listTools();
    const tool = tools.find((it) => it.name === name);
    const faults = tool === undefined ? [missing(name, tools)] : lacks(tool, expected);
    return {
      pass: faults.length === 0,
      message: () =>
        faults.length === 0
          ? `expected the server not to have the tool ${quoted(name)}, but it has:\n${described(tool)}`
          : faults.join("\n"),
    };
  },

  toContainText(received: unknown, text: string | RegExp): Outcome {
    const found = texts(received);
    const pass = contains(found, text);
    return {
      pass,
      message: () =>
        `expected the result ${pass ? "not " : ""}to contain ${shown(text)}\n${listed(received, found)}`,
    };
  },

  toBeToolError(received: unknown, text?: string | RegExp): Outcome {
    const found = texts(received);
    const isError = isObject(received) && received["isError"] === true;
    const pass = isError && (text === undefined || contains(found, text));
    const wanted = text === undefined ? "" : ` that contains ${shown(text)}`;
    return {
      pass,
      message: () =>
        `expected the result ${pass ? "not " : ""}to be an error of the tool${wanted}` +
        `${isError ? "" : ", but it succeeded"}\n${listed(received, found)}`,
    };
  },
};

function asServer(received: unknown, matcher: string): Server {
  if (!(received instanceof Server)) {
    throw new TypeError(`${matcher} takes a server of \`launch\` or \`connect\``);
  }
  return received;
}

/** The message of the error that a call throws. */
async function refusal(call: () => Promise<void>): Promise<string | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function missing(name: string, tools: readonly Tool[]): string {
  const offer =
    tools.length === 0
      ? "it has no tools"
      : `it has:\n${tools.map((it) => `  ${signature(it)}`).join("\n")}`;
  return `expected the server to have the tool ${quoted(name)}; ${offer}`;
}

/** What a tool lacks, one line each. */
function lacks(tool: Tool, expected: ToolExpectations): string[] {
  const takes = Object.keys(tool.inputSchema.properties ?? {});
  const required = tool.inputSchema.required ?? [];
  const faults: string[] = [];
  for (const name of expected.arguments ?? []) {
    if (!takes.includes(name)) {
      faults.push(`to take the argument ${quoted(name)}; it takes ${list(takes)}`);
    }
  }
  for (const name of expected.required ?? []) {
    if (!required.includes(name)) {
      faults.push(`to require ${quoted(name)}; it requires ${list(required)}, and takes ${list(takes)}`);
    }
  }
  if (expected.readOnly === true && tool.annotations?.readOnlyHint !== true) {
    faults.push(`to be annotated as read-only; its annotations are ${annotations(tool)}`);
  }
  if (expected.outputSchema === true && tool.outputSchema === undefined) {
    faults.push("to have an `outputSchema`; it has none");
  }
  return faults.map((fault) => `expected the tool ${quoted(tool.name)} ${fault}`);
}

/** A tool in one line: `forecast(city, days?)`. */
function signature({ name, inputSchema }: Tool): string {
  const takes = Object.keys(inputSchema.properties ?? {});
  const required = inputSchema.required ?? [];
  return `${visible(name)}(${takes.map((it) => visible(it) + (required.includes(it) ? "" : "?")).join(", ")})`;
}

function described(tool: Tool | undefined): string {
  return tool === undefined ? "" : `  ${signature(tool)}`;
}

function annotations(tool: Tool): string {
  return tool.annotations === undefined ? "none" : visible(JSON.stringify(tool.annotations));
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.map(quoted).join(", ");
}

/** The texts of a result of a tool, of contents of resources, or of messages of a prompt. */
function texts(received: unknown): string[] {
  if (Array.isArray(received)) {
    return received.flatMap(texts);
  }
  if (!isObject(received)) {
    return [];
  }
  const { content, contents, messages, text } = received;
  if (typeof text === "string") {
    return [text];
  }
  const resource = received["type"] === "resource" ? received["resource"] : undefined;
  return [content, contents, messages, resource].flatMap((it) => texts(it));
}

function contains(found: readonly string[], text: string | RegExp): boolean {
  const whole = found.join("\n");
  return typeof text === "string" ? whole.includes(text) : new RegExp(text).test(whole);
}

/** The texts of a result, and the kinds of its other parts. */
function listed(received: unknown, found: readonly string[]): string {
  if (found.length > 0) {
    return `it contains:\n${found.map((it) => `  ${visible(it)}`).join("\n")}`;
  }
  const content = isObject(received) ? received["content"] : undefined;
  const kinds = Array.isArray(content) ? (content as Content[]).map((it) => it.type) : [];
  return kinds.length === 0 ? "it contains no text" : `it contains no text, but ${list(kinds)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function shown(text: string | RegExp): string {
  return typeof text === "string" ? quoted(text) : String(text);
}

function quoted(name: string): string {
  return `\`${visible(name)}\``;
}
