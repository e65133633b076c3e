import { onSqlite } from '../support/databases.js';
import { startMcp, type RunningMcp } from '../support/mcp.js';
import { fetching, findTools, PYTHON, shell } from './tools.js';

const PYTHON_CLIENT = {
  ...PYTHON,
  heading: 'MCP: Python',
  files: { 'client.py': 'mcp/client.py', 'constraints.txt': 'mcp/constraints.txt' },
};
const PROTOCOL = '2026-07-28';

/** Calls each tool. The last call is over the limit. */
const CALLS: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[] = [
  { name: 'scan_site', arguments: { url: 'shop.example.com', detail: 'full' } },
  { name: 'fix_plan', arguments: { url: 'shop.example.com' } },
  {
    name: 'try_fix',
    arguments: { url: 'shop.example.com', path: '/llms.txt', contentType: 'text/plain', body: '# Shop\n' },
  },
  { name: 'verify_fix', arguments: { url: 'shop.example.com', checkIds: ['C-LLMS-02', 'C-BOT-01', 'C-SITE-01'] } },
  { name: 'explain_check', arguments: { checkId: 'C-BOT-01', errorType: 'BLOCKED' } },
  ...Array.from({ length: 9 }, (_, index) => ({
    ...{ name: 'verify_fix', arguments: { url: `other${index}.example.com`, checkId: 'C-LLMS-02' } },
  })),
];

/** Returns what the TypeScript client reads, in the format of client.py. */
async function readLines(mcp: RunningMcp): Promise<object[]> {
  const client = await mcp.connect({ versionNegotiation: { mode: 'auto' } });
  const [{ tools }, { prompts }] = [await client.listTools(), await client.listPrompts()];
  const names = { tools: tools.map(({ name }) => name), prompts: prompts.map(({ name }) => name) };
  const lines: object[] = [{ protocol: PROTOCOL, ...names }];
  for (const call of CALLS) {
    const { isError, structuredContent } = await client.callTool(call);
    lines.push({ name: call.name, isError, structuredContent });
  }
  for (const { name } of prompts) {
    const { messages } = await client.getPrompt({ name, arguments: { url: 'example.com' } });
    lines.push({ name, messages: messages.map(({ content }) => content.type === 'text' && content.text) });
  }
  return lines;
}

onSqlite(async (t, engine) => {
  await t.test(
    'the official client of Python calls every tool, and checks each answer against its schema',
    async (t) => {
      const place = await findTools(t, PYTHON_CLIENT);
      if (!place) return;
      const done = await fetching(t, async () => {
        await shell('python3 -m venv venv && venv/bin/pip install --quiet mcp mypy', place);
        return shell('venv/bin/mypy --strict client.py', place);
      });
      if (done === undefined) return;
      const start = async () => startMcp(t, await engine.openDb(t));
      const expected = await readLines(await start());
      t.match(expected[0], { tools: [...new Set(CALLS.map(({ name }) => name))] }, 'every tool is called');
      t.match(expected[CALLS.length], { isError: true, structuredContent: { retryAfterS: Number } });
      const { url: MCP_URL } = await start();
      const env = { ...place.env, MCP_URL, CALLS: JSON.stringify(CALLS) };
      const lines = (await shell('venv/bin/python client.py', { ...place, env })).trim().split('\n');
      t.strictSame(
        lines.map((line) => JSON.parse(line) as unknown),
        expected,
        'each reads what the other reads',
      );
    },
  );
});
