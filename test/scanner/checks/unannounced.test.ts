import t from 'tap';
import { cWk01 } from '../../../src/scanner/checks/c-wk-01.js';
import { cWk02 } from '../../../src/scanner/checks/c-wk-02.js';
import { cWk03 } from '../../../src/scanner/checks/c-wk-03.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { findingOf } from '../../support/collect.js';
import type { FixtureAnswer, FixtureSite } from '../../support/fixture-site.js';
import { FIXTURE_ORIGIN } from '../../support/fixture-site.js';

type Routes = FixtureSite['routes'];

const HOME = '<!doctype html><title>Home</title><p>Welcome to the shop, where lamps are made by hand.</p>';
const PLACES: readonly (readonly [check: Check, path: string])[] = [
  ...['ard.json', 'ai-catalog.json', 'mcp/catalog.json'].map((name) => [cWk01, `/.well-known/${name}`] as const),
  ...['mcp/server-card.json', 'mcp-server-card', 'mcp.json', 'mcp'].map(
    (name) => [cWk01, `/.well-known/${name}`] as const,
  ),
  ...['agent-card.json', 'agent.json'].map((name) => [cWk02, `/.well-known/${name}`] as const),
  ...['api-catalog', 'oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'].map(
    (name) => [cWk03, `/.well-known/${name}`] as const,
  ),
];
/** Answers without success: refused, failing, stalled, broken off, or led nowhere. */
const UNSUCCESSFUL: readonly FixtureAnswer[] = [
  { status: 401, headers: { 'www-authenticate': 'Basic' } },
  { status: 403, body: 'no' },
  { status: 451, body: 'no' },
  { status: 500, body: 'no' },
  { status: 503, body: 'no' },
  { failure: 'stalled' },
  { failure: 'reset' },
  { status: 302 },
  { status: 304 },
];

async function resultOf(check: Check, routes: Routes): Promise<string> {
  const { result, errorType } = await findingOf(check, { routes: { '/': HOME, ...routes } });
  return errorType === null ? result : `${result} ${errorType}`;
}

t.test('an answer without success at a place that nothing names is not charged, but told of', async (t) => {
  for (const [check, path] of PLACES) {
    for (const answer of UNSUCCESSFUL) {
      const { result, detail } = await findingOf(check, { routes: { '/': HOME, [path]: answer } });
      t.equal(result, 'NOT_APPLICABLE', `${path}: ${JSON.stringify(answer)}`);
      t.match(detail, `${path} `, path);
      t.match(detail, /, and nothing that was looked at names it\./);
    }
  }
});

t.test('whatever an agent reads may name the place: then it is charged', async (t) => {
  const html = (main: string, head = ''): FixtureAnswer => ({ body: `${HOME}${head}${main}` });
  for (const [check, path] of PLACES) {
    const names: readonly (readonly [what: string, routes: Routes])[] = [
      ['a Link header', { '/': { body: HOME, headers: { link: `<${path}>; rel="related"` } } }],
      ['a link element', { '/': html('', `<link rel="related" href="${FIXTURE_ORIGIN}${path}">`) }],
      ['a link of the home page', { '/': html(`<a href="${path}">For agents</a>`) }],
      ['a link of a sampled page', { '/': html('<a href="/help">Help</a>'), '/help': html(`<a href="${path}">x</a>`) }],
      ['the text of a sampled page', { '/': html(`<p>Agents find it at ${FIXTURE_ORIGIN}${path}.</p>`) }],
      ['a link of llms.txt', { '/llms.txt': `# Lamps\n\n- [For agents](${path})\n` }],
      ['the text of llms.txt', { '/llms.txt': `# Lamps\n\nSee \`${path}\`, which agents read.\n` }],
    ];
    for (const [what, routes] of names) {
      t.equal(await resultOf(check, { ...routes, [path]: { status: 403 } }), 'FAIL WK_UNREACHABLE', `${path}: ${what}`);
    }
  }
});

t.test('what only resembles a name is none', async (t) => {
  const path = '/.well-known/mcp';
  const texts = [
    'See /.well-known/mcp.json for more.',
    `See ${FIXTURE_ORIGIN}/docs${path}`,
    'As https://example.net/.well-known/mcp does.',
    `See ${FIXTURE_ORIGIN}${path}?version=2`,
  ];
  for (const text of texts) {
    const routes = { '/llms.txt': `# Lamps\n\n${text}\n`, [path]: { status: 403 } };
    t.equal(await resultOf(cWk01, routes), 'NOT_APPLICABLE', text);
  }
});

t.test('catalogs and challenges name places, too', async (t) => {
  const json = (value: unknown): FixtureAnswer => ({ type: 'application/json', body: JSON.stringify(value) });
  const entry = { identifier: 'urn:air:x:a:b', displayName: 'Desk', type: 'text/plain' };
  const ard = (path: string): Routes => ({ '/.well-known/ard.json': json({ entries: [{ ...entry, url: path }] }) });
  for (const [check, path] of PLACES) {
    if (path === '/.well-known/ard.json' || path.includes('catalog')) continue;
    t.equal(await resultOf(check, { ...ard(path), [path]: { status: 500 } }), 'FAIL WK_UNREACHABLE', path);
  }
  const linkset = [{ anchor: '/api', 'service-meta': [{ href: '/.well-known/oauth-authorization-server' }] }];
  const routes = {
    '/.well-known/api-catalog': json({ linkset }),
    '/.well-known/oauth-authorization-server': { status: 500 },
  };
  t.equal(await resultOf(cWk03, routes), 'FAIL WK_UNREACHABLE', 'an API catalog');

  const resource = '/.well-known/oauth-protected-resource';
  const challenge = (metadata: string): FixtureAnswer => ({
    status: 401,
    headers: { 'www-authenticate': `Bearer realm="x", resource_metadata="${metadata}"` },
  });
  const card = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: 'com.fixture-site/shop',
    version: '1.0.0',
    description: 'Finds lamps.',
    remotes: [{ type: 'sse', url: `${FIXTURE_ORIGIN}/mcp` }],
  };
  const endpoints: readonly (readonly [what: string, routes: Routes])[] = [
    ['of a card', { '/.well-known/mcp/server-card.json': json(card) }],
    ['that the home page names', { '/': { body: HOME, headers: { link: '</mcp>; rel="mcp"' } } }],
  ];
  for (const [what, endpoint] of endpoints) {
    const asked = (metadata: string): Routes => ({
      ...endpoint,
      '/mcp': challenge(metadata),
      [resource]: { status: 500 },
    });
    t.equal(await resultOf(cWk03, asked(FIXTURE_ORIGIN + resource)), 'FAIL WK_UNREACHABLE', what);
    t.equal(await resultOf(cWk03, asked(`${FIXTURE_ORIGIN}${resource}/mcp`)), 'FAIL MISSING', what);
  }
});

t.test('429 and challenges leave it open, and a success is judged', async (t) => {
  for (const [check, path] of PLACES) {
    t.equal(await resultOf(check, { [path]: { status: 429 } }), 'UNDETERMINED', path);
    const challenge = { status: 403, headers: { 'cf-mitigated': 'challenge' }, body: HOME };
    t.equal(await resultOf(check, { [path]: challenge }), 'UNDETERMINED', path);
    const broken = await resultOf(check, { [path]: { type: 'application/json', body: '{' } });
    // The older place of A2A may hold another kind of manifest, but not what is not JSON.
    t.equal(broken, 'FAIL INVALID_MANIFEST', path);
  }
});

t.test(
  'a site that refuses everything unknown, or fails at it, is not charged with its well-known places',
  async (t) => {
    for (const status of [401, 403, 500, 503]) {
      for (const check of [cWk01, cWk02, cWk03]) {
        t.equal(await resultOf(check, { '*': { status } }), 'NOT_APPLICABLE', `${check.id}: ${status}`);
      }
    }
    const { detail } = await findingOf(cWk02, { routes: { '/': HOME, '*': { status: 403 } } });
    t.match(
      detail,
      /could not be read \(it answers with status 403, as does every address .* The same is true of 1 more address\.$/,
    );
  },
);

t.test('a failing card at the current place does not hide one at the older place, or an announced one', async (t) => {
  const card = {
    name: 'Desk',
    description: 'Answers.',
    version: '1.0.0',
    url: `${FIXTURE_ORIGIN}/a2a`,
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'a', name: 'A', description: 'A.', tags: ['a'] }],
  };
  const found = { type: 'application/json', body: JSON.stringify(card) };
  const refused: Routes = { '/.well-known/agent-card.json': { status: 403 }, '/a2a': { status: 405 } };
  t.equal(await resultOf(cWk02, { ...refused, '/.well-known/agent.json': found }), 'PASS');
  const link = { body: HOME, headers: { link: '</desk.json>; rel="agent-card"' } };
  t.equal(await resultOf(cWk02, { ...refused, '/': link, '/desk.json': found }), 'PASS');
  t.equal(await resultOf(cWk02, { ...refused, '/': link }), 'FAIL MISSING');
});
