/** The options of a server under test, as flags of the program. */

import { AssayError, names, type Strict } from "./selection.js";

/** Which rules are checked, and under which revision. */
export interface ServerOptions {
  /** The environment of the server, beside that of the tests. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The working directory of the server. */
  readonly cwd?: string | undefined;
  /** Headers of every request over HTTP. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds that an answer may take; 5 seconds unless given. */
  readonly timeout?: number | undefined;
  /** The revision to speak. */
  readonly revision?: string | undefined;
  /** What fails a command: errors only ("must"), or warnings, too ("should" or `true`). */
  readonly strict?: Strict | undefined;
  /** Rules, families, layers or levels that are checked. */
  readonly select?: string | readonly string[] | undefined;
  /** Rules, families, layers or levels that are not checked. */
  readonly ignore?: string | readonly string[] | undefined;
  /** A dialect: the name of a built-in profile, or a file. */
  readonly profile?: string | undefined;
}

/** The options as flags of `mcp-assay probe`. */
export function flags(options: ServerOptions): string[] {
  const given: string[] = [];
  for (const key of ["select", "ignore"] as const) {
    for (const name of names(options[key])) {
      given.push(`--${key}`, name);
    }
  }
  for (const key of ["revision", "profile"] as const) {
    const value = options[key];
    if (value !== undefined) {
      given.push(`--${key}`, value);
    }
  }
  if (options.timeout !== undefined) {
    given.push("--step-timeout", String(options.timeout / 1000));
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    given.push("--header", `${name}: ${value}`);
  }
  return given;
}

/** The words of a command; the word `node` stands for the Node that runs the tests. */
export function words(command: string | readonly string[]): string[] {
  const split = typeof command === "string" ? shellWords(command) : [...command];
  if (split[0] === "node") {
    split[0] = process.execPath;
  }
  if (split.length === 0) {
    throw new AssayError("the command is empty");
  }
  return split;
}

/** Splits a command as a shell does: at blanks that are neither quoted nor escaped. */
function shellWords(command: string): string[] {
  const found: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  // On Windows a backslash is a part of a path.
  const escapes = process.platform !== "win32";
  for (let at = 0; at < command.length; at += 1) {
    const character = command.charAt(at);
    if (quote !== undefined) {
      if (character === quote) {
        quote = undefined;
      } else if (character === "\\" && quote === '"' && /["\\]/.test(command.charAt(at + 1))) {
        at += 1;
        word = `${word ?? ""}${command.charAt(at)}`;
      } else {
        word = `${word ?? ""}${character}`;
      }
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= "";
    } else if (character === "\\" && escapes && at + 1 < command.length) {
      at += 1;
      word = `${word ?? ""}${command.charAt(at)}`;
    } else if (/\s/.test(character)) {
      if (word !== undefined) {
        found.push(word);
      }
      word = undefined;
    } else {
      word = `${word ?? ""}${character}`;
    }
  }
  if (quote !== undefined) {
    throw new AssayError(`the command has no closing ${quote}`);
  }
  return word === undefined ? found : [...found, word];
}
