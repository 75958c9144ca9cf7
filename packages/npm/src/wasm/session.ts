/** Sessions whose messages are checked in their order, and the catalogue of the rules. */

import { AssayError, names, raisesWarnings, type Strict } from "../selection.js";
import { type Engine, engine, messageBytes } from "./engine.js";

/** The sender of a message: the client (`c2s`) or the server (`s2c`). */
export type Direction = "c2s" | "s2c";
export type Party = "client" | "server";
export type Level = "error" | "warning" | "note";
/** `shadow` only reports; `enforce` decides what may pass. */
export type Mode = "shadow" | "enforce";
export type Revision = "2024-11-05" | "2025-03-26" | "2025-06-18" | "2025-11-25" | "2026-07-28";
export type Verdict = "pass" | "flag" | "block";
export type Kind = "request" | "notification" | "response" | "error" | "batch" | "unreadable";
export type Action = (typeof ACTIONS)[number];
/** `reserialised`: a program wrote the message anew before the check. */
export type Fidelity = "exact" | "reserialised";

export interface Options {
  /** The revision in force; otherwise it is read from the traffic. */
  readonly revision?: Revision | "auto" | undefined;
  /** What counts as an error: errors only ("must"), or warnings, too ("should" or `true`). */
  readonly strict?: Strict | undefined;
  /** Rules, families, layers or levels that are checked. */
  readonly select?: string | readonly string[] | undefined;
  /** Rules, families, layers or levels that are not checked. */
  readonly ignore?: string | readonly string[] | undefined;
  /** A dialect: the name of a built-in profile, or the text of a file. */
  readonly profile?: string | { readonly name: string; readonly text: string } | undefined;
}

export interface SessionOptions extends Options {
  /** `enforce` decides about each message: see `action` and `replacement` of the result. */
  readonly mode?: Mode | undefined;
  /**
   * Whether the messages are the lines of standard input and output, from the beginning: then
   * rules about the stream and about the first message apply, too.
   */
  readonly transport?: "stdio" | undefined;
  /** Whether a program wrote the messages anew: then nothing is concluded from their text. */
  readonly reserialised?: boolean | undefined;
}

export interface Violation {
  /** The name of the rule. */
  readonly rule: string;
  /** The layer that the rule checks. */
  readonly layer: string;
  readonly level: Level;
  /** Found and expected, in one sentence. */
  readonly message: string;
  /** The JSON Pointer of the value at fault; empty for the whole message. */
  readonly pointer: string;
  /** The bytes at fault: those of UTF-8, not the units of a string. */
  readonly span: { readonly start: number; readonly end: number };
  /** The JSON-RPC code of a refusal. */
  readonly code: number | null;
  /** The remedy. */
  readonly help: string;
  /** The clause of the specification. */
  readonly spec: string;
  /** The party at fault. */
  readonly party: Party | null;
}

export interface Rule {
  readonly name: string;
  readonly layer: string;
  readonly level: Level;
  readonly revisions: readonly Revision[];
  readonly party: string;
  readonly summary: string;
  readonly spec: string;
  readonly covers: readonly string[];
  readonly code: number | null;
  readonly levels: Readonly<Partial<Record<Revision, Level>>>;
  readonly why: string;
  readonly help: string;
  readonly examples: readonly {
    readonly kind: string;
    readonly revision: Revision | null;
    readonly text: string;
  }[];
}

/** A line of `mcp-assay check --format ndjson`. */
interface Row {
  line: number;
  dir: Direction | null;
  kind: Kind | null;
  method: string | null;
  id: unknown;
  revision: Revision | null;
  end?: true;
  verdict: Verdict;
  not_judged?: string;
  violations: Violation[];
}

interface Decision {
  action: Action;
  replacement: string | null;
  answer: string | null;
}

const ACTIONS = ["forward", "replace", "refuse", "split", "drop", "divert"] as const;
const FORWARD: Decision = { action: "forward", replacement: null, answer: null };

/** The result of a check. */
export class Checked {
  /** `pass`, `flag` (warnings or notes only) or `block` (an error). */
  readonly verdict: Verdict;
  /** `null` for nothing at all. */
  readonly kind: Kind | null;
  /** The method that the message calls or answers. */
  readonly method: string | null;
  /** The id of the message; `null` if it has none that can be read. */
  readonly id: unknown;
  /** The revision that it was checked under. */
  readonly revision: Revision | null;
  readonly direction: Direction | null;
  /** The violations, in the order in which they were found. */
  readonly violations: readonly Violation[];
  /** The reason why the message was not checked as far as asked. */
  readonly notJudged: string | null;
  /** Whether the end of the session shows it, and not the message itself. */
  readonly end: boolean;
  /** The number of the message in its session, from 1. */
  readonly line: number;
  readonly fidelity: Fidelity;
  /** The decision of `enforce`; `forward` in `shadow`. */
  readonly action: Action;
  /** The text that goes on in place of the message. */
  readonly replacement: string | null;
  /** The text that goes back to the sender. */
  readonly answer: string | null;

  /** @internal */
  constructor(row: Row, fidelity: Fidelity, decision: Decision) {
    this.verdict = row.verdict;
    this.kind = row.kind;
    this.method = row.method;
    this.id = row.id;
    this.revision = row.revision;
    this.direction = row.dir;
    this.violations = row.violations;
    this.notJudged = row.not_judged ?? null;
    this.end = row.end ?? false;
    this.line = row.line;
    this.fidelity = fidelity;
    this.action = decision.action;
    this.replacement = decision.replacement;
    this.answer = decision.answer;
  }

  /** Whether nothing was found. */
  get clean(): boolean {
    return this.violations.length === 0;
  }

  /** One line for each violation, safe to show on a terminal. */
  get lines(): string[] {
    const place = [this.direction, this.kind, this.method].filter((it) => it !== null).join(" ");
    return this.violations.map(({ level, rule, pointer, message }) => {
      const at = pointer === "" ? "" : ` at ${pointer}`;
      const line = `${place}: ${level}[${rule}]${at}: ${message}${DONE[this.action]}`;
      return engine().text((it) => it.visible(), line);
    });
  }

  toString(): string {
    return this.clean ? "clean" : this.lines.join("\n");
  }
}

/**
 * The result of a message whose text is not kept: a row, and the number of the decision.
 * @internal
 */
export function readRow(row: string, action: number): Checked {
  const decision = { ...FORWARD, action: ACTIONS[action] ?? "forward" };
  return new Checked(JSON.parse(row) as Row, "exact", decision);
}

const DONE: Readonly<Record<Action, string>> = {
  forward: "",
  replace: " (replaced)",
  refuse: " (refused)",
  split: " (refused in part)",
  drop: " (dropped)",
  divert: " (moved to standard error)",
};

/** Sessions that nobody uses any more free their memory in the module. */
const unused = new FinalizationRegistry<() => void>((close) => {
  close();
});

/** A session between a client and a server, whose messages are checked in their order. */
export class Session {
  readonly #engine: Engine;
  readonly #id: number;
  readonly #fidelity: Fidelity;
  readonly #mode: Mode;
  #isClosed = false;

  constructor(options: SessionOptions = {}) {
    const used = engine();
    const id = used.number((it) => it.session_open(), optionsText(options));
    this.#engine = used;
    this.#id = id;
    this.#fidelity = options.reserialised === true ? "reserialised" : "exact";
    this.#mode = options.mode ?? "shadow";
    unused.register(this, () => { closeIn(used, id); }, this);
  }

  /** The revision in force, once it is known. */
  get revision(): Revision | null {
    const name = this.#text((it, id) => it.session_revision(id));
    return name === "" ? null : (name as Revision);
  }

  /**
   * Checks the exact bytes of a message, or its text, without its newline.
   *
   * The direction is inferred if it is left out and can be. `answers` is the method that a lone
   * response answers. `time` is in seconds from any fixed point; without it no rule about time
   * applies.
   */
  check(
    message: Uint8Array | string,
    direction?: Direction | null,
    about: { readonly answers?: string | undefined; readonly time?: number | undefined } = {},
  ): Checked {
    const bytes = messageBytes(message);
    const sender = directionNumber(direction);
    const time = about.time ?? -1;
    if (about.time !== undefined && !(about.time >= 0)) {
      throw new AssayError("time is a number of seconds from 0");
    }
    const input = about.answers === undefined ? [bytes] : [bytes, about.answers];
    const text = this.#text(
      (it, id) => it.session_check(id, bytes.length, sender, time),
      ...input,
    );
    const decision = this.#mode === "enforce" ? this.#decision() : FORWARD;
    return new Checked(JSON.parse(text) as Row, this.#fidelity, decision);
  }

  /** Checks messages in their order; the direction is that of all, or one for each. */
  checkMany(
    messages: Iterable<Uint8Array | string>,
    direction?: Direction | null | readonly (Direction | null)[],
  ): Checked[] {
    const all = [...messages];
    const senders = Array.isArray(direction) ? (direction as (Direction | null)[]) : undefined;
    if (senders !== undefined && senders.length !== all.length) {
      throw new AssayError("there are not as many directions as messages");
    }
    const each = direction as Direction | null | undefined;
    return all.map((message, index) => this.check(message, senders ? senders[index] : each));
  }

  /** Ends the session, and reports messages that are missing. The next one begins anew. */
  end(by?: Party | null): Checked[] {
    const party = by == null ? 0 : ["client", "server"].indexOf(by) + 1;
    if (by != null && party === 0) {
      throw new AssayError('by is "client" or "server"');
    }
    const rows = JSON.parse(this.#text((it, id) => it.session_end(id, party))) as Row[];
    return rows.map((row) => new Checked(row, this.#fidelity, FORWARD));
  }

  /** Frees the memory of the session; the garbage collector does it, too, some time. */
  close(): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      unused.unregister(this);
      closeIn(this.#engine, this.#id);
    }
  }

  #decision(): Decision {
    const action = ACTIONS[this.#engine.number((it) => it.session_action(this.#id))] ?? "forward";
    const text = (): string => this.#text((it, id) => it.session_text(id));
    switch (action) {
      case "replace":
        return { action, replacement: text(), answer: null };
      case "refuse":
        return { action, replacement: null, answer: text() };
      case "split": {
        const answer = this.#text((it, id) => it.session_split_off(id));
        return { action, replacement: text(), answer };
      }
      default:
        return { action, replacement: null, answer: null };
    }
  }

  #text(
    call: (exports: Parameters<Parameters<Engine["text"]>[0]>[0], id: number) => number,
    ...input: (Uint8Array | string)[]
  ): string {
    if (this.#isClosed) {
      throw new AssayError("the session is closed");
    }
    return this.#engine.text((it) => call(it, this.#id), ...input);
  }
}

function closeIn(used: Engine, id: number): void {
  if (!used.isBroken) {
    used.number((it) => {
      it.session_close(id);
      return 0;
    });
  }
}

/** The rules that traffic shows. `mcp-assay rules` also lists those of `probe`. */
export function rules(): Rule[] {
  return JSON.parse(engine().text((it) => it.rules_json())) as Rule[];
}

/** The page of a rule. */
export function explain(name: string): string {
  return engine().text((it) => it.explain(), name);
}

/** The version of the checks. */
export function version(): string {
  return engine().text((it) => it.version());
}

function directionNumber(direction: Direction | null | undefined): number {
  switch (direction) {
    case null:
    case undefined:
      return 0;
    case "c2s":
      return 1;
    case "s2c":
      return 2;
    default:
      throw new AssayError('direction is "c2s" or "s2c"');
  }
}

const OPTIONS = [
  "revision",
  "strict",
  "select",
  "ignore",
  "profile",
  "mode",
  "reserialised",
  "transport",
];

/**
 * The options as the module takes them: all of them, each of one type.
 * @internal
 */
export function optionsText(options: SessionOptions): string {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) {
    throw new AssayError(`unknown option ${JSON.stringify(unknown)}`);
  }
  return JSON.stringify({
    revision: options.revision === "auto" ? null : (options.revision ?? null),
    strict: raisesWarnings(options.strict),
    select: names(options.select),
    ignore: names(options.ignore),
    profile: options.profile ?? null,
    mode: options.mode ?? "shadow",
    reserialised: options.reserialised ?? false,
    transport: options.transport ?? null,
  });
}
