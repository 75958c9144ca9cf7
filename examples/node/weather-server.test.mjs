// Tests of a server with the strict harness of mcp-assay: a test fails as soon as the server breaks a rule of the protocol.
//
//     node --test examples/node/weather-server.test.mjs

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = process.env.MCP_ASSAY ?? 'mcp-assay';
const server = [process.execPath, fileURLToPath(new URL('weather-server.mjs', import.meta.url))];

// A server under test: `run` sends a command of docs/harness.md, and throws what mcp-assay says if it fails.
class Harness {
  constructor(command, flags = []) {
    this.process = spawn(program, ['probe', '--serve-json', ...flags, '--', ...command], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.ended = once(this.process, 'exit');
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  async run(command, members = {}) {
    this.process.stdin.write(`${JSON.stringify({ command, ...members })}\n`);
    const { value: line, done } = await this.lines.next();
    if (done) throw new Error('mcp-assay ended; standard error says why');
    const { ok, result, error } = JSON.parse(line);
    if (!ok) throw Object.assign(new Error(error.message), { error });
    return result;
  }

  async end() {
    this.process.stdin.end();
    const [code] = await this.ended;
    return code;
  }
}

async function withServer(context, command = server, flags = []) {
  const harness = new Harness(command, flags);
  context.after(() => harness.end());
  await harness.run('initialize');
  return harness;
}

test('the forecast is given', async (context) => {
  const harness = await withServer(context);
  await harness.run('expect_tool', { name: 'forecast', required: ['city'], read_only: true });
  const result = await harness.run('call_tool', { name: 'forecast', arguments: { city: 'Bern' } });
  assert.equal(result.content[0].text, 'Snow in Bern');
});

test('a forecast of nowhere fails', async (context) => {
  const harness = await withServer(context);
  const result = await harness.run('call_tool', { name: 'forecast', arguments: {} });
  assert.ok(result.isError);
});

test('unknown tools are refused', async (context) => {
  const harness = await withServer(context);
  const params = { name: 'sunshine', arguments: {} };
  await harness.run('expect_error', { code: -32602, method: 'tools/call', params });
});

test('schemas are valid, and nothing else is wrong', async (context) => {
  const harness = await withServer(context);
  await harness.run('expect_schema_valid');
  const { endedByItself } = await harness.run('close');
  assert.ok(endedByItself);
  await harness.run('expect_no_violations');
});

test('what is wrong is told', async () => {
  const harness = new Harness([...server, '--broken']);
  await assert.rejects(harness.run('initialize'), ({ message, error }) => {
    assert.equal(
      message.split('\n')[0],
      'strict mode: initialize result: `serverInfo.version` is missing',
    );
    assert.equal(error.violations[0].rule, 'schema/missing-member');
    return true;
  });
  assert.equal(await harness.end(), 1);
});

test('a rule can be let pass', async (context) => {
  const flags = ['--ignore', 'schema/missing-member'];
  const harness = await withServer(context, [...server, '--broken'], flags);
  await harness.run('expect_no_violations');
});
