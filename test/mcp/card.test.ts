import type { Prompt, Tool } from '@modelcontextprotocol/client';
import t from 'tap';
import { cWk01 } from '../../src/scanner/checks/c-wk-01.js';
import { identityOf, createMcpDocuments } from '../../src/mcp/card.js';
import { findingOf } from '../support/collect.js';
import { FIXTURE_ORIGIN, type FixtureAnswer, type FixtureSite } from '../support/fixture-site.js';
import { send } from '../support/http-client.js';
import { NO_DB, startMcp } from '../support/mcp.js';

const NOTHING = { tools: [], prompts: [] };

t.test('our own check passes for each of our documents', async (t) => {
  const mcp = await startMcp(t, NO_DB, { publicUrl: FIXTURE_ORIGIN });
  const { serverCard, manifest, catalogEntry } = mcp.documents;
  const json = (value: object): FixtureAnswer => ({ type: 'application/json', body: JSON.stringify(value) });
  const card: FixtureAnswer = { ...json(serverCard), type: 'application/mcp-server-card+json' };
  const doors: FixtureSite['routes'][] = [
    {
      '/.well-known/ai-catalog.json': json({ specVersion: '1.0', entries: [catalogEntry] }),
      '/mcp/server-card': card,
    },
    { '/.well-known/mcp/server-card.json': card },
    { '/.well-known/mcp.json': json(manifest) },
  ];
  for (const door of doors) {
    const routes: FixtureSite['routes'] = {
      '/': '<!doctype html><title>Home</title><p>Welcome</p>',
      '/mcp': async ({ method, headers, body }) => {
        const given = { ...headers, host: 'www.fixture-site.com' };
        const answer = await send(mcp.port, '/mcp', { method, headers: given, ...(body && { body }) });
        return { status: answer.status, type: answer.headers['content-type'] ?? null, body: answer.text };
      },
      ...door,
    };
    const { result, detail } = await findingOf(cWk01, { routes });
    t.equal(result, 'PASS', `${Object.keys(door).join(' ')}: ${detail ?? ''}`);
    t.match(detail, /answers/);
  }
});

t.test('the documents announce what the server has', async (t) => {
  const mcp = await startMcp(t, NO_DB);
  const { manifest, serverCard } = mcp.documents;
  const client = await mcp.connect();
  t.strictSame(manifest.capabilities, client.getServerCapabilities());
  t.strictSame(Object.values(serverCard._meta), [manifest.capabilities]);
  t.strictSame(manifest.serverInfo, { name: serverCard.name, title: serverCard.title, version: '1.2.3' });
  const announced = ({ name, title, description }: Tool | Prompt) => ({ name, title, description });
  t.strictSame(manifest.tools, (await client.listTools()).tools.map(announced));
  t.strictSame(manifest.prompts, (await client.listPrompts()).prompts.map(announced));
});

t.test('the card matches its schema at every public address', async (t) => {
  const cases: [publicUrl: string, name: string, identifier: string][] = [
    ['https://readiness.example.com', 'com.example.readiness', 'readiness.example.com'],
    ['https://readiness.example.com/below', 'com.example.readiness', 'readiness.example.com'],
    ['http://localhost:3000', 'localhost', 'localhost'],
    ['http://127.0.0.1:3000', 'localhost', 'localhost'],
    ['http://[::1]:3000', 'localhost', 'localhost'],
  ];
  for (const [publicUrl, namespace, publisher] of cases) {
    const where = { publicUrl, version: '1.2.3' };
    const { serverCard, manifest, catalogEntry } = createMcpDocuments(where, NOTHING);
    t.match(serverCard, {
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      name: `${namespace}/agent-readiness-scan`,
      version: '1.2.3',
      remotes: [{ type: 'streamable-http', url: `${publicUrl}/mcp` }],
    });
    t.match(manifest, { endpoint: `${publicUrl}/mcp`, transport: { endpoint: `${publicUrl}/mcp` } });
    t.match(catalogEntry, {
      identifier: `urn:air:${publisher}:mcp:agent-readiness-scan`,
      url: `${publicUrl}/mcp/server-card`,
    });
    const { name, title, description } = identityOf(where);
    t.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    for (const text of [title, description]) t.ok(text.length >= 1 && text.length <= 100, text);
  }
});
