/** A transport of the official SDK that checks what passes. */

import type { Action, Checked, Direction, Mode, Options, Party } from "./session.js";
import { Session } from "./session.js";

/** Gets each message with violations. */
export type Report = (checked: Checked) => void;

/** A transport as the official SDK has it, in its versions 1 and 2. */
export interface TransportLike {
  start(): Promise<void>;
  // The types of the messages differ from version to version.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  send(message: any, options?: any): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  onmessage?: ((message: any, extra?: any) => void) | undefined;
  sessionId?: string | undefined;
  readonly hasPerRequestStream?: boolean;
  setProtocolVersion?: ((version: string) => void) | undefined;
  setSupportedProtocolVersions?: ((versions: string[]) => void) | undefined;
}

export interface TransportOptions extends Options {
  /** `shadow` (the default) only reports; `enforce` lets no message with an error pass. */
  readonly mode?: Mode | undefined;
  /** The party that uses the transport; otherwise the first message shows it. */
  readonly party?: Party | undefined;
  /** Gets each message with violations; by default they are shown on standard error. */
  readonly report?: Report | undefined;
}

/** Shows each violation in a line on standard error. */
export function toStderr(checked: Checked): void {
  for (const line of checked.lines) {
    console.error(`mcp-assay: ${line}`);
  }
}

/** Findings that are kept. */
const MAX_FINDINGS = 10_000;

type Message = Record<string, unknown>;
type Decision = Pick<Checked, "action" | "replacement" | "answer">;

const FORWARD: Decision = { action: "forward", replacement: null, answer: null };

/**
 * Stands between a client or server of the official SDK and its transport:
 * `server.connect(new AssayTransport(transport, { mode: "enforce" }))`.
 *
 * A transport of the SDK hands over objects, not bytes: the messages are serialised anew for the
 * check. So nothing is concluded from their text, and each result says `fidelity: "reserialised"`.
 * `assayStdio` checks the bytes.
 */
export class AssayTransport implements TransportLike {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  onmessage?: ((message: any, extra?: any) => void) | undefined;
  /** The messages with violations so far, in their order. */
  readonly findings: Checked[] = [];
  /** The messages that were checked. */
  messages = 0;
  readonly #inner: TransportLike;
  readonly #session: Session;
  readonly #enforces: boolean;
  readonly #report: Report;
  #party: Party | undefined;
  readonly #began = performance.now();

  constructor(inner: TransportLike, options: TransportOptions = {}) {
    const { party, report, ...rest } = options;
    this.#inner = inner;
    this.#session = new Session({ ...rest, reserialised: true });
    this.#enforces = options.mode === "enforce";
    this.#report = report ?? toStderr;
    this.#party = party;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream ?? false;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions?.(versions);
  }

  async start(): Promise<void> {
    // The SDK may have set these on this object only; a transport may have its own already.
    const { onclose, onerror, onmessage } = this.#inner;
    this.#inner.onclose = () => {
      onclose?.();
      this.onclose?.();
    };
    this.#inner.onerror = (error) => {
      onerror?.(error);
      this.onerror?.(error);
    };
    this.#inner.onmessage = (message: Message, extra?: unknown) => {
      onmessage?.(message, extra);
      this.#receive(message, extra);
    };
    await this.#inner.start();
  }

  async send(message: Message, options?: unknown): Promise<void> {
    const { action, replacement, answer } = this.#check(message, "sent");
    if (answer !== null) {
      // The sender is this side.
      this.onmessage?.(JSON.parse(answer));
    }
    if (goesOn(action)) {
      await this.#inner.send(replacement === null ? message : JSON.parse(replacement), options);
    }
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  #receive(message: Message, extra: unknown): void {
    const { action, replacement, answer } = this.#check(message, "received");
    if (answer !== null) {
      const options = { relatedRequestId: message["id"] };
      this.#inner.send(JSON.parse(answer), options).catch((error: unknown) => {
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      });
    }
    if (goesOn(action)) {
      this.onmessage?.(replacement === null ? message : JSON.parse(replacement), extra);
    }
  }

  #check(message: Message, way: "sent" | "received"): Decision {
    try {
      const text = JSON.stringify(message);
      this.#party ??= partyOf(text, way);
      const isOurs = way === "sent";
      const direction: Direction = (this.#party === "client") === isOurs ? "c2s" : "s2c";
      const time = (performance.now() - this.#began) / 1000;
      const checked = this.#session.check(text, direction, { time });
      this.messages += 1;
      if (!checked.clean) {
        if (this.findings.length < MAX_FINDINGS) {
          this.findings.push(checked);
        }
        deliver(this.#report, checked);
      }
      return checked;
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      // `enforce` lets nothing pass that was not checked; `shadow` never stops traffic.
      return this.#enforces ? refusal(message) : FORWARD;
    }
  }
}

/** Reports a message; a reporter that fails does not stop the traffic. */
export function deliver(report: Report, checked: Checked): void {
  try {
    report(checked);
  } catch (error) {
    console.error(error);
  }
}

/** The decision of `enforce` about a message that could not be checked: nobody waits forever. */
function refusal({ id, method }: Message): Decision {
  const message = "the message could not be checked, so it was not forwarded";
  const answer = JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message } });
  if (id === undefined) {
    return { action: "drop", replacement: null, answer: null };
  }
  return method === undefined
    ? { action: "replace", replacement: answer, answer: null }
    : { action: "refuse", replacement: null, answer };
}

function goesOn(action: Action): boolean {
  return action === "forward" || action === "replace" || action === "split";
}

/** The party that uses the transport, by the first message: if that does not show it, the client
 * has sent it, because clients speak first. */
function partyOf(text: string, way: "sent" | "received"): Party {
  const guess = new Session({ reserialised: true });
  const direction = guess.check(text).direction ?? "c2s";
  guess.close();
  return (direction === "c2s") === (way === "sent") ? "client" : "server";
}
