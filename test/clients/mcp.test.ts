import type { Test } from 'tap';
import { onSqlite } from '../support/databases.js';
import { startMcp, type RunningMcp } from '../support/mcp.js';
import { fetching, findTools, shell, type Tools } from './tools.js';

/** The official client of a language, and a program that calls with it what CALLS names. */
interface Client extends Tools {
  readonly install: string;
  /** Judges the program as strictly as the language can. */
  readonly check: string;
  readonly run: string;
  /** The newest revision of the protocol that it speaks. */
  readonly protocol: string;
}

const CLIENTS: readonly Client[] = [
  {
    heading: 'MCP: Python',
    needs: "python3 -c 'import ensurepip, venv'",
    kept: ['venv'],
    env: { PIP_CONSTRAINT: 'constraints.txt' },
    files: { 'client.py': 'mcp/client.py', 'constraints.txt': 'mcp/constraints.txt' },
    install: 'python3 -m venv venv && venv/bin/pip install --quiet mcp mypy',
    check: 'venv/bin/mypy --strict client.py',
    run: 'venv/bin/python client.py',
    protocol: '2026-07-28',
  },
];

/** A call of each tool; the last one is over the limit. */
const CALLS: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[] = [
  { name: 'scan_site', arguments: { url: 'shop.example.com', detail: 'full' } },
  { name: 'fix_plan', arguments: { url: 'shop.example.com' } },
  {
    name: 'try_fix',
    arguments: { url: 'shop.example.com', path: '/llms.txt', contentType: 'text/plain', body: '# Shop\n' },
  },
  { name: 'verify_fix', arguments: { url: 'shop.example.com', checkIds: ['C-LLMS-02', 'C-BOT-01', 'C-SITE-01'] } },
  { name: 'explain_check', arguments: { checkId: 'C-BOT-01', errorType: 'BLOCKED' } },
  ...Array.from({ length: 8 }, (_, index) => ({
    ...{ name: 'verify_fix', arguments: { url: `other${index}.example.com`, checkId: 'C-LLMS-02' } },
  })),
];

/** What the client of TypeScript reads, as the programs print it. */
async function readLines(mcp: RunningMcp, protocol: string): Promise<object[]> {
  const client = await mcp.connect({ versionNegotiation: { mode: 'auto' } });
  const [{ tools }, { prompts }] = [await client.listTools(), await client.listPrompts()];
  const names = { tools: tools.map(({ name }) => name), prompts: prompts.map(({ name }) => name) };
  const lines: object[] = [{ protocol, ...names }];
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

async function tryClient(t: Test, client: Client, start: () => Promise<RunningMcp>): Promise<void> {
  const place = await findTools(t, client);
  if (!place) return;
  const done = await fetching(t, async () => {
    await shell(client.install, place);
    return shell(client.check, place);
  });
  if (done === undefined) return;
  const expected = await readLines(await start(), client.protocol);
  t.match(expected[0], { tools: [...new Set(CALLS.map(({ name }) => name))] }, 'every tool is called');
  t.match(expected[CALLS.length], { isError: true, structuredContent: { retryAfterS: Number } });
  const { url } = await start();
  const printed = await shell(client.run, {
    ...place,
    env: { ...place.env, MCP_URL: url, CALLS: JSON.stringify(CALLS) },
  });
  const lines = printed.trim().split('\n');
  t.strictSame(
    lines.map((line) => JSON.parse(line) as unknown),
    expected,
    'each reads what the others read',
  );
}

onSqlite(async (t, engine) => {
  for (const client of CLIENTS) {
    await t.test(
      `${client.heading}: the official client calls every tool, and holds each answer against its schema`,
      async (t) => {
        await tryClient(t, client, async () => startMcp(t, await engine.openDb(t)));
      },
    );
  }
});
