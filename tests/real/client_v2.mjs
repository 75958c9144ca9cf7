// client_v2.mjs URL | client_v2.mjs COMMAND ARGUMENTS...
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CAPABILITIES, walk } from './walk.mjs';

const [command, ...args] = process.argv.slice(2);
const http = command.startsWith('http');
const transport = http
  ? new StreamableHTTPClientTransport(new URL(command))
  : new StdioClientTransport({ command, args, stderr: 'ignore' });
const client = new Client({ name: 'client', version: '1.0.0' }, { capabilities: CAPABILITIES });
client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///tmp', name: 'tmp' }] }));
client.setRequestHandler('sampling/createMessage', () => ({
  role: 'assistant', model: 'none', content: { type: 'text', text: 'hello' }, stopReason: 'endTurn',
}));
client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
await client.connect(transport);
await walk(client);
if (http) await transport.terminateSession?.();
await client.close();
process.exit(0);
