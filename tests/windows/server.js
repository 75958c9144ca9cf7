// A small MCP server on standard input and output, for the tests on Windows.
//
// MARK in the environment is given to a helper that it starts and forgets, outside of Node's own
// job; READY is a file that it writes when it has answered; EXIT is its exit code. Ctrl-C ends it
// with the code that programs have then on Windows.
'use strict';

const { spawn } = require('child_process');
const fs = require('fs');
const readline = require('readline');

if (process.env.MARK) {
  const forever = 'setInterval(() => {}, 1000)';
  spawn(process.execPath, ['-e', forever, process.env.MARK], { stdio: 'ignore', detached: true }).unref();
}

const results = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'on-windows', version: '1.0.0' },
  },
  ping: {},
  'tools/list': { tools: [{ name: 'where', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: `on ${process.platform} with ${process.argv.slice(2)}` }] },
};

function answer(request) {
  const { id, method, params } = request;
  if (method === 'tools/call' && params?.name !== 'where') {
    return { jsonrpc: '2.0', id, error: { code: -32602, message: 'no such tool' } };
  }
  if (method in results) {
    return { jsonrpc: '2.0', id, result: results[method] };
  }
  return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } };
}

const lines = readline.createInterface({ input: process.stdin });
lines.on('line', (line) => {
  let request;
  try {
    request = JSON.parse(line);
  } catch {
    const error = { code: -32700, message: 'not JSON' };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: null, error }) + '\n');
    return;
  }
  if (request.id === undefined) return;
  process.stdout.write(JSON.stringify(answer(request)) + '\n', () => {
    if (process.env.READY) fs.writeFileSync(process.env.READY, '');
  });
});
process.on('SIGINT', () => process.exit(0xc000013a));
lines.on('close', () => process.exit(Number(process.env.EXIT || 0)));
