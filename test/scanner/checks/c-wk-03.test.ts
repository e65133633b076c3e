import t from 'tap';
import { cWk03 } from '../../../src/scanner/checks/c-wk-03.js';
import { FIXTURE_ORIGIN, type FixtureAnswer } from '../../support/fixture-site.js';
import {
  ALIVE,
  CANARY,
  CARD_PATH,
  HOME,
  type Routes,
  SERVER,
  SERVER_CARD,
  json,
  linking,
  runCases,
  toPost,
  url,
} from './endpoint-sites.js';

const API_CATALOG = {
  linkset: [
    {
      anchor: url('/api'),
      'service-desc': [{ href: url('/openapi.json'), type: 'application/json' }],
      'service-doc': [{ href: '/docs', type: 'text/html' }],
    },
  ],
};
const OPENAPI = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths: { '/orders': {} } };
const OPENAPI_YAML = 'openapi: 3.1.0\ninfo:\n  title: Shop\n  version: "1"\npaths:\n  /orders:\n    get: {}\n';
const CATALOG_PATH = '/.well-known/api-catalog';
const apiCatalog = (value: unknown, routes: Routes = { '/openapi.json': json(OPENAPI), '/docs': HOME }): Routes => ({
  [CATALOG_PATH]: json(value, 'application/linkset+json'),
  ...routes,
});
const resource = (value: unknown): Routes => ({ '/.well-known/oauth-protected-resource': json(value) });
const authServer = (changes: object): Routes => ({
  '/.well-known/oauth-authorization-server': json({ ...SERVER, ...changes }),
});
/** One whose well-known path redirects to a tenant of a login host. */
const redirectedServer = (path: string): Routes => ({
  '/.well-known/openid-configuration': {
    status: 302,
    headers: { location: 'https://login.fixture-site.com/tenant/.well-known/openid-configuration' },
  },
  'https://login.fixture-site.com/tenant/.well-known/openid-configuration': json({
    ...SERVER,
    issuer: `https://login.fixture-site.com${path}`,
  }),
});

t.test('C-WK-03: API catalog and auth metadata', async (t) => {
  const entry = API_CATALOG.linkset[0];
  await runCases(t, cWk03, [
    ['nothing', {}, 'NOT_APPLICABLE', /no API catalog and no OAuth metadata/],
    ['a catalog whose links work', apiCatalog(API_CATALOG), 'PASS', /service-desc 1 of linkset entry 1 is there/],
    ['items alone, without anchor', apiCatalog({ linkset: [{ item: [{ href: url('/api') }] }] }), 'PASS'],
    [
      'a context about something else alongside it',
      apiCatalog({ linkset: [entry, { anchor: url('/'), describedby: [{ href: '/x' }] }] }),
      'PASS',
    ],
    ['a catalog without linkset', apiCatalog({ apis: [] }), 'FAIL INVALID_MANIFEST', /no "linkset" array/],
    [
      'a relation that is not an array',
      apiCatalog({ linkset: [{ anchor: url('/'), rel: 'item', href: CANARY }] }),
      'FAIL INVALID_MANIFEST',
      /not an array of links/,
    ],
    [
      'no API relation',
      apiCatalog({ linkset: [{ anchor: url('/'), links: [{ rel: 'service-doc', href: '/docs' }] }] }),
      'FAIL INVALID_MANIFEST',
      /links to no API/,
    ],
    [
      'a description of nothing',
      apiCatalog({ linkset: [{ ...entry, anchor: undefined }] }),
      'FAIL INVALID_MANIFEST',
      /lacks "anchor"/,
    ],
    [
      'a link without address',
      apiCatalog({ linkset: [{ ...entry, item: [{}] }] }),
      'FAIL INVALID_MANIFEST',
      /without "href"/,
    ],
    [
      'a dead description',
      apiCatalog(API_CATALOG, { '/docs': HOME }),
      'FAIL WK_UNREACHABLE',
      /service-desc 1 .* status 404/,
    ],
    [
      'a refused documentation',
      apiCatalog(API_CATALOG, { '/openapi.json': json(OPENAPI), '/docs': { status: 403 } }),
      'UNDETERMINED',
      /status 403/,
    ],
    [
      'a failing documentation',
      apiCatalog(API_CATALOG, { '/openapi.json': json(OPENAPI), '/docs': { status: 503 } }),
      'FAIL WK_UNREACHABLE',
      /status 503/,
    ],
    [
      'an endpoint with its state alone',
      apiCatalog({ linkset: [{ anchor: url('/api'), status: [{ href: '/up' }] }] }, {}),
      'PASS',
    ],
    [
      'the state of the catalog itself',
      apiCatalog({ linkset: [{ anchor: CATALOG_PATH, status: [{ href: '/up' }] }] }),
      'FAIL INVALID_MANIFEST',
      /links to no API/,
    ],
    [
      'another site refuses us',
      apiCatalog(
        { linkset: [{ anchor: url('/'), 'service-doc': [{ href: 'https://docs.example.net/' }] }] },
        { 'https://docs.example.net/': { status: 403 } },
      ),
      'UNDETERMINED',
    ],
    ['protected resource metadata', resource({ resource: FIXTURE_ORIGIN }), 'PASS'],
    ['a resource with a path', resource({ resource: url('/mcp') }), 'PASS'],
    [
      'a resource on another origin',
      resource({ resource: 'https://other.example.net' }),
      'FAIL INVALID_MANIFEST',
      /another origin/,
    ],
    ['no resource', resource({}), 'FAIL INVALID_MANIFEST', /lacks "resource"/],
    ['authorization server metadata', authServer({}), 'PASS'],
    ['a trailing slash', authServer({ issuer: `${FIXTURE_ORIGIN}/` }), 'PASS'],
    ['no www', authServer({ issuer: FIXTURE_ORIGIN.replace('www.', '') }), 'PASS'],
    ['an issuer with a path, to which a redirect leads', redirectedServer('/tenant'), 'PASS'],
    ['another path than the redirect’s', redirectedServer('/other'), 'FAIL INVALID_MANIFEST', /"issuer"/],
    [
      'tokens for machines alone',
      authServer({
        grant_types_supported: ['client_credentials'],
        authorization_endpoint: undefined,
        response_types_supported: undefined,
      }),
      'PASS',
    ],
    ['another issuer', authServer({ issuer: 'https://login.example.net' }), 'FAIL INVALID_MANIFEST', /"issuer"/],
    ['an issuer with a path', authServer({ issuer: url('/tenant') }), 'FAIL INVALID_MANIFEST'],
    ['no token endpoint', authServer({ token_endpoint: undefined }), 'FAIL INVALID_MANIFEST', /lacks "token_endpoint"/],
    [
      'all present must be valid',
      { ...resource({ resource: FIXTURE_ORIGIN }), ...authServer({ issuer: '' }) },
      'FAIL INVALID_MANIFEST',
      /oauth-authorization-server lacks "issuer"/,
    ],
    [
      'openid-configuration fails',
      { ...linking('/.well-known/openid-configuration'), '/.well-known/openid-configuration': { status: 500 } },
      'FAIL WK_UNREACHABLE',
    ],
    ['a catalog that asks us to wait', { [CATALOG_PATH]: { status: 429 } }, 'UNDETERMINED'],
    [
      'fetching goes before content',
      { ...linking(CATALOG_PATH), ...resource({}), [CATALOG_PATH]: { status: 403 } },
      'FAIL WK_UNREACHABLE',
      /1 more fault is in the API documents/,
    ],
  ]);
});

t.test('C-WK-03: what a header, a link element or a challenge names is judged where it is', async (t) => {
  const named = '/api/.well-known/api-catalog';
  const announced = (path: string): Routes => ({
    '/': { body: HOME, headers: { link: `<${path}>; rel="api-catalog"` } },
  });
  const elsewhere = (value: unknown): Routes => ({ [named]: json(value, 'application/linkset+json') });
  const works = { '/openapi.json': json(OPENAPI), '/docs': HOME };
  const apiHost = 'https://api.fixture-site.com';
  const onApiHost: Routes = {
    [apiHost + CATALOG_PATH]: json({ linkset: [{ item: [{ href: `${apiHost}/v1` }] }] }, 'application/linkset+json'),
  };
  await runCases(t, cWk03, [
    ['a Link header', { ...announced(named), ...elsewhere(API_CATALOG), ...works }, 'PASS', /service-desc 1/],
    [
      'a link element',
      { '/': `${HOME}<link rel="api-catalog" href="${named}">`, ...elsewhere(API_CATALOG), ...works },
      'PASS',
    ],
    ['one that is not there', announced(named), 'FAIL MISSING', /that the home page names is not there\./],
    ['the well-known one, which is not there', announced(CATALOG_PATH), 'FAIL MISSING'],
    ['one that fails', { ...announced(named), [named]: { status: 500 } }, 'FAIL WK_UNREACHABLE'],
    ['one that is not valid', { ...announced(named), ...elsewhere({}) }, 'FAIL INVALID_MANIFEST'],
    ['a link for people', { '/': `${HOME}<a href="${CATALOG_PATH}">Our APIs</a>` }, 'NOT_APPLICABLE'],
    [
      'one on a subdomain, with the path of the well-known one',
      { ...announced(`${apiHost}${CATALOG_PATH}`), ...onApiHost },
      'PASS',
      /that the home page names is valid/,
    ],
    [
      'a broken one on a subdomain',
      { ...announced(`${apiHost}${CATALOG_PATH}`), [`${apiHost}${CATALOG_PATH}`]: json({}) },
      'FAIL INVALID_MANIFEST',
    ],
    [
      'one on a subdomain, where this host refuses every well-known address',
      { ...announced(`${apiHost}${CATALOG_PATH}`), ...onApiHost, [CATALOG_PATH]: { status: 403 } },
      'PASS',
    ],
    ['prose', { '/': `${HOME}<p>See ${FIXTURE_ORIGIN}${CATALOG_PATH}.</p>` }, 'NOT_APPLICABLE'],
  ]);

  const metadata = '/.well-known/oauth-protected-resource/mcp';
  const challenge = (address: string): FixtureAnswer => ({
    status: 401,
    headers: { 'www-authenticate': `Bearer realm="mcp", resource_metadata="${address}"` },
  });
  const endpoint = (address: string, toGet = challenge(address)): Routes => ({
    [CARD_PATH]: json(SERVER_CARD),
    '/mcp': toPost(challenge(address), toGet),
  });
  const mcpHost = 'https://mcp.fixture-site.com';
  const wellKnown = '/.well-known/oauth-protected-resource';
  const hosted: Routes = {
    [CARD_PATH]: json({ ...SERVER_CARD, remotes: [{ type: 'streamable-http', url: `${mcpHost}/mcp` }] }),
    [`${mcpHost}/mcp`]: challenge(mcpHost + wellKnown),
  };
  const auth = 'https://auth.fixture-site.com/prm';
  await runCases(t, cWk03, [
    ['a challenge', { ...endpoint(url(metadata)), [metadata]: json({ resource: url('/mcp') }) }, 'PASS'],
    ['a relative address', { ...endpoint(metadata), [metadata]: json({ resource: url('/mcp') }) }, 'PASS'],
    ['another host', { ...endpoint(auth), [auth]: json({ resource: url('/mcp') }) }, 'PASS'],
    ['one that is not there', endpoint(url(metadata)), 'FAIL MISSING', /named in WWW-Authenticate is not there\./],
    ['the well-known one, which is not there', endpoint(url('/.well-known/oauth-protected-resource')), 'FAIL MISSING'],
    ['one that is not valid', { ...endpoint(metadata), [metadata]: json({}) }, 'FAIL INVALID_MANIFEST'],
    [
      'one for another resource',
      { ...endpoint(metadata), [metadata]: json({ resource: 'https://other.example.net/mcp' }) },
      'FAIL INVALID_MANIFEST',
    ],
    ['one of a subdomain', { ...hosted, [mcpHost + wellKnown]: json({ resource: `${mcpHost}/mcp` }) }, 'PASS'],
    ['one of a subdomain that is not there', hosted, 'FAIL MISSING'],
    ['one of a subdomain that is not valid', { ...hosted, [mcpHost + wellKnown]: json({}) }, 'FAIL INVALID_MANIFEST'],
    [
      'one of a subdomain, where this host fails at every well-known address',
      { ...hosted, [mcpHost + wellKnown]: json({ resource: `${mcpHost}/mcp` }), [wellKnown]: { status: 500 } },
      'PASS',
    ],
    ['a challenge to POST alone', endpoint(url(metadata), ALIVE), 'FAIL MISSING'],
    ['a challenge of the home page', { '/': challenge(url(metadata)) }, 'FAIL MISSING'],
  ]);
});

t.test('C-WK-03: the scanned origin and the one that it redirects to are both the own one', async (t) => {
  const shop = 'https://shop.fixture-site.com';
  const redirected = (routes: Routes): Routes => ({
    '*': ({ url: { pathname } }) => ({ status: 301, headers: { location: shop + pathname } }),
    [`${shop}/`]: HOME,
    ...routes,
  });
  const issuer = '/.well-known/oauth-authorization-server';
  const resourceAt = '/.well-known/oauth-protected-resource';
  for (const origin of [FIXTURE_ORIGIN, shop]) {
    await runCases(t, cWk03, [
      [`resource ${origin}`, redirected({ [shop + resourceAt]: json({ resource: origin }) }), 'PASS'],
      [`issuer ${origin}`, redirected({ [shop + issuer]: json({ ...SERVER, issuer: origin }) }), 'PASS'],
    ]);
  }
  const other = 'https://other.fixture-site.com';
  await runCases(t, cWk03, [
    ['another', redirected({ [shop + resourceAt]: json({ resource: other }) }), 'FAIL INVALID_MANIFEST'],
  ]);
});

t.test('C-WK-03: an OpenAPI description that nothing names', async (t) => {
  const description = (value: object): Routes => ({ '/openapi.json': json({ ...OPENAPI, ...value }) });
  const documented: Routes = { '/': '<!doctype html><a href="/docs/api">For programmers</a>', '/docs/api': HOME };
  await runCases(t, cWk03, [
    ['in JSON', { ...documented, ...description({}) }, 'NOT_APPLICABLE', /at \/openapi\.json/],
    ['in YAML', { ...documented, '/openapi.yaml': OPENAPI_YAML }, 'NOT_APPLICABLE', /at \/openapi\.yaml/],
    [
      'Swagger 2.0',
      { ...documented, '/swagger.json': json({ swagger: '2.0', info: { title: 'Shop' }, paths: { '/orders': {} } }) },
      'NOT_APPLICABLE',
      /at \/swagger\.json/,
    ],
    [
      'alongside valid metadata',
      { ...documented, ...description({}), ...resource({ resource: FIXTURE_ORIGIN }) },
      'PASS',
    ],
    ['that nothing offers', description({}), 'NOT_APPLICABLE', /No page that was looked at and no llms\.txt leads to/],
    [
      'that nothing offers, alongside valid metadata',
      { ...description({}), ...resource({ resource: FIXTURE_ORIGIN }) },
      'PASS',
      /is valid\. No page that was looked at/,
    ],
    [
      'whose documentation is gone',
      { ...documented, '/docs/api': { status: 404 }, ...description({}) },
      'NOT_APPLICABLE',
    ],
    [
      'whose documentation links to it',
      { ...documented, '/docs/api': '<!doctype html><a href="/openapi.json">Download</a>', ...description({}) },
      'NOT_APPLICABLE',
      /no OAuth metadata\.$/,
    ],
    [
      'whose documentation llms.txt links',
      {
        '/llms.txt': '# Shop\n\n- [API](/developers)\n',
        '/developers': '<title>API reference</title><p>x',
        ...description({}),
      },
      'NOT_APPLICABLE',
    ],
    [
      'alongside a handbook of something else',
      {
        '/': '<!doctype html><a href="/docs">Care of tents</a>',
        '/docs': '<title>Tents</title><p>Dry them.',
        ...description({}),
      },
      'NOT_APPLICABLE',
    ],
    [
      'named by a relative link of llms.txt',
      { ...documented, '/llms.txt': '# Shop\n\n- [API](openapi.json)\n', ...description({}) },
      'NOT_APPLICABLE',
    ],
    ['of another site’s API', description({ servers: [{ url: 'https://api.example.net' }] }), 'NOT_APPLICABLE'],
    [
      'of the site’s own API host',
      { ...documented, ...description({ servers: [{ url: 'https://api.fixture-site.com/v1' }] }) },
      'NOT_APPLICABLE',
    ],
    ['without paths', description({ paths: {} }), 'NOT_APPLICABLE'],
    ['another JSON file', { '/openapi.json': json({ hello: 'world' }) }, 'NOT_APPLICABLE'],
    [
      'named by a Link header',
      { '/': { body: HOME, headers: { link: '</openapi.json>; rel="service-desc"' } }, ...description({}) },
      'NOT_APPLICABLE',
    ],
    [
      'named by <link>',
      { '/': '<!doctype html><link rel="service-desc" href="/openapi.json"><p>x', ...description({}) },
      'NOT_APPLICABLE',
    ],
    [
      'named by a link',
      { '/': '<!doctype html><a href="/openapi.json#a">API</a>', ...description({}) },
      'NOT_APPLICABLE',
    ],
    ['named by llms.txt', { '/llms.txt': '# Shop\n\n- [API](/openapi.json)\n', ...description({}) }, 'NOT_APPLICABLE'],
    [
      'named in the text of llms.txt',
      { '/llms.txt': `# Shop\n\nSee ${url('/openapi.json')} for the API.\n`, ...description({}) },
      'NOT_APPLICABLE',
    ],
    [
      'perhaps named by an llms.txt that asks us to wait',
      { '/llms.txt': { status: 429 }, ...description({}) },
      'NOT_APPLICABLE',
    ],
    [
      'named on another host of the site',
      { '/': '<!doctype html><a href="http://fixture-site.com/openapi.json">API</a>', ...description({}) },
      'NOT_APPLICABLE',
    ],
    [
      'named by an address that redirects to it',
      {
        '/': '<!doctype html><a href="/openapi.json">API</a>',
        '/openapi.json': { status: 302, headers: { location: '/v1/openapi.json' } },
        '/v1/openapi.json': json(OPENAPI),
      },
      'NOT_APPLICABLE',
    ],
    [
      'of the same name on another site',
      {
        ...documented,
        '/': '<!doctype html><a href="https://example.net/openapi.json">API</a><a href="/docs/api">API</a>',
        ...description({}),
      },
      'NOT_APPLICABLE',
    ],
    [
      'alongside a catalog that is refused, and may name it',
      { ...documented, ...description({}), [CATALOG_PATH]: { status: 403 } },
      'NOT_APPLICABLE',
      /api-catalog is refused with status 403, and nothing that was looked at names it/,
    ],
    ['left to the catalog’s items', apiCatalog({ linkset: [{ item: [{ href: '/api' }] }] }), 'PASS'],
  ]);
});
