// What every TypeScript client does with a server: it asks for all there is, and calls and reads some of it.

// Long enough for the slowest tool: a client that gives up without a word leaves its request unanswered.
const LIMIT = 30_000;

export const CAPABILITIES = { sampling: {}, roots: { listChanged: true }, elicitation: { form: {} } };

async function step(name, action) {
  try {
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error('too late')), LIMIT));
    return await Promise.race([action(), late]);
  } catch (error) {
    console.error(`  ${name}: ${String(error.message).slice(0, 100)}`);
    return undefined;
  }
}

// A definition that a schema refers to, or the schema itself.
function resolved(schema, root) {
  const path = schema.$ref?.match(/^#\/(.*)/)?.[1].split('/');
  return path?.reduce((here, step) => here?.[step], root) ?? schema;
}

function invented(name, referring, root) {
  const schema = resolved(referring, root);
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? 1;
  if (schema.type === 'boolean') return false;
  if (schema.type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => invented(name, schema.items ?? {}, root));
  if (schema.type === 'object') return required(schema, root);
  if (name.includes('path')) return process.env.FOLDER;
  if (name.includes('timezone')) return 'UTC';
  if (name === 'time') return '12:00';
  return 'hello';
}

function required(schema, root = schema) {
  const wanted = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name));
  return Object.fromEntries(wanted.map(([name, property]) => [name, invented(name, property, root)]));
}

// Only the 1.x line can run a tool as a task.
async function runAsTask(client, call) {
  for await (const _ of client.experimental?.tasks?.callToolStream(call) ?? []);
}

// Calls a tool with an argument of the wrong type; what comes after it must go on.
async function wrong(client, tools) {
  for (const tool of tools) {
    const given = required(tool.inputSchema);
    const text = Object.keys(given).find((name) => tool.inputSchema.properties[name].type === 'string');
    if (!text) continue;
    return step('wrong argument', () => client.callTool({ name: tool.name, arguments: { ...given, [text]: 7 } }));
  }
}

export async function walk(client) {
  const offers = client.getServerCapabilities() ?? {};
  await step('ping', () => client.ping());
  if (offers.logging) await step('level', () => client.setLoggingLevel('debug'));
  if (offers.tools) {
    const list = await step('tools', () => client.listTools());
    for (const tool of list?.tools ?? []) {
      const given = required(tool.inputSchema);
      if (tool.execution?.taskSupport === 'required') {
        await step(tool.name, () => runAsTask(client, { name: tool.name, arguments: given }));
        continue;
      }
      await step(tool.name, () => client.callTool({ name: tool.name, arguments: given }, undefined, { onprogress: () => {} }));
    }
    await step('unknown tool', () => client.callTool({ name: 'no_such_tool', arguments: {} }));
    if (process.env.WRONG) await wrong(client, list?.tools ?? []);
  }
  if (offers.resources) {
    const list = await step('resources', () => client.listResources());
    await step('templates', () => client.listResourceTemplates());
    for (const { uri } of (list?.resources ?? []).slice(0, 5)) await step(uri, () => client.readResource({ uri }));
    const uri = list?.resources?.[0]?.uri;
    if (offers.resources.subscribe && uri) {
      await step('subscribe', () => client.subscribeResource({ uri }));
      await step('unsubscribe', () => client.unsubscribeResource({ uri }));
    }
  }
  if (offers.prompts) {
    const list = await step('prompts', () => client.listPrompts());
    for (const prompt of (list?.prompts ?? []).slice(0, 5)) {
      const given = Object.fromEntries((prompt.arguments ?? []).map(({ name }) => [name, '1']));
      await step(prompt.name, () => client.getPrompt({ name: prompt.name, arguments: given }));
    }
  }
}
