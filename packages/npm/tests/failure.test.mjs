// A check that itself fails: it never stops traffic in shadow, and lets nothing pass in enforce.
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";

/** The text that makes a check of this process fail. */
const DEFECT = "defect";
const decoder = new TextDecoder();
const { Instance } = WebAssembly;

// As a panic does, a function of the module throws.
WebAssembly.Instance = function failing(module, imports) {
  const { exports } = new Instance(module, imports);
  let given = [0, 0];
  const input = (length) => {
    given = [exports.input(length), length];
    return given[0];
  };
  const fails = (name) => (id, ...rest) => {
    if (decoder.decode(new Uint8Array(exports.memory.buffer, ...given)).includes(DEFECT)) {
      throw new WebAssembly.RuntimeError("unreachable");
    }
    return exports[name](id, ...rest);
  };
  const [session_check, stream_feed] = ["session_check", "stream_feed"].map(fails);
  return { exports: { ...exports, input, session_check, stream_feed } };
};
const { assayStdio, AssayTransport, Session } = await import("mcp-assay/wasm");

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const BAD = `{"jsonrpc":"2.0","id":2,"method":"${DEFECT}"}`;

test("sessions of the instance throw, later ones work", () => {
  const [session, other] = [new Session(), new Session()];
  assert.throws(() => session.check(BAD, "c2s"), { name: "AssayError", message: /please report this: .*unreachable/ });
  assert.throws(() => session.check(PING, "c2s"), /unreachable/);
  assert.throws(() => other.check(PING, "c2s"), /unreachable/);
  session.close();
  assert.equal(new Session().check(PING, "c2s").clean, true);
});

for (const [mode, passes] of [["shadow", true], ["enforce", false]]) {
  test(`standard input ${passes ? "goes on" : "ends"} in ${mode}`, async (context) => {
    context.mock.method(console, "error", () => undefined);
    const [stdinOfProcess, stdoutOfProcess] = [new PassThrough(), new PassThrough()];
    const { stdin } = assayStdio({ mode, stdin: stdinOfProcess, stdout: stdoutOfProcess });
    const read = async () => {
      let text = "";
      for await (const chunk of stdin) text += chunk;
      return text;
    };
    const received = read();
    stdinOfProcess.write(`${BAD}\n`);
    stdinOfProcess.end(`${PING}\n`);
    if (passes) {
      assert.equal(await received, `${BAD}\n${PING}\n`);
    } else {
      await assert.rejects(received, /check failed/);
    }
    assert.match(console.error.mock.calls[0].arguments[0], /please report this/);
  });

  test(`messages of a transport ${passes ? "go on" : "are refused"} in ${mode}`, async () => {
    const [sent, received, errors] = [[], [], []];
    const inner = { start: async () => undefined, close: async () => undefined, send: async (it) => sent.push(it) };
    const transport = new AssayTransport(inner, { mode, party: "server" });
    transport.onmessage = (message) => received.push(message);
    transport.onerror = (error) => errors.push(error);
    await transport.start();
    inner.onmessage(JSON.parse(BAD));
    await transport.send({ jsonrpc: "2.0", id: 3, result: {} });
    assert.deepEqual(received, passes ? [JSON.parse(BAD)] : []);
    assert.deepEqual(sent.map(({ id, error }) => [id, error?.code]), passes ? [[3, undefined]] : [[2, -32603], [3, -32603]]);
    assert.match(errors[0].message, /please report this/);
  });
}
