// client_v1.mjs URL | client_v1.mjs COMMAND ARGUMENTS...
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { CAPABILITIES, walk } from './walk.mjs';

const [command, ...args] = process.argv.slice(2);
const http = command.startsWith('http');
const transport = http
  ? new StreamableHTTPClientTransport(new URL(command))
  : new StdioClientTransport({ command, args, stderr: 'ignore' });
const client = new Client({ name: 'client', version: '1.0.0' }, { capabilities: CAPABILITIES });
client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///tmp', name: 'tmp' }] }));
client.setRequestHandler(CreateMessageRequestSchema, () => ({
  role: 'assistant', model: 'none', content: { type: 'text', text: 'hello' }, stopReason: 'endTurn',
}));
client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
await client.connect(transport);
await walk(client);
if (http) await transport.terminateSession();
await client.close();
process.exit(0);
