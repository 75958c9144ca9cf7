// A small server over stdio, to be tested. `--broken` leaves out what its handshake has to say.

import { createInterface } from 'node:readline';

const forecast = {
  name: 'forecast',
  description: 'The weather of a city',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
  annotations: { readOnlyHint: true },
};

const text = (text) => ({ type: 'text', text });

const methods = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: process.argv.includes('--broken')
      ? { name: 'weather' }
      : { name: 'weather', version: '1.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [forecast] }),
  'tools/call': ({ name, arguments: { city } = {} }) => {
    if (name !== 'forecast') {
      throw Object.assign(new Error('there is no such tool'), { code: -32602 });
    }
    return typeof city === 'string'
      ? { content: [text(`Snow in ${city}`)] }
      : { content: [text('which city?')], isError: true };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = { jsonrpc: '2.0', id };
  if (Object.hasOwn(methods, method)) {
    try {
      answer.result = methods[method](params);
    } catch ({ code = -32603, message }) {
      answer.error = { code, message };
    }
  } else {
    answer.error = { code: -32601, message: 'method not found' };
  }
  console.log(JSON.stringify(answer));
}
