import t from 'tap';
import { cWk01 } from '../../../src/scanner/checks/c-wk-01.js';
import { cWk02 } from '../../../src/scanner/checks/c-wk-02.js';
import { cWk03 } from '../../../src/scanner/checks/c-wk-03.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import type { FixtureAnswer } from '../../support/fixture-site.js';
import { AGENT_CARD, announcing, expectOn, HOME, INTERFACE, SERVER_CARD } from './endpoint-sites.js';
import { json, type Routes, url } from './expect-findings.js';

const PLACES: readonly (readonly [check: Check, path: string])[] = [
  ...['ard.json', 'ai-catalog.json', 'mcp/catalog.json'].map((name) => [cWk01, name] as const),
  ...['mcp/server-card.json', 'mcp-server-card', 'mcp.json', 'mcp'].map((name) => [cWk01, name] as const),
  ...['agent-card.json', 'agent.json'].map((name) => [cWk02, name] as const),
  ...['api-catalog', 'oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'].map(
    (name) => [cWk03, name] as const,
  ),
].map(([check, name]) => [check, `/.well-known/${name}`] as const);
const RESOURCE = '/.well-known/oauth-protected-resource';

t.test('an answer without success at a place that nothing names is not charged, but told of', async (t) => {
  const unsuccessful: readonly FixtureAnswer[] = [
    { status: 401, headers: { 'www-authenticate': 'Basic' } },
    ...[403, 451, 500, 503, 302, 304].map((status) => ({ status, body: 'no' })),
    { failure: 'stalled' },
    { failure: 'reset' },
  ];
  for (const [check, path] of PLACES) {
    const names = new RegExp(`${path} .*, but nothing that we read refers to it\\.`);
    const cases = unsuccessful.map((answer) => [JSON.stringify(answer), [{ [path]: answer }, names]]);
    await expectOn(t, check, { NOT_APPLICABLE: Object.fromEntries(cases) as Record<string, Routes> });
  }
});

t.test('whatever an agent reads may name the place: then it is charged', async (t) => {
  for (const [check, path] of PLACES) {
    const link = `<a href="${path}">For agents</a>`;
    const names: Record<string, Routes> = {
      'a Link header': announcing(path, 'related'),
      'a link element': { '/': `${HOME}<link rel="related" href="${url(path)}">` },
      'a link of the home page': { '/': HOME + link },
      'a link of a sampled page': { '/': `${HOME}<a href="/help">Help</a>`, '/help': HOME + link },
      'a link of llms.txt': { '/llms.txt': `# Lamps\n\n- [For agents](${path})\n` },
    };
    const refused = Object.entries(names).map(([what, routes]) => [`${path}: ${what}`, { ...routes, [path]: 403 }]);
    await expectOn(t, check, { 'FAIL WK_UNREACHABLE': Object.fromEntries(refused) as Record<string, Routes> });
  }
});

t.test('what only resembles a name is none', async (t) => {
  const path = '/.well-known/mcp';
  for (const text of [
    `See \`${path}\`, which agents read.`,
    'See [more](/.well-known/mcp.json).',
    `See <${url(`/docs${path}`)}>.`,
    'As <https://example.net/.well-known/mcp> does.',
    `See <${url(path)}?version=2>.`,
  ]) {
    const routes = { '/llms.txt': `# Lamps\n\n${text}\n`, [path]: 403 };
    await expectOn(t, cWk01, { NOT_APPLICABLE: { [text]: routes } });
  }
});

t.test('catalogs and challenges name places, too', async (t) => {
  const entry = { identifier: 'urn:air:x:a:b', displayName: 'Desk', type: 'text/plain' };
  for (const [check, path] of PLACES) {
    if (path === '/.well-known/ard.json' || path.includes('catalog')) continue;
    const routes = { '/.well-known/ard.json': json({ entries: [{ ...entry, url: path }] }), [path]: 500 };
    await expectOn(t, check, { 'FAIL WK_UNREACHABLE': { [path]: routes } });
  }
  const authServer = '/.well-known/oauth-authorization-server';
  const linkset = [{ anchor: '/api', 'service-meta': [{ href: authServer }] }];
  const challenged = (metadata: string, endpoint: Routes): Routes => ({
    ...endpoint,
    '/mcp': { status: 401, headers: { 'www-authenticate': `Bearer realm="x", resource_metadata="${metadata}"` } },
    [RESOURCE]: 500,
  });
  const card = {
    '/.well-known/mcp/server-card.json': json({ ...SERVER_CARD, remotes: [{ type: 'sse', url: url('/mcp') }] }),
  };
  const linked = announcing('/mcp', 'mcp');
  await expectOn(t, cWk03, {
    'FAIL WK_UNREACHABLE': {
      'an API catalog': { '/.well-known/api-catalog': json({ linkset }), [authServer]: 500 },
      'the endpoint of a card': challenged(url(RESOURCE), card),
      'an endpoint that the home page names': challenged(url(RESOURCE), linked),
    },
    'FAIL MISSING': {
      'the endpoint of a card': challenged(url(`${RESOURCE}/mcp`), card),
      'an endpoint that the home page names': challenged(url(`${RESOURCE}/mcp`), linked),
    },
  });
});

t.test('429 and challenges leave it open, and a success is judged', async (t) => {
  const challenge = { status: 403, headers: { 'cf-mitigated': 'challenge' }, body: HOME };
  for (const [check, path] of PLACES) {
    await expectOn(t, check, {
      UNDETERMINED: { [`${path}: 429`]: { [path]: 429 }, [`${path}: a challenge`]: { [path]: challenge } },
      // The older place of A2A may hold another kind of manifest, but not what is not JSON.
      'FAIL INVALID_MANIFEST': { [path]: { [path]: { type: 'application/json', body: '{' } } },
    });
  }
});

t.test('a site that refuses everything unknown, or fails at it, is not charged with its places', async (t) => {
  for (const check of [cWk01, cWk02, cWk03]) {
    for (const status of [401, 403, 500, 503]) {
      await expectOn(t, check, { NOT_APPLICABLE: { [status]: { '*': status } } });
    }
  }
  const says = /could not be read \(it returns status 403, like every address .* The same is true of 1 more address\.$/;
  await expectOn(t, cWk02, { NOT_APPLICABLE: { '403': [{ '*': 403 }, says] } });
});

t.test('a failing card at the current place does not hide one at the older place, or an announced one', async (t) => {
  const found = json({ ...AGENT_CARD, supportedInterfaces: undefined, url: INTERFACE.url });
  const refused: Routes = { '/.well-known/agent-card.json': 403, '/a2a': 405 };
  const link = announcing('/desk.json', 'agent-card');
  await expectOn(t, cWk02, {
    PASS: {
      'at the older place': { ...refused, '/.well-known/agent.json': found },
      announced: { ...refused, ...link, '/desk.json': found },
    },
    'FAIL MISSING': { 'announced, but absent': { ...refused, ...link } },
  });
});
